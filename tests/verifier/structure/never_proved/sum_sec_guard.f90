! frame frame_6
if (sum(a(1:2))>0) g=1
! port
if (sum(a(2:3))>0) g=1
