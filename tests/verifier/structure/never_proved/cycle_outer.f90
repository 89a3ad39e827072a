! frame plain
outer: do i=1,n
do j=1,m
if (b(i,j)>0) cycle outer
a(i,j)=1
end do
end do outer
! port
outer: do i=1,n
do j=1,m
if (b(i,j)>0) cycle
a(i,j)=1
end do
end do outer
