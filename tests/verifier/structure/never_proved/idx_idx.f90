! frame frame_6
ga(int(ga(int(a(1)*0.1))))=1
! port
ga(int(ga(int(a(1)*0.1d0))))=1
