! frame frame_6
k=k8
a(1)=k
! port
a(1)=k8
