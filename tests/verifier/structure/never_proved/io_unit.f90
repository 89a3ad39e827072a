! frame plain
write(6,*) w(1)
! port
write(7,*) w(1)
