! frame frame_6
do i=1,n-1
if (a(i)<-1) cycle
a(i+1)=2
ga(i)=1
end do
! port
do i=1,n-1
if (a(i)<-1) cycle
a(i+1)=2
end do
do i=1,n-1
if (a(i)<-1) cycle
ga(i)=1
end do
