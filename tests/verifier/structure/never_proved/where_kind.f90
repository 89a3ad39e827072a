! frame frame_6
where(a>0.1) a=1
! port
where(a>0.1_wp) a=1
