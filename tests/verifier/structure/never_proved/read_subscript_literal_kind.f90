! frame plain
a(1,1)=w(int(w(1)*0.1))
! port
a(1,1)=w(int(w(1)*0.1d0))
