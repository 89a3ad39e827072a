! frame plain
if (w(1) > 0.1) a(1,1)=2
! port
if (w(1) > 0.1d0) a(1,1)=2
