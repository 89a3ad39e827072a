! frame frame_6
ch2=ch(1:2)
print*,ch2
! port
ch2=ch(2:3)
print*,ch2
