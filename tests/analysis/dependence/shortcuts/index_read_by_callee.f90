module m
  integer :: i
contains
  subroutine outer(a, n)
    integer :: n
    real :: a(n)
    do i = 1, n !<
      a(i) = where_am_i()
    end do
  end subroutine
  integer function where_am_i()
    where_am_i = i
  end function
end module
