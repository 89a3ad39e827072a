! frame plain
t=b(1,1)
do i=1,n
b(i,1)=t+1
end do
! port
do i=1,n
t=b(1,1)
b(i,1)=t+1
end do
