! frame plain
do nn=1,n
w(nn)=0
end do
! port
do i=1,n
w(i)=0
end do
