module state
  use constants, only: wp
  implicit none
  integer :: nx = 24, nz = 12
  real(wp), allocatable :: theta(:,:), q(:,:), exner(:)
contains
  subroutine allocate_state()
    integer :: i, k
    allocate (theta(0:nx+1, nz), q(0:nx+1, nz), exner(nz))
    do k = 1, nz
      exner(k) = 1.0_wp - 0.02_wp*real(k, wp)
      do i = 0, nx + 1
        theta(i,k) = 300.0_wp + real(k, wp) + 0.3_wp*sin(0.5_wp*real(i*k, wp))
        q(i,k) = 0.01_wp + 1.0e-3_wp*cos(0.7_wp*real(i + k, wp))
      end do
    end do
    !$acc enter data copyin(theta, q, exner)
  end subroutine allocate_state
end module state
