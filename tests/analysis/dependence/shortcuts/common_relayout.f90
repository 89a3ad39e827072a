subroutine outer(n)
  common /blk/ a(10), b(10)
  integer :: n, i
  do i = 1, 9 !<
    a(i) = b(i)
    call touch(i)
  end do
end subroutine
subroutine touch(i)
  common /blk/ w(20)
  integer :: i
  w(i+11) = 1.0
end subroutine
