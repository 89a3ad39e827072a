! frame plain
a(1,1)=x4**2
! port
a(1,1)=x4**2.0d0
