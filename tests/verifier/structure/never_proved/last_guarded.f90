! frame plain
t=0
do i=1,n
if (w(i)>0) t=w(i)
end do
a(1,1)=t
! port
t=0
do i=n,1,-1
if (w(i)>0) t=w(i)
end do
a(1,1)=t
