! frame plain
do i=2,n
w(i)=w(i-1)+1
end do
! port
do concurrent (i=2:n)
w(i)=w(i-1)+1
end do
