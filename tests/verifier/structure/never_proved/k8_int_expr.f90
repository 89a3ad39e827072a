! frame frame_6
k8=n*n
a(1)=k8
! port
a(1)=n*n
