module m
  integer :: k
contains
  subroutine outer(a, n)
    integer :: n, i
    real :: a(n)
    do i = 1, n !<
      k = i
      call reset()
      a(k) = i
    end do
  end subroutine
  subroutine reset()
    k = 1
  end subroutine
end module
