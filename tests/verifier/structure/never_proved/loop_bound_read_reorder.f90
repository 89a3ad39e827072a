! frame plain
nn=nn/2
do i=1,nn
w(i)=0
end do
! port
do i=1,nn
w(i)=0
end do
nn=nn/2
