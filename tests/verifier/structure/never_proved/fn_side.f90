! frame frame_1
t=f(w(1))
a(1,1)=t
a(2,1)=t
! port
a(1,1)=f(w(1))
a(2,1)=f(w(1))
