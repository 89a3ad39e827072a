! frame plain
do i=1,n
w(i)=0
end do
a(1,1)=i
! port
do i=2,n+1
w(i-1)=0
end do
a(1,1)=i
