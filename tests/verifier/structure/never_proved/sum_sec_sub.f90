! frame frame_6
ga(maxloc(a(1:2),1))=1
! port
ga(maxloc(a(2:3),1))=1
