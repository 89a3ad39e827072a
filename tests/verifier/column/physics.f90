module physics
  use constants, only: wp, kappa, heat
  use state, only: theta, q, exner, nx, nz
  implicit none
contains
  ! Rain out what exceeds saturation, warm the air by it.
  subroutine condense(rained)
    real(wp), intent(out) :: rained
    integer :: i, k
    real(wp) :: qs, dq
    rained = 0.0_wp
    !$acc parallel loop gang vector collapse(2) private(qs, dq) &
    !$acc&  reduction(+:rained) present(theta, q, exner)
    do k = 1, nz
      do i = 1, nx
        qs = 0.009_wp*exp(0.01_wp*(theta(i,k)*exner(k) - 290.0_wp))
        dq = max(0.0_wp, q(i,k) - qs)
        q(i,k) = q(i,k) - dq
        theta(i,k) = theta(i,k) + kappa*heat*dq/exner(k)
        rained = rained + dq
      end do
    end do
  end subroutine condense

  ! Implicit diffusion of each column by the Thomas algorithm.
  subroutine diffuse()
    integer :: i, k
    real(wp) :: c(40), d(40), b
    !$acc parallel loop gang vector private(c, d, b, k) present(theta)
    do i = 1, nx
      c(1) = -0.1_wp/1.1_wp
      d(1) = theta(i,1)/1.1_wp
      do k = 2, nz
        b = 1.2_wp + 0.1_wp*c(k-1)
        c(k) = -0.1_wp/b
        d(k) = (theta(i,k) + 0.1_wp*d(k-1))/b
      end do
      theta(i,nz) = d(nz)
      do k = nz - 1, 1, -1
        theta(i,k) = d(k) - c(k)*theta(i,k+1)
      end do
    end do
  end subroutine diffuse
end module physics
