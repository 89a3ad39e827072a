! frame plain
a(1,1)=b(1,1)**3
! port
a(1,1)=b(1,1)**3.0
