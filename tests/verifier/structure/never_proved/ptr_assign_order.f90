! frame frame_2
p=>a(1:2)
p=1
! port
p=>a(1:)
p=1
