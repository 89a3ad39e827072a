! frame frame_2
critical
a(1)=1
end critical
! port
critical
a(1)=2
end critical
