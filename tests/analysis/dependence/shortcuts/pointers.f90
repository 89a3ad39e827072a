subroutine outer(p, q, n)
  integer :: n, i
  real, pointer :: p(:), q(:)
  do i = 2, n !<
    p(i) = q(i-1)
  end do
end subroutine
