! frame frame_6
do i=int(a(1)*0.1),5
ga(i)=1
end do
! port
do i=int(a(1)*0.1d0),5
ga(i)=1
end do
