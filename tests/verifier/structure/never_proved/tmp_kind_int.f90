! frame plain
k=b(1,1)
a(1,1)=k
! port
a(1,1)=b(1,1)
