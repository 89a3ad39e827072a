! frame frame_6
ga(int(real(a(1),4)))=1
! port
ga(int(a(1)))=1
