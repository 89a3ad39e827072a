! frame plain
write(6,100) w(1)
100 format(f8.2)
! port
write(6,100) w(1)
100 format(f8.3)
