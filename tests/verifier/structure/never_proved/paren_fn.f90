! frame frame_2
a(1)=fx((t))
! port
a(1)=fx(t)
