module m
  real :: c
contains
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n !<
      c = a(i)
      a(i) = half()
    end do
  end subroutine
  real function half()
    half = 0.5*c
  end function
end module
