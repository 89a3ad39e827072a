! frame frame_2
p=>a
p(1)=1
a(2)=a(1)
! port
p=>a
a(2)=a(1)
p(1)=1
