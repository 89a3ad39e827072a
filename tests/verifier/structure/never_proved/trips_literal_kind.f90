! frame plain
do i=1,int(w(1)*0.1)
b(i,1)=2
end do
! port
do i=1,int(w(1)*0.1d0)
b(i,1)=2
end do
