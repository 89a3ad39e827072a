! Bulk surface fluxes of momentum, heat and vapour with a constant exchange coefficient.
module surface_layer
  use constants
  use grid
  use state
  use saturation, only: qsat
  implicit none
  private
  public :: surface_fluxes

contains

  ! sfqv [kg m-2 s-1], sfth (flux of theta_m) [kg m-2 s-1 K], cdv = rho*Cd*|V| [kg m-2 s-1].
  subroutine surface_fluxes(drag_coef, gust, moist, dt)
    real(wp), intent(in) :: drag_coef, gust, dt
    logical, intent(in) :: moist
    real(wp) :: uc, vc, speed, theta, thskin
    integer :: i, j

    do j = 1, ny
      do i = 1, nx
        uc = 0.5_wp*(now%ru(i, j, 1) + now%ru(i + 1, j, 1))/now%rho(i, j, 1)
        vc = 0.5_wp*(now%rv(i, j, 1) + now%rv(i, j + 1, 1))/now%rho(i, j, 1)
        speed = max(sqrt(uc*uc + vc*vc), gust)
        cdv(i, j) = drag_coef*speed*now%rho(i, j, 1)
        sfqv(i, j) = 0.0_wp
        if (moist) sfqv(i, j) = cdv(i, j)*(wet(i, j)*qsat(tskin(i, j), p0) - now%qv(i, j, 1))
      end do
    end do

    ! no dew: vapour only leaves the surface
    where (sfqv(1:nx, 1:ny) < 0.0_wp) sfqv(1:nx, 1:ny) = 0.0_wp

    do j = 1, ny
      do i = 1, nx
        theta = now%rth(i, j, 1)/(now%rho(i, j, 1)*(1.0_wp + rvord*now%qv(i, j, 1)))
        thskin = tskin(i, j)
        sfth(i, j) = cdv(i, j)*(thskin - theta)*(1.0_wp + rvord*now%qv(i, j, 1)) + rvord*theta*sfqv(i, j)
      end do
    end do
    evap(1:nx, 1:ny) = evap(1:nx, 1:ny) + dt*sfqv(1:nx, 1:ny)
  end subroutine surface_fluxes

end module surface_layer
