! frame frame_2
t=g
do i=1,int(fu())
a(i)=1
end do
a(2)=t
! port
do i=1,int(fu())
a(i)=1
end do
a(2)=g
