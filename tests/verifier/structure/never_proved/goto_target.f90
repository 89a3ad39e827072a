! frame plain
if (flag) goto 10
a(1,1)=1
10 continue
a(1,2)=2
20 continue
a(2,1)=3
! port
if (flag) goto 20
a(1,1)=1
10 continue
a(1,2)=2
20 continue
a(2,1)=3
