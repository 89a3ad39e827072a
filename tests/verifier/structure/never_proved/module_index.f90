! frame frame_4
do gi=1,n
a(gi)=0
end do
! port
do i=1,n
a(i)=0
end do
