! frame frame_2
o2=o
o%x=1
a(1)=o2%y
! port
o%x=1
o2=o
a(1)=o2%y
