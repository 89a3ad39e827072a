! frame frame_2
print *, g
! port
print '(f8.1)', g
