! frame frame_6
t=n*0.5
do i=1,int(t)
a(i)=1
end do
! port
do i=1,int(n*0.5)
a(i)=1
end do
