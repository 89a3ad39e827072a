! frame frame_6
g=sum(a(1:2))
! port
g=sum(a(2:3))
