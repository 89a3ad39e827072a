! frame frame_6
k8=n
a(1)=k8*1000000
! port
a(1)=n*1000000
