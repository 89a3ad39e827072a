! frame frame_3
t=1
call inner()
a(1)=t
! port
t=1
call inner()
a(1)=1
