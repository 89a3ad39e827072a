! frame frame_2
if (fu()>1) then
end if
a(2)=2
! port
a(2)=2
