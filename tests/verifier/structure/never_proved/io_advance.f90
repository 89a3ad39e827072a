! frame plain
write(6,'(f8.2)',advance='no') w(1)
! port
write(6,'(f8.2)') w(1)
