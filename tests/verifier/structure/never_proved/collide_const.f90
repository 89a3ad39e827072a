! frame frame_6
do i=1,n
ga(1)=a(i)
end do
! port
do i=n,1,-1
ga(1)=a(i)
end do
