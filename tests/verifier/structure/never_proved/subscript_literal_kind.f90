! frame plain
a(int(w(1)*0.1),1)=2
! port
a(int(w(1)*0.1d0),1)=2
