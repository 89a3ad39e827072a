! frame frame_6
ga(int(a(1)*0.1):5)=1
! port
ga(int(a(1)*0.1d0):5)=1
