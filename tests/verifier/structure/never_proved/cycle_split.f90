! frame frame_6
do i=1,n
if (a(i)<-1) cycle
a(i)=2
ga(i)=1
end do
! port
do i=1,n
if (a(i)<-1) cycle
a(i)=2
end do
do i=1,n
if (a(i)<-1) cycle
ga(i)=1
end do
