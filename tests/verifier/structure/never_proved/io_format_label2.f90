! frame plain
write(6,100) w(1)
100 format(f8.2)
200 format(i3)
! port
write(6,200) w(1)
100 format(f8.2)
200 format(i3)
