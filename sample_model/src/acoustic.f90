! Acoustic (small) steps: Klemp, Skamarock and Dudhia (2007), height coordinate without terrain.
! Forward-backward in the horizontal, implicit and off-centred in the vertical.  The unknowns are
! perturbations from the latest Runge-Kutta stage; p'' = cpt*(rho*theta_m)'', cpt = gamma*p/(rho*theta_m).
module acoustic
  use constants, only: wp, grav
  use grid, only: nx, ny, nz, nh, nzmax, rdx, rdy, rdz, sponge
  use state
  use halo, only: halo_one
  implicit none
  private
  public :: acoustic_steps

contains

  ! nsub small steps over dts seconds; leaves time-averaged mass fluxes in avu, avv, avw
  ! and the advanced dynamics in stg.
  subroutine acoustic_steps(dts, nsub, beta, smdiv)
    real(wp), intent(in) :: dts, beta, smdiv
    integer, intent(in) :: nsub
    real(wp) :: dtau
    integer :: n

    dtau = dts/real(nsub, wp)
    call begin_small_steps()
    do n = 1, nsub
      call horizontal_momentum(dtau, smdiv)
      call halo_one(pu, nz)
      call halo_one(pv, nz)
      call vertical_implicit(dtau, 0.5_wp*(1.0_wp + beta), 0.5_wp*(1.0_wp - beta))
      call halo_one(pth, nz)
      call halo_one(pthold, nz)
    end do
    call end_small_steps(nsub)
  end subroutine acoustic_steps

  subroutine begin_small_steps()
    integer :: i, j, k

    do k = 1, nz
      do j = 0, ny + 1
        do i = 0, nx + 1
          pu(i, j, k) = now%ru(i, j, k) - stg%ru(i, j, k)
          pv(i, j, k) = now%rv(i, j, k) - stg%rv(i, j, k)
          prho(i, j, k) = now%rho(i, j, k) - stg%rho(i, j, k)
          pth(i, j, k) = now%rth(i, j, k) - stg%rth(i, j, k)
          pthold(i, j, k) = pth(i, j, k)
        end do
      end do
    end do
    pw(:, :, :) = now%rw(:, :, :) - stg%rw(:, :, :)
    avu = 0.0_wp
    avv = 0.0_wp
    avw = 0.0_wp
  end subroutine begin_small_steps

  ! Forward step of (rho*u)'' and (rho*v)'' with divergence damping of the pressure.
  subroutine horizontal_momentum(dtau, smdiv)
    real(wp), intent(in) :: dtau, smdiv
    real(wp) :: pc, pl, ps
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          pc = cpt(i, j, k)*(pth(i, j, k) + smdiv*(pth(i, j, k) - pthold(i, j, k)))
          pl = cpt(i - 1, j, k)*(pth(i - 1, j, k) + smdiv*(pth(i - 1, j, k) - pthold(i - 1, j, k)))
          ps = cpt(i, j - 1, k)*(pth(i, j - 1, k) + smdiv*(pth(i, j - 1, k) - pthold(i, j - 1, k)))
          pu(i, j, k) = pu(i, j, k) + dtau*(ftu(i, j, k) - 0.5_wp*(fm(i - 1, j, k) + fm(i, j, k))*(pc - pl)*rdx)
          pv(i, j, k) = pv(i, j, k) + dtau*(ftv(i, j, k) - 0.5_wp*(fm(i, j - 1, k) + fm(i, j, k))*(pc - ps)*rdy)
          avu(i, j, k) = avu(i, j, k) + stg%ru(i, j, k) + pu(i, j, k)
          avv(i, j, k) = avv(i, j, k) + stg%rv(i, j, k) + pv(i, j, k)
        end do
      end do
    end do
  end subroutine horizontal_momentum

  ! Backward step of rho'', (rho*theta_m)'' and (rho*w)'': the first two are eliminated, a tridiagonal
  ! system for (rho*w)'' is left in each column.  wp1, wm1: weights of the new and the old time.
  subroutine vertical_implicit(dtau, wp1, wm1)
    real(wp), intent(in) :: dtau, wp1, wm1
    real(wp), dimension(nzmax) :: a, b, c, d, x, g, thf, re, te
    real(wp) :: r, gr, fmz, wfull, wold, dpnew, dpold, mean
    integer :: i, j, k

    r = dtau*wp1*rdz
    gr = 0.5_wp*dtau*grav*wp1*r
    do j = 1, ny
      do i = 1, nx
        thf(1) = thm(i, j, 1)
        thf(nz + 1) = thm(i, j, nz)
        do k = 2, nz
          thf(k) = 0.5_wp*(thm(i, j, k - 1) + thm(i, j, k))
        end do

        ! explicit part
        do k = 1, nz
          re(k) = prho(i, j, k) + dtau*(ftrho(i, j, k) &
                  - (pu(i + 1, j, k) - pu(i, j, k))*rdx - (pv(i, j + 1, k) - pv(i, j, k))*rdy &
                  - wm1*(pw(i, j, k + 1) - pw(i, j, k))*rdz)
          te(k) = pth(i, j, k) + dtau*(ftth(i, j, k) &
                  - 0.5_wp*(pu(i + 1, j, k)*(thm(i, j, k) + thm(i + 1, j, k)) &
                            - pu(i, j, k)*(thm(i - 1, j, k) + thm(i, j, k)))*rdx &
                  - 0.5_wp*(pv(i, j + 1, k)*(thm(i, j, k) + thm(i, j + 1, k)) &
                            - pv(i, j, k)*(thm(i, j - 1, k) + thm(i, j, k)))*rdy &
                  - wm1*(pw(i, j, k + 1)*thf(k + 1) - pw(i, j, k)*thf(k))*rdz)
        end do

        ! (rho*w)'' on the faces 2..nz
        do k = 2, nz
          fmz = 0.5_wp*(fm(i, j, k - 1) + fm(i, j, k))
          a(k) = gr - fmz*r*r*cpt(i, j, k - 1)*thf(k - 1)
          b(k) = 1.0_wp + fmz*r*r*thf(k)*(cpt(i, j, k) + cpt(i, j, k - 1))
          c(k) = -gr - fmz*r*r*cpt(i, j, k)*thf(k + 1)
          dpnew = cpt(i, j, k)*te(k) - cpt(i, j, k - 1)*te(k - 1)
          dpold = cpt(i, j, k)*pth(i, j, k) - cpt(i, j, k - 1)*pth(i, j, k - 1)
          mean = 0.5_wp*(wp1*(re(k) + re(k - 1)) + wm1*(prho(i, j, k) + prho(i, j, k - 1)))
          d(k) = pw(i, j, k) + dtau*(ftw(i, j, k) - fmz*(wp1*dpnew + wm1*dpold)*rdz - grav*mean)
        end do
        call tridag(2, nz, a, b, c, d, x, g)
        x(1) = 0.0_wp
        x(nz + 1) = 0.0_wp

        ! implicit Rayleigh damping of the whole w (Klemp, Dudhia and Hassiotis 2008)
        do k = 2, nz
          wold = pw(i, j, k)
          wfull = (stg%rw(i, j, k) + x(k))/(1.0_wp + dtau*sponge(k))
          x(k) = wfull - stg%rw(i, j, k)
          avw(i, j, k) = avw(i, j, k) + stg%rw(i, j, k) + wp1*x(k) + wm1*wold
          pw(i, j, k) = x(k)
        end do

        do k = 1, nz
          pthold(i, j, k) = pth(i, j, k)
          prho(i, j, k) = re(k) - r*(x(k + 1) - x(k))
          pth(i, j, k) = te(k) - r*(x(k + 1)*thf(k + 1) - x(k)*thf(k))
        end do
      end do
    end do
  end subroutine vertical_implicit

  subroutine end_small_steps(nsub)
    integer, intent(in) :: nsub
    real(wp) :: rn
    integer :: i, j, k

    rn = 1.0_wp/real(nsub, wp)
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          stg%ru(i, j, k) = stg%ru(i, j, k) + pu(i, j, k)
          stg%rv(i, j, k) = stg%rv(i, j, k) + pv(i, j, k)
          stg%rw(i, j, k) = stg%rw(i, j, k) + pw(i, j, k)
          stg%rho(i, j, k) = stg%rho(i, j, k) + prho(i, j, k)
          stg%rth(i, j, k) = stg%rth(i, j, k) + pth(i, j, k)
          avu(i, j, k) = avu(i, j, k)*rn
          avv(i, j, k) = avv(i, j, k)*rn
          avw(i, j, k) = avw(i, j, k)*rn
        end do
      end do
    end do
    call halo_one(avu, nz)
    call halo_one(avv, nz)
  end subroutine end_small_steps

end module acoustic
