subroutine outer(a, n)
  integer :: n, i, k
  real :: a(n)
  namelist /settings/ k
  do i = 1, n !<
    k = i
    read (10, nml=settings)
    a(k) = 1.0
  end do
end subroutine
