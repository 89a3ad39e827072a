module fields
  real :: t(100, 50)
contains
  subroutine outer(n)
    integer :: n, j
    do j = 1, n !<
      call column(j, 100)
    end do
  end subroutine
  subroutine column(j, m)
    integer, intent(in) :: j, m
    integer :: k
    do k = 2, m
      t(k, j) = t(k - 1, j)
    end do
  end subroutine
end module
