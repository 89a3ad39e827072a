! frame frame_4
do gi=1,n
a(gi)=0
end do
! port
do gi=n,1,-1
a(gi)=0
end do
