! frame plain
!$omp parallel do
do i=1,n
w(i)=w(1)
end do
! port
!$omp parallel do private(w)
do i=1,n
w(i)=w(1)
end do
