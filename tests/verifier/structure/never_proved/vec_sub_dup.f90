! frame frame_6
do i=1,n
ga(int(a(i)))=i
end do
! port
do i=n,1,-1
ga(int(a(i)))=i
end do
