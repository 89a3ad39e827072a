subroutine outer(a, n)
  integer :: n, i, k
  real :: a(n)
  do i = 1, n !<
    k = i
    associate (x => a(k))
      k = 1
      x = a(k) + 1.0
    end associate
  end do
end subroutine
