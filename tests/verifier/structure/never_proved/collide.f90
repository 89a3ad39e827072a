! frame frame_6
do i=1,n
ga(i/2)=a(i)
end do
! port
do i=n,1,-1
ga(i/2)=a(i)
end do
