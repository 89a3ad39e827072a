! frame frame_6
t4=abs(a(1))
a(2)=t4
! port
t=abs(a(1))
a(2)=t
