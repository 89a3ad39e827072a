subroutine outer()
  real :: a(100), b(100)
  common /blk/ b, a
  integer :: i
  do i = 2, 100 !<
    call touch(i, a(i))
  end do
end subroutine
subroutine touch(i, v)
  integer, intent(in) :: i
  real, intent(out) :: v
  real :: a(100), b(100)
  common /blk/ a, b
  v = b(i-1) + 1.0
end subroutine
