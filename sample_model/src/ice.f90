! Ice of one class: nucleation, growth from vapour, freezing, melting and fall, after Hong, Dudhia and Chen (2004, Mon.
! Wea. Rev. 132, 103).  What melts becomes rain; what reaches the ground counts as rain.
module ice_phase
  use constants
  use grid
  use state, only: state_t
  use saturation, only: qsat_ice
  implicit none
  private
  public :: cold_cloud, convert, settle

  real(wp), parameter :: ls = lv + lf          ! latent heat of sublimation [J kg-1]
  real(wp), parameter :: t_freeze = 233.15_wp  ! water freezes without nuclei below [K]
  real(wp), parameter :: qmin = 1.0e-12_wp     ! below: no ice

contains

  subroutine cold_cloud(s, precip, dt)
    type(state_t), intent(inout) :: s
    real(wp), intent(inout) :: precip(1 - nh:nx + nh, 1 - nh:ny + nh)
    real(wp), intent(in) :: dt
    real(wp) :: exner, t, p
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          exner = (rd*s%rth(i, j, k)/p0)**(rd/cv)
          t = s%rth(i, j, k)/(s%rho(i, j, k)*(1.0_wp + rvord*s%qv(i, j, k)))*exner
          p = rd*s%rth(i, j, k)*exner
          if (t > t0 .and. s%qi(i, j, k) <= 0.0_wp) cycle
          call convert(t, p, s%rho(i, j, k), s%qv(i, j, k), s%qc(i, j, k), s%qr(i, j, k), s%qi(i, j, k), dt)
          s%rth(i, j, k) = s%rho(i, j, k)*t/exner*(1.0_wp + rvord*s%qv(i, j, k))
        end do
      end do
    end do
    call fall_out(s%rho, s%qi, precip, dt)
  end subroutine cold_cloud

  ! As much ice as the heat above the melting point can melt.
  pure subroutine melt(t, qi, qr)
    real(wp), intent(inout) :: t, qi, qr
    real(wp) :: gone

    gone = min(qi, cp*(t - t0)/lf)
    qi = qi - gone
    qr = qr + gone
    t = t - lf/cp*gone
  end subroutine melt

  ! All conversions of one cell over dt seconds: temperature [K] and mixing ratios, at the pressure p [Pa].
  subroutine convert(t, p, rho, qv, qc, qr, qi, dt)
    real(wp), intent(inout) :: t, qv, qc, qr, qi
    real(wp), intent(in) :: p, rho, dt
    real(wp) :: number, mass, diameter, qs, excess, first, growth, a, b, frozen

    if (t >= t0) then
      call melt(t, qi, qr)
      return
    end if
    if (t < t_freeze) then
      frozen = qc + qr
      qi = qi + frozen
      qc = 0.0_wp
      qr = 0.0_wp
      t = t + lf/cp*frozen
    end if

    qs = qsat_ice(t, p)
    excess = qv - qs
    growth = 0.0_wp
    if (excess > 0.0_wp) then                  ! nucleation (eq. 8): Fletcher's number of nuclei
      first = 4.92e-11_wp*(1.0e3_wp*exp(min(0.1_wp*(t0 - t), 9.0_wp)))**1.33_wp/rho
      growth = max(first - qi, 0.0_wp)
    end if
    if (qi > qmin) then                        ! growth by deposition, or sublimation (eqs. 5 and 9)
      number = min(max(5.38e7_wp*(rho*qi)**0.75_wp, 1.0e3_wp), 1.0e6_wp)
      mass = rho*qi/number
      diameter = min(11.9_wp*sqrt(mass), 500.0e-6_wp)
      a = ls*ls/(2.43e-2_wp*rv*t*t)
      b = 1.0_wp/(rho*qs*2.26e-5_wp)
      growth = growth + 4.0_wp*diameter*number*(qv/qs - 1.0_wp)/(a + b)/rho*dt
    end if
    ! vapour goes down to saturation, and ice to nothing, at most; the share that leaves room for the warming
    if (excess > 0.0_wp) then
      growth = min(growth, excess/(1.0_wp + ls*ls*qs/(cp*rv*t*t)))
    else
      growth = max(growth, excess/(1.0_wp + ls*ls*qs/(cp*rv*t*t)), -qi)
    end if
    qi = qi + growth
    qv = qv - growth
    t = t + ls/cp*growth
  end subroutine convert

  ! Fall of ice, in as many sub-steps as the column needs.
  subroutine fall_out(rho, qi, precip, dt)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: qi(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: precip(1 - nh:nx + nh, 1 - nh:ny + nh)
    real(wp), intent(in) :: dt
    real(wp) :: content(nzmax), speed(nzmax)
    real(wp) :: fastest, fallen
    integer :: i, j, k

    do j = 1, ny
      do i = 1, nx
        fastest = 0.0_wp
        do k = 1, nz
          content(k) = rho(i, j, k)*qi(i, j, k)
          speed(k) = fall_speed(content(k))
          fastest = max(fastest, speed(k))
        end do
        if (fastest <= 0.0_wp) cycle
        call settle(nz, content, speed, dt, 1 + int(dt*fastest*rdz), fallen)
        precip(i, j) = precip(i, j) + fallen
        do k = 1, nz
          qi(i, j, k) = content(k)/rho(i, j, k)
        end do
      end do
    end do
  end subroutine fall_out

  ! Terminal velocity of ice of the given content [kg m-3] (Heymsfield and Donner 1990).
  elemental real(wp) function fall_speed(content)
    real(wp), intent(in) :: content

    fall_speed = 0.0_wp
    if (content > qmin) fall_speed = 3.29_wp*content**0.16_wp
  end function fall_speed

  ! Upwind fall at given speeds in nsub sub-steps; fallen [kg m-2] has left the lowest layer.
  subroutine settle(n, content, speed, dt, nsub, fallen)
    integer, intent(in) :: n, nsub
    real(wp), intent(inout) :: content(nzmax)
    real(wp), intent(in) :: speed(nzmax)
    real(wp), intent(in) :: dt
    real(wp), intent(out) :: fallen
    real(wp) :: dts, above, below
    integer :: k, it

    dts = dt/real(nsub, wp)
    fallen = 0.0_wp
    do it = 1, nsub
      above = 0.0_wp
      do k = n, 1, -1
        below = content(k)*speed(k)
        content(k) = content(k) + dts*rdz*(above - below)
        above = below
      end do
      fallen = fallen + dts*above
    end do
  end subroutine settle

end module ice_phase
