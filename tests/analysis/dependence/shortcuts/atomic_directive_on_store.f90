subroutine outer(own, idx, n)
  integer :: n, i, idx(n), own(n)
  !$acc parallel loop
  do i = 1, n !<
    !$acc atomic write
    own(idx(i)) = i
  end do
end subroutine
