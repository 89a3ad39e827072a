! Warm rain: sedimentation, autoconversion, accretion, saturation adjustment, evaporation of rain.
module microphysics
  use constants
  use grid
  use state
  use saturation, only: sat_lookup, qsat
  implicit none
  private
  public :: warm_rain

  integer, parameter :: nnewton = 4            ! Newton steps of the saturation adjustment

contains

  subroutine warm_rain(dt)
    real(wp), intent(in) :: dt

    call sedimentation(now%rho, now%qr, rain, dt)
    call conversion(now%rho, now%rth, now%qv, now%qc, now%qr, dt)
  end subroutine warm_rain

  ! Fall speed of rain [m s-1], Klemp and Wilhelmson (1978, eq. 2.15).
  real(wp) function fall_speed(rq, rho, rho_ground)
    real(wp), intent(in) :: rq, rho, rho_ground
    include 'kessler.inc'

    fall_speed = 0.0_wp
    if (rq > qmin) fall_speed = v_rain*(1.0e-3_wp*rq)**e_fall*sqrt(rho_ground/rho)
  end function fall_speed

  ! Upwind fall of rain, as many sub-steps as the column needs; what leaves the lowest cell is rain(i,j).
  subroutine sedimentation(rho, qr, precip, dt)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: qr(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: precip(1 - nh:nx + nh, 1 - nh:ny + nh)
    real(wp), intent(in) :: dt
    real(wp) :: rq(nzmax), vt(nzmax)
    real(wp) :: vmax, dts, above, below
    integer :: i, j, k, n, nsub

    do j = 1, ny
      do i = 1, nx
        vmax = 0.0_wp
        do k = 1, nz
          rq(k) = rho(i, j, k)*qr(i, j, k)
          vt(k) = fall_speed(rq(k), rho(i, j, k), rho(i, j, 1))
          vmax = max(vmax, vt(k))
        end do
        if (vmax <= 0.0_wp) cycle
        nsub = 1 + int(2.0_wp*dt*vmax*rdz)
        dts = dt/real(nsub, wp)
        do n = 1, nsub
          above = 0.0_wp
          do k = nz, 1, -1
            below = rq(k)*vt(k)
            rq(k) = rq(k) + dts*rdz*(above - below)
            above = below
          end do
          precip(i, j) = precip(i, j) + dts*above
          if (n < nsub) then
            do k = 1, nz
              vt(k) = min(fall_speed(rq(k), rho(i, j, k), rho(i, j, 1)), dz/dts)
            end do
          end if
        end do
        do k = 1, nz
          qr(i, j, k) = rq(k)/rho(i, j, k)
        end do
      end do
    end do
  end subroutine sedimentation

  ! All conversions between the water species, point by point.
  subroutine conversion(rho, rth, qv, qc, qr, dt)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: rth, qv, qc, qr
    real(wp), intent(in) :: dt
    real(wp) :: theta, exner, p, heat
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          theta = rth(i, j, k)/(rho(i, j, k)*(1.0_wp + rvord*qv(i, j, k)))
          exner = (rd*rth(i, j, k)/p0)**(rd/cv)
          p = rd*rth(i, j, k)*exner
          call collect(qc(i, j, k), qr(i, j, k), dt)
          call adjust(theta*exner, p, qv(i, j, k), qc(i, j, k), heat)
          theta = theta + heat/exner
          call evaporate(theta*exner, p, rho(i, j, k), qv(i, j, k), qr(i, j, k), dt, heat)
          theta = theta + heat/exner
          rth(i, j, k) = rho(i, j, k)*theta*(1.0_wp + rvord*qv(i, j, k))
        end do
      end do
    end do
  end subroutine conversion

  ! Autoconversion and accretion, implicit in cloud water.
  subroutine collect(qc, qr, dt)
    real(wp), intent(inout) :: qc, qr
    real(wp), intent(in) :: dt
    real(wp) :: left, made
    include 'kessler.inc'

    if (qc <= qmin) return
    left = qc - dt*k_auto*max(qc - qc_auto, 0.0_wp)
    if (qr > qmin) left = left/(1.0_wp + dt*k_accr*qr**e_accr)
    made = qc - max(left, 0.0_wp)
    qc = qc - made
    qr = qr + made
  end subroutine collect

  ! Saturation adjustment at constant pressure: Newton on T - T0 - lv/cp*(qv - qsat(T)) = 0, fixed count.
  subroutine adjust(t0, p, qv, qc, heat)
    real(wp), intent(in) :: t0, p
    real(wp), intent(inout) :: qv, qc
    real(wp), intent(out) :: heat
    real(wp) :: t, es, des, qs, dqs, cond
    integer :: it

    heat = 0.0_wp
    if (qc <= 0.0_wp .and. qv < qsat(t0, p)) return
    t = t0
    do it = 1, nnewton
      call sat_lookup(t, es, des)
      qs = epsv*es/(p - es)
      dqs = qs*p*des/((p - es)*es)
      t = t - (t - t0 - lv/cp*(qv - qs))/(1.0_wp + lv/cp*dqs)
    end do
    cond = max(qv - qsat(t, p), -qc)
    qv = qv - cond
    qc = qc + cond
    heat = lv/cp*cond
  end subroutine adjust

  ! Evaporation of rain in subsaturated air, Klemp and Wilhelmson (1978, eqs. 2.14a and b).
  subroutine evaporate(t, p, rho, qv, qr, dt, heat)
    real(wp), intent(in) :: t, p, rho, dt
    real(wp), intent(inout) :: qv, qr
    real(wp), intent(out) :: heat
    real(wp) :: qs, rcgs, rqr, vent, rate, gone
    include 'kessler.inc'

    heat = 0.0_wp
#ifndef NO_RAIN_EVAPORATION
    if (qr <= qmin) return
    qs = qsat(t, p)
    if (qv >= qs) return
    rcgs = 1.0e-3_wp*rho                       ! g cm-3
    rqr = rcgs*qr
    vent = 1.6_wp + 124.9_wp*rqr**0.2046_wp
    rate = (1.0_wp - qv/qs)*vent*rqr**0.525_wp/(rcgs*(5.4e5_wp + 2.55e6_wp/(0.01_wp*p*qs)))
    gone = min(dt*rate, qr, 0.5_wp*(qs - qv))
    qr = qr - gone
    qv = qv + gone
    heat = -lv/cp*gone
#endif
  end subroutine evaporate

end module microphysics
