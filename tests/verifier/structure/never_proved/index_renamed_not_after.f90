! frame plain
do i=1,n
w(i)=0
end do
k=i
a(k,1)=1
! port
do j=1,n
w(j)=0
end do
k=i
a(k,1)=1
