! frame frame_2
p(1)=2
a(2)=a(1)
! port
a(2)=a(1)
p(1)=2
