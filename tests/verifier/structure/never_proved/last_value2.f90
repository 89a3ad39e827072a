! frame plain
do i=1,n
t=w(i)
a(i,1)=t
end do
a(1,2)=t
! port
do i=n,1,-1
t=w(i)
a(i,1)=t
end do
a(1,2)=t
