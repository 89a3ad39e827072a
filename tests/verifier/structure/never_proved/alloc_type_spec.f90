! frame frame_2
allocate(cp)
! port
allocate(ty::cp)
