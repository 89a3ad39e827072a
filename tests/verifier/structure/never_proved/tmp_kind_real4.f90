! frame plain
t4=b(1,1)
a(1,1)=t4
! port
a(1,1)=b(1,1)
