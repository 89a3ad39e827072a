! frame frame_6
forall(i=1:n,a(i)>0.1) a(i)=1
! port
forall(i=1:n,a(i)>0.1d0) a(i)=1
