! frame plain
t=x4*x4
a(1,1)=t*x4
! port
a(1,1)=x4*x4*x4
