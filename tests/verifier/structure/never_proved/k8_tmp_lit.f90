! frame frame_6
k8=n
k8=k8*n
a(1)=k8
! port
k=n
k=k*n
a(1)=k
