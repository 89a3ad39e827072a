! frame plain
t=n
a(1,1)=t*1000000
! port
a(1,1)=n*1000000
