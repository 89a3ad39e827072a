! frame frame_6
if (n>1) then
t4=a(1)
else
t4=a(2)
end if
a(3)=t4
! port
if (n>1) then
t=a(1)
else
t=a(2)
end if
a(3)=t
