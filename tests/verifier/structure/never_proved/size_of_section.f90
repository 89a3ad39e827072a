! frame frame_6
g=size(a(1:2))
! port
g=size(a(2:4))
