module m
contains
  subroutine outer(a, b, n)
    integer :: n, i, k
    real :: a(n), b(n)
    do i = 1, n !<
      k = i
      if (next(k) > 3) then
        a(k) = b(i)
      else
        a(k) = 0.0
      end if
    end do
  end subroutine
  integer function next(k)
    integer :: k
    k = k/2 + 1
    next = k
  end function
end module
