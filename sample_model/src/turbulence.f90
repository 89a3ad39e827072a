! Vertical mixing: eddy diffusivity of Richardson-number type (Louis 1979 in spirit), implicit in time.
module turbulence_mod
  use constants
  use grid
  use state
  use halo, only: halo_full, halo_surface
  implicit none
  private
  public :: vertical_mixing, mix_scalar

  real(wp), parameter :: asymptotic = 100.0_wp ! mixing length far from the ground [m]
  real(wp), parameter :: ric = 0.25_wp         ! critical Richardson number
  real(wp), parameter :: kmin = 0.1_wp         ! background diffusivity [m2 s-1]

contains

  subroutine vertical_mixing(dt, moist, ice)
    real(wp), intent(in) :: dt
    logical, intent(in) :: moist, ice

    call eddy_diffusivity()
    call smooth_diffusivity()
    call halo_full(km, nz + 1)
    call halo_surface(cdv)
    call mix_momentum(now%ru, now%rho, 1, 0, dt)
    call mix_momentum(now%rv, now%rho, 0, 1, dt)
    call mix_scalar(thm, now%rho, sfth, dt)
    if (moist) then
      call mix_scalar(now%qv, now%rho, sfqv, dt)
      call mix_scalar(now%qc, now%rho, sfzero, dt)
      if (ice) call mix_scalar(now%qi, now%rho, sfzero, dt)
    end if
    now%rth(1:nx, 1:ny, :) = now%rho(1:nx, 1:ny, :)*thm(1:nx, 1:ny, :)
  end subroutine vertical_mixing

  ! km at w faces from shear and stability; fills thm, too.
  subroutine eddy_diffusivity()
    real(wp) :: len, len2, du, dv, shear2, n2, ri, func
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          thm(i, j, k) = now%rth(i, j, k)/now%rho(i, j, k)
        end do
      end do
    end do
    do k = 2, nz
      len = karman*zw(k)/(1.0_wp + karman*zw(k)/asymptotic)
      len2 = len*len
      do j = 1, ny
        do i = 1, nx
          du = 0.5_wp*((now%ru(i, j, k) + now%ru(i + 1, j, k))/now%rho(i, j, k) &
                       - (now%ru(i, j, k - 1) + now%ru(i + 1, j, k - 1))/now%rho(i, j, k - 1))
          dv = 0.5_wp*((now%rv(i, j, k) + now%rv(i, j + 1, k))/now%rho(i, j, k) &
                       - (now%rv(i, j, k - 1) + now%rv(i, j + 1, k - 1))/now%rho(i, j, k - 1))
          shear2 = max((du*du + dv*dv)*rdz*rdz, 1.0e-8_wp)
          n2 = 2.0_wp*grav*(thm(i, j, k) - thm(i, j, k - 1))*rdz/(thm(i, j, k) + thm(i, j, k - 1))
          ri = n2/shear2
          if (ri >= ric) then
            func = 0.0_wp
          else if (ri > 0.0_wp) then
            func = (1.0_wp - ri/ric)*(1.0_wp - ri/ric)
          else
            func = sqrt(1.0_wp - 16.0_wp*ri)
          end if
          km(i, j, k) = kmin + len2*sqrt(shear2)*func
        end do
      end do
    end do
  end subroutine eddy_diffusivity

  subroutine smooth_diffusivity()
    real(wp) :: col(nzmax)
    integer :: i, j, k

    do j = 1, ny
      do i = 1, nx
        do k = 2, nz
          col(k - 1) = km(i, j, k)
        end do
        call smooth(nz - 1, col)
        do k = 2, nz
          km(i, j, k) = col(k - 1)
        end do
      end do
    end do
  end subroutine smooth_diffusivity

  ! rho*dq/dt = d/dz(rho*km*dq/dz), backward Euler; sflux enters the lowest cell.
  subroutine mix_scalar(q, rho, sflux, dt)
    real(wp), intent(inout) :: q(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: sflux(1 - nh:nx + nh, 1 - nh:ny + nh)
    real(wp), intent(in) :: dt
    real(wp), dimension(nzmax) :: a, b, c, d, x, g
    real(wp) :: up, dn
    integer :: i, j, k

    do j = 1, ny
      do i = 1, nx
        dn = 0.0_wp
        do k = 1, nz
          up = 0.0_wp
          if (k < nz) up = 0.5_wp*dt*rdz*rdz*km(i, j, k + 1)*(rho(i, j, k) + rho(i, j, k + 1))
          a(k) = -dn
          c(k) = -up
          b(k) = rho(i, j, k) + up + dn
          d(k) = rho(i, j, k)*q(i, j, k)
          dn = up
        end do
        d(1) = d(1) + dt*rdz*sflux(i, j)
        call tridag(1, nz, a, b, c, d, x, g)
        do k = 1, nz
          q(i, j, k) = x(k)
        end do
      end do
    end do
  end subroutine mix_scalar

  ! The same for a momentum on faces shifted by (io,jo), with surface drag in the lowest cell.
  subroutine mix_momentum(ru, rho, io, jo, dt)
    real(wp), intent(inout) :: ru(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    integer, intent(in) :: io, jo
    real(wp), intent(in) :: dt
    real(wp), dimension(nzmax) :: a, b, c, d, x, g, rhof
    real(wp) :: up, dn
    integer :: i, j, k

    do j = 1, ny
      do i = 1, nx
        do k = 1, nz
          rhof(k) = 0.5_wp*(rho(i, j, k) + rho(i - io, j - jo, k))
        end do
        dn = 0.5_wp*dt*rdz*(cdv(i, j) + cdv(i - io, j - jo))
        do k = 1, nz
          up = 0.0_wp
          if (k < nz) up = 0.25_wp*dt*rdz*rdz*(km(i, j, k + 1) + km(i - io, j - jo, k + 1))*(rhof(k) + rhof(k + 1))
          a(k) = -dn
          c(k) = -up
          b(k) = rhof(k) + up + dn
          d(k) = ru(i, j, k)
          dn = up
        end do
        call tridag(1, nz, a, b, c, d, x, g)
        do k = 1, nz
          ru(i, j, k) = rhof(k)*x(k)
        end do
      end do
    end do
  end subroutine mix_momentum

end module turbulence_mod
