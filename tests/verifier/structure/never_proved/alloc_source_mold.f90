! frame frame_2
allocate(al(n),source=a)
! port
allocate(al(n),mold=a)
