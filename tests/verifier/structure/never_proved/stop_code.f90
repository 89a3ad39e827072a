! frame plain
if (flag) stop 1
a(1,1)=1
! port
if (flag) stop 2
a(1,1)=1
