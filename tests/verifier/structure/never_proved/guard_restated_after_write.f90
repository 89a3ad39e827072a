! frame plain
if (b(1,1)>0) then
b(1,1)=-1
c(1,1)=2
end if
! port
if (b(1,1)>0) b(1,1)=-1
if (b(1,1)>0) c(1,1)=2
