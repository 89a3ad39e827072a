! frame frame_6
o(1)=o(2)
o(2)%y(1)=3
! port
o(2)%y(1)=3
o(1)=o(2)
