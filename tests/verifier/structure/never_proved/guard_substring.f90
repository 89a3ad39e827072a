! frame frame_6
if (ch(1:2)=='ab') g=1
! port
if (ch(2:3)=='ab') g=1
