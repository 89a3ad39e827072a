! frame plain
a(1,1)=n*1000000
! port
a(1,1)=n*1000000_8
