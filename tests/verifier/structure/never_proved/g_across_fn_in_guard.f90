! frame frame_2
t=g
if (fu()>1) a(1)=1
a(2)=t
! port
if (fu()>1) a(1)=1
a(2)=g
