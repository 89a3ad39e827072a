! frame plain
do while (w(1)>0.1)
w(1)=w(1)/2
end do
! port
do while (w(1)>0.1d0)
w(1)=w(1)/2
end do
