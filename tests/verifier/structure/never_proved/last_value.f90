! frame plain
do i=1,n
t=w(i)
end do
a(1,1)=t
! port
do i=n,1,-1
t=w(i)
end do
a(1,1)=t
