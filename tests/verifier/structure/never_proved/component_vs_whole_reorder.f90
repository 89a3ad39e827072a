! frame frame_2
o2=o
o%x=1
! port
o%x=1
o2=o
