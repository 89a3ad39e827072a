! frame frame_2
t=a(1)
p(1)=5
a(2)=t
! port
p(1)=5
a(2)=a(1)
