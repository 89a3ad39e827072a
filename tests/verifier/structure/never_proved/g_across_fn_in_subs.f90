! frame frame_2
t=g
a(int(fu()))=1
a(2)=t
! port
a(int(fu()))=1
a(2)=g
