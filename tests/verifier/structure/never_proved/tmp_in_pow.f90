! frame plain
k=n
a(1,1)=b(1,1)**k
! port
t=n
a(1,1)=b(1,1)**t
