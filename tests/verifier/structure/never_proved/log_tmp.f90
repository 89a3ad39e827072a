! frame frame_6
l=a(1)>0.1
if (l) a(2)=1
! port
if (a(1)>0.1_wp) a(2)=1
