! One time step of the dynamics: Runge-Kutta 3 (Wicker and Skamarock 2002) around the acoustic steps.
module dynamics
  use constants
  use grid
  use state
  use halo, only: halo_full
  use initial, only: halo_state
  use advection
  use acoustic, only: acoustic_steps
  implicit none
  private
  public :: rk3_step, choose_time_step

  real(wp), parameter :: c_sound = 350.0_wp    ! bound of the speed of sound [m s-1]
  real(wp), parameter :: cfl_sound = 0.7_wp    ! acoustic Courant number

contains

  ! The largest step the advective Courant number allows, and its even number of small steps.
  subroutine choose_time_step(dt_max, cfl_target, dt, nsound)
    real(wp), intent(in) :: dt_max, cfl_target
    real(wp), intent(out) :: dt
    integer, intent(out) :: nsound
    real(wp) :: rate, cfl, speed, total
    integer :: i, j, k

    rate = 1.0e-6_wp
    total = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          cfl = (abs(now%ru(i, j, k))*rdx + abs(now%rv(i, j, k))*rdy &
                 + 0.5_wp*abs(now%rw(i, j, k) + now%rw(i, j, k + 1))*rdz)/now%rho(i, j, k)
          rate = max(rate, cfl)
          total = total + cfl
        end do
      end do
    end do
    ! a NaN is lost in max, not in a sum
    if (.not. (total < 1.0e3_wp*real(nx, wp)*real(ny, wp)*real(nz, wp))) then
      write (*, '(a)') 'cumulet: unstable run: NaN or runaway wind'
      error stop 1
    end if

    dt = min(dt_max, cfl_target/rate)
    speed = c_sound*rdx
    if (ny > 1) speed = c_sound*sqrt(rdx*rdx + rdy*rdy)
    nsound = 2*max(1, ceiling(0.5_wp*dt*speed/cfl_sound))
  end subroutine choose_time_step

  subroutine rk3_step(dt, nsound, beta, smdiv, khoriz, moist, ice)
    real(wp), intent(in) :: dt, beta, smdiv, khoriz
    integer, intent(in) :: nsound
    logical, intent(in) :: moist, ice
    real(wp) :: dts
    integer :: stage, nsub

    call copy_level(now, stg)
    do stage = 1, 3
      select case (stage)
      case (1)
        dts = dt/3.0_wp
        nsub = (nsound + 2)/3
      case (2)
        dts = 0.5_wp*dt
        nsub = nsound/2
      case default
        dts = dt
        nsub = nsound
      end select
      call diagnose()
      call slow_tendencies(khoriz)
      call acoustic_steps(dts, nsub, beta, smdiv)
      if (moist) then
        call transport(now%qv, stg%qv, dts, khoriz, stage)
        call transport(now%qc, stg%qc, dts, khoriz, stage)
        call transport(now%qr, stg%qr, dts, khoriz, stage)
        if (ice) call transport(now%qi, stg%qi, dts, khoriz, stage)
      end if
      call halo_state(stg)
    end do
    call copy_level(stg, now)
  end subroutine rk3_step

  ! Velocities, theta_m, perturbation pressure and its derivative from the stage.
  subroutine diagnose()
    real(wp) :: p
    integer :: i, j, k

    do k = 1, nz
      do j = 1 - nh, ny + nh
        do i = 1 - nh, nx + nh
          thm(i, j, k) = stg%rth(i, j, k)/stg%rho(i, j, k)
          fm(i, j, k) = 1.0_wp/(1.0_wp + stg%qv(i, j, k) + stg%qc(i, j, k) + stg%qr(i, j, k) + stg%qi(i, j, k))
        end do
      end do
    end do
    do k = 1, nz
      do j = 0, ny + 1
        do i = 0, nx + 1
          p = p0*(rd*stg%rth(i, j, k)/p0)**gamma_d
          pp(i, j, k) = p - pb(k)
          cpt(i, j, k) = gamma_d*p/stg%rth(i, j, k)
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          u(i, j, k) = 2.0_wp*stg%ru(i, j, k)/(stg%rho(i - 1, j, k) + stg%rho(i, j, k))
          v(i, j, k) = 2.0_wp*stg%rv(i, j, k)/(stg%rho(i, j - 1, k) + stg%rho(i, j, k))
        end do
      end do
    end do
    do k = 2, nz
      do j = 1 - nh, ny + nh
        do i = 1 - nh, nx + nh
          w(i, j, k) = 2.0_wp*stg%rw(i, j, k)/(stg%rho(i, j, k - 1) + stg%rho(i, j, k))
        end do
      end do
    end do
    call halo_full(u, nz)
    call halo_full(v, nz)
  end subroutine diagnose

  ! Advection, diffusion, pressure gradient and buoyancy of the stage.
  subroutine slow_tendencies(kh)
    real(wp), intent(in) :: kh
    real(wp) :: buoy
    integer :: i, j, k

    call advect_u(u, stg%ru, stg%rv, stg%rw, stg%rho, kh, fx, fy, fz, ftu)
    call advect_v(v, stg%ru, stg%rv, stg%rw, stg%rho, kh, fx, fy, fz, ftv)
    call advect_w(w, stg%ru, stg%rv, stg%rw, stg%rho, kh, fx, fy, fz, ftw)
    call scalar_fluxes(thm, stg%rho, stg%ru, stg%rv, stg%rw, kh, fx, fy, fz)
    call flux_divergence(fx, fy, fz, ftth)
    call flux_divergence(stg%ru, stg%rv, stg%rw, ftrho)

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          ftu(i, j, k) = ftu(i, j, k) &
                         - 0.5_wp*(fm(i - 1, j, k) + fm(i, j, k))*(pp(i, j, k) - pp(i - 1, j, k))*rdx
          ftv(i, j, k) = ftv(i, j, k) &
                         - 0.5_wp*(fm(i, j - 1, k) + fm(i, j, k))*(pp(i, j, k) - pp(i, j - 1, k))*rdy
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          buoy = 0.5_wp*grav*(stg%rho(i, j, k)/fm(i, j, k) - rhob(k) &
                              + stg%rho(i, j, k - 1)/fm(i, j, k - 1) - rhob(k - 1))
          ftw(i, j, k) = ftw(i, j, k) - 0.5_wp*(fm(i, j, k - 1) + fm(i, j, k)) &
                         *((pp(i, j, k) - pp(i, j, k - 1))*rdz + buoy)
        end do
      end do
    end do
  end subroutine slow_tendencies

  ! A mixing ratio over one stage, with the mass fluxes of the acoustic steps.
  subroutine transport(qold, q, dts, kh, stage)
    real(wp), intent(in) :: qold(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: q(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: dts, kh
    integer, intent(in) :: stage
    integer :: i, j, k

    ! ftrho has served the acoustic steps of this stage and holds the tendency of q here
    call scalar_fluxes(q, now%rho, avu, avv, avw, kh, fx, fy, fz)
    if (stage == 3) call limit_fluxes(qold, now%rho, dts, fx, fy, fz, scl)
    call flux_divergence(fx, fy, fz, ftrho)
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          q(i, j, k) = (now%rho(i, j, k)*qold(i, j, k) + dts*ftrho(i, j, k))/stg%rho(i, j, k)
        end do
      end do
    end do
  end subroutine transport

end module dynamics
