! frame frame_2
al=a
! port
al(:)=a
