! Convection that the grid does not resolve: the relaxed adjustment of bmadj.f in every column.
module convection_mod
  use constants
  use grid, only: nx, ny, nz, nzmax, dz
  use state, only: state_t, rain
  implicit none
  private
  public :: convective_adjustment, setup_convection

  real(wp), parameter :: rh_reference = 0.7_wp
  integer, allocatable, public :: top(:, :)    ! highest level that a parcel from the ground reaches, or 0

contains

  subroutine setup_convection()
    allocate (top(nx, ny))
    top = 0
  end subroutine setup_convection

  ! relaxation: time in which a column would lose its instability [s].
  subroutine convective_adjustment(s, relaxation, dt)
    type(state_t), intent(inout) :: s
    real(wp), intent(in) :: relaxation, dt
    real(wp), dimension(nzmax) :: t, q, p, mass, dtemp, dq, work
    real(wp) :: theta, exner, fallen
    integer :: i, j, k, ktop

    do j = 1, ny
      do i = 1, nx
        do k = 1, nz
          theta = s%rth(i, j, k)/(s%rho(i, j, k)*(1.0_wp + rvord*s%qv(i, j, k)))
          exner = (rd*s%rth(i, j, k)/p0)**(rd/cv)
          t(k) = theta*exner
          p(k) = p0*exner**(cp/rd)
          q(k) = s%qv(i, j, k)
          mass(k) = s%rho(i, j, k)*dz
        end do
        call bmadj(nz, t, q, p, mass, dt/relaxation, rh_reference, dtemp, dq, work, fallen, ktop)
        top(i, j) = ktop
        if (ktop == 0) cycle
        rain(i, j) = rain(i, j) + fallen
        do k = 1, nz
          exner = (rd*s%rth(i, j, k)/p0)**(rd/cv)
          s%qv(i, j, k) = q(k) + dq(k)
          s%rth(i, j, k) = s%rho(i, j, k)*(t(k) + dtemp(k))/exner*(1.0_wp + rvord*s%qv(i, j, k))
        end do
      end do
    end do
  end subroutine convective_adjustment

end module convection_mod
