! Flux-form advection, Wicker and Skamarock (2002): fifth order in x and y, third order in z,
! second order next to the walls.  With -DLOW_ORDER_ADVECTION third order in x and y as well.
module advection
  use constants, only: wp
  use grid, only: nx, ny, nz, nh, rdx, rdy, rdz
  implicit none
  private
  public :: scalar_fluxes, flux_divergence, limit_fluxes, advect_u, advect_v, advect_w

contains

  ! Mass flux times the value at the face between q3 and q4.
  pure function flux_h(q1, q2, q3, q4, q5, q6, vel) result(f)
    real(wp), intent(in) :: q1, q2, q3, q4, q5, q6, vel
    real(wp) :: f

#ifdef LOW_ORDER_ADVECTION
    f = vel*(7.0_wp*(q4 + q3) - (q5 + q2)) + abs(vel)*((q5 - q2) - 3.0_wp*(q4 - q3))
    f = f/12.0_wp
#else
    f = vel*(37.0_wp*(q4 + q3) - 8.0_wp*(q5 + q2) + (q6 + q1)) &
        - abs(vel)*((q6 - q1) - 5.0_wp*(q5 - q2) + 10.0_wp*(q4 - q3))
    f = f/60.0_wp
#endif
  end function flux_h

  ! The same in the vertical, third order; the face lies between q2 and q3.
  elemental function flux_v(q1, q2, q3, q4, vel) result(f)
    real(wp), intent(in) :: q1, q2, q3, q4, vel
    real(wp) :: f

    f = (vel*(7.0_wp*(q3 + q2) - (q4 + q1)) + abs(vel)*((q4 - q1) - 3.0_wp*(q3 - q2)))/12.0_wp
  end function flux_v

  ! Fluxes of a cell-centred scalar q through the faces of its cells: advection by the mass
  ! fluxes (mu,mv,mw) and down-gradient diffusion with the diffusivity kh in x and y.
  subroutine scalar_fluxes(q, rho, mu, mv, mw, kh, fx, fy, fz)
    real(wp), intent(in) :: q(1 - nh:nx + nh, 1 - nh:ny + nh, nz), rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: mu(1 - nh:nx + nh, 1 - nh:ny + nh, nz), mv(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: mw(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(in) :: kh
    real(wp), intent(inout) :: fx(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(inout) :: fy(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(inout) :: fz(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    integer :: i, j, k
    real(wp) :: kx, ky

    kx = 0.5_wp*kh*rdx
    ky = 0.5_wp*kh*rdy
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx + 1
          fx(i, j, k) = flux_h(q(i - 3, j, k), q(i - 2, j, k), q(i - 1, j, k), &
                               q(i, j, k), q(i + 1, j, k), q(i + 2, j, k), mu(i, j, k)) &
                        - kx*(rho(i, j, k) + rho(i - 1, j, k))*(q(i, j, k) - q(i - 1, j, k))
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny + 1
        do i = 1, nx
          fy(i, j, k) = flux_h(q(i, j - 3, k), q(i, j - 2, k), q(i, j - 1, k), &
                               q(i, j, k), q(i, j + 1, k), q(i, j + 2, k), mv(i, j, k)) &
                        - ky*(rho(i, j, k) + rho(i, j - 1, k))*(q(i, j, k) - q(i, j - 1, k))
        end do
      end do
    end do
    do k = 3, nz - 1
      do j = 1, ny
        do i = 1, nx
          fz(i, j, k) = flux_v(q(i, j, k - 2), q(i, j, k - 1), q(i, j, k), q(i, j, k + 1), mw(i, j, k))
        end do
      end do
    end do
    do j = 1, ny
      do i = 1, nx
        fz(i, j, 1) = 0.0_wp
        fz(i, j, 2) = 0.5_wp*mw(i, j, 2)*(q(i, j, 1) + q(i, j, 2))
        fz(i, j, nz) = 0.5_wp*mw(i, j, nz)*(q(i, j, nz - 1) + q(i, j, nz))
        fz(i, j, nz + 1) = 0.0_wp
      end do
    end do
  end subroutine scalar_fluxes

  ! tend = -div(flux) at cell centres.
  subroutine flux_divergence(fx, fy, fz, tend)
    real(wp), intent(in) :: fx(1 - nh:, 1 - nh:, :), fy(1 - nh:, 1 - nh:, :), fz(1 - nh:, 1 - nh:, :)
    real(wp), intent(inout) :: tend(1 - nh:, 1 - nh:, :)
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          tend(i, j, k) = -((fx(i + 1, j, k) - fx(i, j, k))*rdx + (fy(i, j + 1, k) - fy(i, j, k))*rdy &
                            + (fz(i, j, k + 1) - fz(i, j, k))*rdz)
        end do
      end do
    end do
  end subroutine flux_divergence

  ! Positive definite fluxes (Smolarkiewicz 1989): what leaves a cell in dt is scaled down to what it
  ! holds.  Each face takes the factor of the cell that loses, so that nothing is created.
  subroutine limit_fluxes(q, rho, dt, fx, fy, fz, scl)
    use halo, only: halo_one
    real(wp), intent(in) :: q(1 - nh:nx + nh, 1 - nh:ny + nh, nz), rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: dt
    real(wp), intent(inout) :: fx(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(inout) :: fy(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(inout) :: fz(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(inout) :: scl(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    integer :: i, j, k
    real(wp) :: out, hold

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          out = dt*((max(fx(i + 1, j, k), 0.0_wp) - min(fx(i, j, k), 0.0_wp))*rdx &
                    + (max(fy(i, j + 1, k), 0.0_wp) - min(fy(i, j, k), 0.0_wp))*rdy &
                    + (max(fz(i, j, k + 1), 0.0_wp) - min(fz(i, j, k), 0.0_wp))*rdz)
          hold = max(rho(i, j, k)*q(i, j, k), 0.0_wp)
          scl(i, j, k) = 1.0_wp
          if (out > hold) scl(i, j, k) = hold/out
        end do
      end do
    end do
    call halo_one(scl, nz)
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx + 1
          if (fx(i, j, k) > 0.0_wp) then
            fx(i, j, k) = fx(i, j, k)*scl(i - 1, j, k)
          else
            fx(i, j, k) = fx(i, j, k)*scl(i, j, k)
          end if
        end do
      end do
      do j = 1, ny + 1
        do i = 1, nx
          if (fy(i, j, k) > 0.0_wp) then
            fy(i, j, k) = fy(i, j, k)*scl(i, j - 1, k)
          else
            fy(i, j, k) = fy(i, j, k)*scl(i, j, k)
          end if
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          if (fz(i, j, k) > 0.0_wp) then
            fz(i, j, k) = fz(i, j, k)*scl(i, j, k - 1)
          else
            fz(i, j, k) = fz(i, j, k)*scl(i, j, k)
          end if
        end do
      end do
    end do
  end subroutine limit_fluxes

  ! Advection and horizontal diffusion of u, on u faces.
  subroutine advect_u(u, ru, rv, rw, rho, kh, fx, fy, fz, tend)
    real(wp), intent(in), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: u, ru, rv, rho
    real(wp), intent(in) :: rw(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(in) :: kh
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1) :: fx, fy, fz
    real(wp), intent(inout) :: tend(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    integer :: i, j, k
    real(wp) :: vel, rhoc

    do k = 1, nz
      do j = 1, ny
        do i = 0, nx
          vel = 0.5_wp*(ru(i, j, k) + ru(i + 1, j, k))
          fx(i, j, k) = flux_h(u(i - 2, j, k), u(i - 1, j, k), u(i, j, k), &
                               u(i + 1, j, k), u(i + 2, j, k), u(i + 3, j, k), vel) &
                        - kh*rdx*rho(i, j, k)*(u(i + 1, j, k) - u(i, j, k))
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny + 1
        do i = 1, nx
          vel = 0.5_wp*(rv(i - 1, j, k) + rv(i, j, k))
          rhoc = 0.25_wp*(rho(i - 1, j - 1, k) + rho(i, j - 1, k) + rho(i - 1, j, k) + rho(i, j, k))
          fy(i, j, k) = flux_h(u(i, j - 3, k), u(i, j - 2, k), u(i, j - 1, k), &
                               u(i, j, k), u(i, j + 1, k), u(i, j + 2, k), vel) &
                        - kh*rdy*rhoc*(u(i, j, k) - u(i, j - 1, k))
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          vel = 0.5_wp*(rw(i - 1, j, k) + rw(i, j, k))
          if (k == 2 .or. k == nz) then
            fz(i, j, k) = 0.5_wp*vel*(u(i, j, k - 1) + u(i, j, k))
          else
            fz(i, j, k) = flux_v(u(i, j, k - 2), u(i, j, k - 1), u(i, j, k), u(i, j, k + 1), vel)
          end if
        end do
      end do
    end do
    fz(:, :, 1) = 0.0_wp
    fz(:, :, nz + 1) = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          tend(i, j, k) = -((fx(i, j, k) - fx(i - 1, j, k))*rdx + (fy(i, j + 1, k) - fy(i, j, k))*rdy &
                            + (fz(i, j, k + 1) - fz(i, j, k))*rdz)
        end do
      end do
    end do
  end subroutine advect_u

  ! Advection and horizontal diffusion of v, on v faces.
  subroutine advect_v(v, ru, rv, rw, rho, kh, fx, fy, fz, tend)
    real(wp), intent(in), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: v, ru, rv, rho
    real(wp), intent(in) :: rw(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    real(wp), intent(in) :: kh
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1) :: fx, fy, fz
    real(wp), intent(inout) :: tend(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    integer :: i, j, k
    real(wp) :: vel, rhoc

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx + 1
          vel = 0.5_wp*(ru(i, j - 1, k) + ru(i, j, k))
          rhoc = 0.25_wp*(rho(i - 1, j - 1, k) + rho(i, j - 1, k) + rho(i - 1, j, k) + rho(i, j, k))
          fx(i, j, k) = flux_h(v(i - 3, j, k), v(i - 2, j, k), v(i - 1, j, k), &
                               v(i, j, k), v(i + 1, j, k), v(i + 2, j, k), vel) &
                        - kh*rdx*rhoc*(v(i, j, k) - v(i - 1, j, k))
        end do
      end do
    end do
    do k = 1, nz
      do j = 0, ny
        do i = 1, nx
          vel = 0.5_wp*(rv(i, j, k) + rv(i, j + 1, k))
          fy(i, j, k) = flux_h(v(i, j - 2, k), v(i, j - 1, k), v(i, j, k), &
                               v(i, j + 1, k), v(i, j + 2, k), v(i, j + 3, k), vel) &
                        - kh*rdy*rho(i, j, k)*(v(i, j + 1, k) - v(i, j, k))
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          vel = 0.5_wp*(rw(i, j - 1, k) + rw(i, j, k))
          if (k == 2 .or. k == nz) then
            fz(i, j, k) = 0.5_wp*vel*(v(i, j, k - 1) + v(i, j, k))
          else
            fz(i, j, k) = flux_v(v(i, j, k - 2), v(i, j, k - 1), v(i, j, k), v(i, j, k + 1), vel)
          end if
        end do
      end do
    end do
    fz(:, :, 1) = 0.0_wp
    fz(:, :, nz + 1) = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          tend(i, j, k) = -((fx(i + 1, j, k) - fx(i, j, k))*rdx + (fy(i, j, k) - fy(i, j - 1, k))*rdy &
                            + (fz(i, j, k + 1) - fz(i, j, k))*rdz)
        end do
      end do
    end do
  end subroutine advect_v

  ! Advection and horizontal diffusion of w, on the interior w faces.
  subroutine advect_w(w, ru, rv, rw, rho, kh, fx, fy, fz, tend)
    real(wp), intent(in), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1) :: w, rw
    real(wp), intent(in), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: ru, rv, rho
    real(wp), intent(in) :: kh
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1) :: fx, fy, fz
    real(wp), intent(inout) :: tend(1 - nh:nx + nh, 1 - nh:ny + nh, nz + 1)
    integer :: i, j, k
    real(wp) :: vel, rhoc

    do k = 2, nz
      do j = 1, ny
        do i = 1, nx + 1
          vel = 0.5_wp*(ru(i, j, k - 1) + ru(i, j, k))
          rhoc = 0.25_wp*(rho(i - 1, j, k - 1) + rho(i, j, k - 1) + rho(i - 1, j, k) + rho(i, j, k))
          fx(i, j, k) = flux_h(w(i - 3, j, k), w(i - 2, j, k), w(i - 1, j, k), &
                               w(i, j, k), w(i + 1, j, k), w(i + 2, j, k), vel) &
                        - kh*rdx*rhoc*(w(i, j, k) - w(i - 1, j, k))
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny + 1
        do i = 1, nx
          vel = 0.5_wp*(rv(i, j, k - 1) + rv(i, j, k))
          rhoc = 0.25_wp*(rho(i, j - 1, k - 1) + rho(i, j, k - 1) + rho(i, j - 1, k) + rho(i, j, k))
          fy(i, j, k) = flux_h(w(i, j - 3, k), w(i, j - 2, k), w(i, j - 1, k), &
                               w(i, j, k), w(i, j + 1, k), w(i, j + 2, k), vel) &
                        - kh*rdy*rhoc*(w(i, j, k) - w(i, j - 1, k))
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          vel = 0.5_wp*(rw(i, j, k) + rw(i, j, k + 1))
          if (k == 1 .or. k == nz) then
            fz(i, j, k) = 0.5_wp*vel*(w(i, j, k) + w(i, j, k + 1))
          else
            fz(i, j, k) = flux_v(w(i, j, k - 1), w(i, j, k), w(i, j, k + 1), w(i, j, k + 2), vel)
          end if
        end do
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          tend(i, j, k) = -((fx(i + 1, j, k) - fx(i, j, k))*rdx + (fy(i, j + 1, k) - fy(i, j, k))*rdy &
                            + (fz(i, j, k) - fz(i, j, k - 1))*rdz)
        end do
      end do
    end do
  end subroutine advect_w

end module advection
