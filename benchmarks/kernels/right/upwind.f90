! An upwind step.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k

    !$acc parallel loop gang vector collapse(2) copyin(a, b) copy(c) private(i, k)
    do k = 1, nz
      do i = 2, nx
        c(i, k) = a(i, k) - 0.2_wp*b(i, k)*(a(i, k) - a(i - 1, k))
      end do
    end do
  end subroutine run
end module kernel
