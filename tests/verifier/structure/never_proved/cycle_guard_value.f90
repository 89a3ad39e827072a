! frame plain
do i=1,n
if (w(i)>0) cycle
w(i)=1
a(i,1)=2
end do
! port
do i=1,n
if (.not. w(i)>0) w(i)=1
if (.not. w(i)>0) a(i,1)=2
end do
