! frame frame_6
do i=1,maxloc(a(1:2),1)
ga(i)=1
end do
! port
do i=1,maxloc(a(2:3),1)
ga(i)=1
end do
