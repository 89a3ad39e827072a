! frame plain
if ((w(1)+w(2))+w(3) > 0.5) a(1,1)=2
! port
if (w(1)+(w(2)+w(3)) > 0.5) a(1,1)=2
