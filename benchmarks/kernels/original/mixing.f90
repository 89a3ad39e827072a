! Mixing of two fields through a temporary.
module kernel
  implicit none
  integer, parameter :: wp = kind(1.0d0)
contains
  subroutine run(nx, nz, a, b, c, s)
    integer, intent(in) :: nx, nz
    real(wp), intent(inout) :: a(nx, nz), c(nx, nz), s(4)
    real(wp), intent(in) :: b(nx, nz)
    integer :: i, k
    real(wp) :: t

    do k = 1, nz
      do i = 1, nx
        t = 1.1_wp*b(i, k)
        c(i, k) = t + a(i, k)*t
      end do
    end do
  end subroutine run
end module kernel
