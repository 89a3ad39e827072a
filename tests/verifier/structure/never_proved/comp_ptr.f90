! frame frame_5
t=o%x
o2%x=4
a(2)=t
! port
o2%x=4
a(2)=o%x
