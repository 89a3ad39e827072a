! frame frame_6
ch(1:2)='ab'
print*,ch
! port
ch(2:3)='ab'
print*,ch
