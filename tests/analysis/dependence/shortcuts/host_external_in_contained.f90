module m
  real, external :: abs
contains
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n !<
      a(i) = abs(a(i))
    end do
  end subroutine
end module
