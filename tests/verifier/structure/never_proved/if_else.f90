! frame plain
if (b(1,1)>0) then
b(1,1)=-3
else
b(1,1)=1
end if
! port
if (b(1,1)>0) b(1,1)=-3
if (.not. b(1,1)>0) b(1,1)=1
