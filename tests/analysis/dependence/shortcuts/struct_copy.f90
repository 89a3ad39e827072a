module m
  type cell
    real :: t, q
  end type
contains
  subroutine outer(c, n)
    integer :: n, i
    type(cell) :: c(n)
    do i = 2, n !<
      c(i) = c(i-1)
      c(i)%t = 1.0
    end do
  end subroutine
end module
