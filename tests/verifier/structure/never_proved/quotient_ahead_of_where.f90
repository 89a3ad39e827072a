subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t

where (idx(0:n)/=0)
w(0:n)=l/idx(0:n)
end where
end subroutine s

program main
  implicit none
  real :: a(0:9,0:9), w(0:9), v(0:9)
  integer :: i, j, idx(0:9)
  do i = 0, 9
  w(i) = mod(i*7,10)*0.7 + 1
  v(i) = i*0.3-1
  idx(i) = mod(i*3+1,10)
  do j = 0, 9
    a(i,j) = i*1.3 + j*j*0.37
  end do
  end do
  call s(8, 8, a, w, v, idx, 2)
  print *, sum(a), a
  print *, w
  print *, v
  print *, idx
end program
! port
subroutine s(n, m, a, w, v, idx, l)
  implicit none
  integer, intent(in) :: n, m, l
  real, intent(inout) :: a(0:9, 0:9), w(0:9), v(0:9)
  integer, intent(inout) :: idx(0:9)
  integer :: i, j, k
  real :: t

do i=0,n
k=l/idx(i)
if (idx(i)/=0) w(i)=k
end do
end subroutine s

program main
  implicit none
  real :: a(0:9,0:9), w(0:9), v(0:9)
  integer :: i, j, idx(0:9)
  do i = 0, 9
  w(i) = mod(i*7,10)*0.7 + 1
  v(i) = i*0.3-1
  idx(i) = mod(i*3+1,10)
  do j = 0, 9
    a(i,j) = i*1.3 + j*j*0.37
  end do
  end do
  call s(8, 8, a, w, v, idx, 2)
  print *, sum(a), a
  print *, w
  print *, v
  print *, idx
end program
