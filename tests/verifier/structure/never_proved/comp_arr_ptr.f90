! frame frame_6
o(1)%p(1)=2
a(1)=ga(1)
! port
a(1)=ga(1)
o(1)%p(1)=2
