! frame frame_2
o%x=1
o=o2
! port
o=o2
o%x=1
