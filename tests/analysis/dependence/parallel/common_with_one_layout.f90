subroutine outer(n)
  common /blk/ a(10), b(10)
  integer :: n, i
  do i = 1, 9 !<
    a(i) = b(i + 1)
    call touch(i)
  end do
end subroutine
subroutine touch(i)
  common /blk/ a(10), b(10)
  integer :: i
  a(i) = a(i) + 1.0
end subroutine
