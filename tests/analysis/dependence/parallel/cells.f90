module m
  type cell
    real :: t, q
  end type
contains
  subroutine outer(c, n)
    integer :: n, i
    type(cell) :: c(n)
    do i = 2, n !<
      c(i)%t = c(i - 1)%q
    end do
  end subroutine
end module
