! frame plain
if (nn>0) then
nn=0
else
nn=5
end if
! port
if (nn>0) nn=0
if (.not. nn>0) nn=5
