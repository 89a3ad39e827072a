! Smooths in place; the unsmoothed left neighbour is carried along.
module in_place_filter
  implicit none
contains
  subroutine smooth(n, m, w, x)
    integer, intent(in) :: n, m
    real(8), intent(in) :: w
    real(8), intent(inout) :: x(n)
    real(8) :: left, here
    integer :: i, pass
    do pass = 1, m
      left = x(1)
      do i = 2, n - 1
        here = x(i)
        x(i) = here + w*(left - 2d0*here + x(i + 1))
        left = here
      end do
    end do
  end subroutine smooth
end module in_place_filter

program main
  use in_place_filter
  implicit none
  call drive(24, 16, 1)
  call drive(1, 1, 2)
  call drive(2, 3, 3)
  call drive(33, 5, 4)
  call drive(7, 12, 5)
contains
  pure real(8) function value(i, k, seed)
    integer, intent(in) :: i, k, seed
    value = mod((37*i + 101*k + 13*seed)*0.6180339887498949d0, 1d0)
  end function value
  subroutine drive(n, m, seed)
    integer, intent(in) :: n, m, seed
    real(8) :: x(n)
    integer :: i, again
    x = [(value(i, m, seed), i = 1, n)]
    do again = 1, 2
      call smooth(n, m, 0.25d0, x)
      print '(4es25.16)', x
    end do
  end subroutine drive
end program main
