module m
  integer :: total = 0
contains
  recursive subroutine even(n)
    integer, intent(in) :: n
    if (n > 0) call odd(n - 1)
  end subroutine
  recursive subroutine odd(n)
    integer, intent(in) :: n
    total = total + 1
    if (n > 0) call even(n - 1)
  end subroutine
  subroutine outer(a, n)
    integer :: n, i
    integer :: a(n)
    do i = 1, n !<
      call even(i)
      a(i) = total
    end do
  end subroutine
end module
