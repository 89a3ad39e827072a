! frame frame_2
t=p(1)
a(1)=2
a(2)=t
! port
a(1)=2
a(2)=p(1)
