! frame frame_2
if (fu()>1) a(1)=1
a(2)=g
! port
a(2)=g
if (fu()>1) a(1)=1
