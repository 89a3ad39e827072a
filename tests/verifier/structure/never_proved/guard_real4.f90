! frame plain
if (real(w(1),4) > 0.5) a(1,1)=2
! port
if (w(1) > 0.5) a(1,1)=2
