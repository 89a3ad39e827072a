! frame plain
!$ w(1)=1
a(1,1)=1
! port
!$ w(1)=2
a(1,1)=1
