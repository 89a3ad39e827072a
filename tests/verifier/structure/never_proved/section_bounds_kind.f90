! frame frame_6
ga(1:int(a(1)*0.1))=1
! port
ga(1:int(a(1)*0.1d0))=1
