! Hydrostatic base state from a sounding: neutral, constant stability, the standard atmosphere of 1976, or Weisman and
! Klemp (1982).
module base_state
  use constants
  use grid
  use saturation, only: qsat
  implicit none
  private
  public :: setup_base_state

  integer, parameter :: niter = 4              ! fixed-point iterations for the humidity

contains

  subroutine setup_base_state(case_name, moist, bv_freq)
    character(len=*), intent(in) :: case_name
    logical, intent(in) :: moist
    real(wp), intent(in) :: bv_freq
    real(wp) :: exner, thv, thv_below, exner_below, dzk, p, rh
    integer :: k, it
    real(wp), external :: tstd, pstd           ! stdatm.f

    do k = 1, nz
      select case (case_name)
      case ('gravity_wave')
        thb(k) = 300.0_wp*exp(bv_freq*bv_freq*zc(k)/grav)
      case ('warm_bubble', 'rain')
        thb(k) = 300.0_wp
        if (moist) thb(k) = wk82_theta(zc(k))
      case ('standard')
        thb(k) = tstd(zc(k))*(pstd(0.0_wp)/pstd(zc(k)))**kappa
      case default
        write (*, '(3a)') 'cumulet: unknown case_name "', trim(case_name), &
          '"; known: warm_bubble, gravity_wave, rain, standard'
        error stop 1
      end select
    end do

    ! d(exner)/dz = -g/(cp*theta_v) by the trapezoidal rule, surface pressure 1000 hPa
    qvb(:) = 0.0_wp
    exner_below = 1.0_wp
    thv_below = thb(1)
    do k = 1, nz
      dzk = dz
      if (k == 1) dzk = 0.5_wp*dz
      rh = 0.0_wp
      if (moist) rh = wk82_humidity(zc(k))
      do it = 1, niter
        thv = thb(k)*(1.0_wp + rvord*qvb(k))/(1.0_wp + qvb(k))
        if (k == 1) thv_below = thv
        exner = exner_below - grav*dzk/(cp*0.5_wp*(thv + thv_below))
        p = p0*exner**(cp/rd)
        if (moist) qvb(k) = min(0.014_wp, rh*qsat(thb(k)*exner, p))
      end do
      exner_below = exner
      thv_below = thv
      thmb(k) = thb(k)*(1.0_wp + rvord*qvb(k))
      rthb(k) = p0/rd*exner**(cv/rd)
    end do
    do k = 1, nz
      rhodb(k) = rthb(k)/thmb(k)
      rhob(k) = rhodb(k)*(1.0_wp + qvb(k))
      ! by the same formula as in the dynamics: the base state has no pressure perturbation
      pb(k) = p0*(rd*rthb(k)/p0)**gamma_d
    end do
  end subroutine setup_base_state

  ! Potential temperature [K] at height z [m], Weisman and Klemp (1982, eq. 1).
  real(wp) function wk82_theta(z)
    real(wp), intent(in) :: z
    real(wp), parameter :: ztr = 12000.0_wp, thtr = 343.0_wp, ttr = 213.0_wp, th0 = 300.0_wp

    if (z <= ztr) then
      wk82_theta = th0 + (thtr - th0)*(z/ztr)**1.25_wp
    else
      wk82_theta = thtr*exp(grav*(z - ztr)/(cp*ttr))
    end if
  end function wk82_theta

  ! Relative humidity at height z [m], Weisman and Klemp (1982, eq. 2).
  real(wp) function wk82_humidity(z)
    real(wp), intent(in) :: z
    real(wp), parameter :: ztr = 12000.0_wp

    if (z <= ztr) then
      wk82_humidity = 1.0_wp - 0.75_wp*(z/ztr)**1.25_wp
    else
      wk82_humidity = 0.25_wp
    end if
  end function wk82_humidity

end module base_state
