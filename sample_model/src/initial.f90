! Initial fields of the cases.
module initial
  use constants
  use grid
  use state
  use halo, only: halo_full, halo_surface
  use saturation, only: qsat
  implicit none
  private
  public :: setup_initial_state, halo_state

contains

  subroutine setup_initial_state(case_name, moist, theta_amp, u_mean, u_shear, tskin_excess, &
                                 noise_amp)
    character(len=*), intent(in) :: case_name
    logical, intent(in) :: moist
    real(wp), intent(in) :: theta_amp, u_mean, u_shear, tskin_excess, noise_amp
    real(wp) :: x, y, tair, wind
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          now%qv(i, j, k) = qvb(k)
          now%rth(i, j, k) = rthb(k)
          now%rho(i, j, k) = rhodb(k)
        end do
      end do
    end do

    select case (case_name)
    case ('warm_bubble')
      call add_bubble(moist, theta_amp)
    case ('gravity_wave')
      call add_wave(theta_amp)
    case ('rain')
      if (moist) call add_cloud(theta_amp)
    end select

    if (noise_amp > 0.0_wp) call add_noise(noise_amp)

    ! wind profile of Weisman and Klemp (1982)
    call halo_full(now%rho, nz)
    do k = 1, nz
      wind = u_mean + u_shear*tanh(zc(k)/3000.0_wp)
      do j = 1, ny
        do i = 1, nx
          now%ru(i, j, k) = wind*0.5_wp*(now%rho(i - 1, j, k) + now%rho(i, j, k))
        end do
      end do
    end do

    ! skin temperature: warmer than the lowest air by tskin_excess, with a pattern in x and y
    do j = 1, ny
      do i = 1, nx
        x = (real(i, wp) - 0.5_wp)/real(nx, wp)
        y = (real(j, wp) - 0.5_wp)/real(ny, wp)
        tair = thb(1)*(pb(1)/p0)**kappa
        tskin(i, j) = tair + tskin_excess*(1.0_wp + 0.5_wp*sin(2.0_wp*pi*x)*cos(2.0_wp*pi*y))
      end do
    end do
    call halo_surface(tskin)
    call halo_state(now)
  end subroutine setup_initial_state

  subroutine halo_state(s)
    type(state_t), intent(inout) :: s

    call halo_full(s%rho, nz)
    call halo_full(s%rth, nz)
    call halo_full(s%ru, nz)
    call halo_full(s%rv, nz)
    call halo_full(s%rw, nz + 1)
    call halo_full(s%qv, nz)
    call halo_full(s%qc, nz)
    call halo_full(s%qr, nz)
    call halo_full(s%qi, nz)
  end subroutine halo_state

  ! Thermal: theta' = amp*cos^2(pi/2*r) at constant pressure.  Dry: Bryan and Fritsch (2002), radius and
  ! height 2 km.  Moist: Weisman and Klemp (1982), radius 10 cells at most 10 km, height 1.4 km.
  subroutine add_bubble(moist, amp)
    logical, intent(in) :: moist
    real(wp), intent(in) :: amp
    real(wp) :: xr, zr, z0, x, y, r, dth
    integer :: i, j, k

    xr = 2000.0_wp
    zr = 2000.0_wp
    z0 = 2000.0_wp
    if (moist) then
      xr = min(10000.0_wp, 10.0_wp*dx)
      zr = 1400.0_wp
      z0 = 1400.0_wp
    end if
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          x = (real(i, wp) - 0.5_wp - 0.5_wp*real(nx, wp))*dx/xr
          y = (real(j, wp) - 0.5_wp - 0.5_wp*real(ny, wp))*dy/xr
          r = sqrt(x*x + y*y + ((zc(k) - z0)/zr)**2)
          if (r >= 1.0_wp) cycle
          dth = amp*cos(0.5_wp*pi*r)**2
          call set_theta(i, j, k, thb(k) + dth, qvb(k))
        end do
      end do
    end do
  end subroutine add_bubble

  ! Skamarock and Klemp (1994): theta' = amp*sin(pi*z/H)/(1+(x-xc)^2/a^2), a = 5 km, xc = a third of the domain.
  subroutine add_wave(amp)
    real(wp), intent(in) :: amp
    real(wp), parameter :: a = 5000.0_wp
    real(wp) :: x, dth
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          x = (real(i, wp) - 0.5_wp - real(nx, wp)/3.0_wp)*dx/a
          dth = amp*sin(pi*zc(k)/zw(nz + 1))/(1.0_wp + x*x)
          call set_theta(i, j, k, thb(k) + dth, qvb(k))
        end do
      end do
    end do
  end subroutine add_wave

  ! A supersaturated cloud layer with rain in it, between 1 and 5 km.
  subroutine add_cloud(amp)
    real(wp), intent(in) :: amp
    real(wp) :: x, y, s, t
    integer :: i, j, k

    do k = 1, nz
      if (zc(k) < 1000.0_wp .or. zc(k) > 5000.0_wp) cycle
      do j = 1, ny
        do i = 1, nx
          x = (real(i, wp) - 0.5_wp)/real(nx, wp)
          y = (real(j, wp) - 0.5_wp)/real(ny, wp)
          s = 0.5_wp*(1.0_wp + sin(2.0_wp*pi*x)*cos(2.0_wp*pi*y))*sin(pi*(zc(k) - 1000.0_wp)/4000.0_wp)
          t = thb(k)*(pb(k)/p0)**kappa
          call set_theta(i, j, k, thb(k) + amp*s, qvb(k) + s*(1.05_wp*qsat(t, pb(k)) - qvb(k)))
          now%qc(i, j, k) = 2.0e-3_wp*s
          now%qr(i, j, k) = 2.0e-3_wp*s*s
        end do
      end do
    end do
  end subroutine add_cloud

  ! A random potential temperature below 1 km, uniform between -amp and amp, at constant pressure; random numbers
  ! after Park and Miller (1988, Commun. ACM 31, 1192).
  subroutine add_noise(amp)
    use, intrinsic :: iso_fortran_env, only: int64
    real(wp), intent(in) :: amp
    integer(int64), parameter :: factor = 16807_int64, modulus = 2147483647_int64
    integer(int64) :: seed
    real(wp) :: theta
    integer :: i, j, k

    seed = 1_int64
    do k = 1, nz
      if (zc(k) > 1000.0_wp) exit
      do j = 1, ny
        do i = 1, nx
          seed = mod(factor*seed, modulus)
          theta = rthb(k)/(now%rho(i, j, k)*(1.0_wp + rvord*now%qv(i, j, k)))
          theta = theta + amp*(2.0_wp*real(seed, wp)/real(modulus, wp) - 1.0_wp)
          call set_theta(i, j, k, theta, now%qv(i, j, k))
        end do
      end do
    end do
  end subroutine add_noise

  ! Potential temperature and vapour of one cell, at the pressure of the base state.
  subroutine set_theta(i, j, k, theta, q)
    integer, intent(in) :: i, j, k
    real(wp), intent(in) :: theta, q

    now%qv(i, j, k) = q
    now%rho(i, j, k) = rthb(k)/(theta*(1.0_wp + rvord*q))
  end subroutine set_theta

end module initial
