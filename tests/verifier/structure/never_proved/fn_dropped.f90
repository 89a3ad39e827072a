! frame frame_1
t=f(w(1))
a(1,1)=2
! port
a(1,1)=2
