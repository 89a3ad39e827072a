! frame frame_2
t=g
q=fu()
a(1)=t+q
! port
q=fu()
a(1)=g+q
