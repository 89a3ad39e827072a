module m
  real :: state = 0.0
contains
  real function max(a, b)
    real, intent(in) :: a, b
    state = state + a
    max = state + b
  end function
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n), s
    do i = 1, n !<
      a(i) = max(a(i), 1.0)
    end do
  end subroutine
end module
