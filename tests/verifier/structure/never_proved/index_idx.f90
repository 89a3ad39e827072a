! frame frame_6
ga(index(ch(1:2),'a'))=1
! port
ga(index(ch(2:3),'a'))=1
