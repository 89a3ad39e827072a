! frame plain
do i=1,nn
nn=nn-1
w(i)=1
end do
! port
do i=1,nn
w(i)=1
nn=nn-1
end do
