! frame plain
if (flag) error stop
a(1,1)=1
! port
if (flag) stop
a(1,1)=1
