! frame frame_3
t=1
call inner()
a(1)=t
! port
call inner()
t=1
a(1)=t
