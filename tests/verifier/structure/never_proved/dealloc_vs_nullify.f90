! frame frame_2
nullify(p)
! port
deallocate(p)
