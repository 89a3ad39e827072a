module m
  type cell
    real :: t, q
  end type
contains
  subroutine outer(c, n)
    integer :: n, i
    type(cell) :: c(n), old
    do i = 1, n !<
      old = c(i)
      c(i)%t = old%q
    end do
  end subroutine
end module
