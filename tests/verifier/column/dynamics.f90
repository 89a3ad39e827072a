module dynamics
  use constants, only: wp
  use state, only: theta, nx, nz
  implicit none
contains
  subroutine halo()
    integer :: k
    !$acc parallel loop present(theta)
    do k = 1, nz
      theta(0,k) = theta(nx,k)
      theta(nx+1,k) = theta(1,k)
    end do
  end subroutine halo

  subroutine advect()
    integer :: i, k
    real(wp) :: new(nx, nz)
    !$acc data create(new)
    !$acc parallel loop collapse(2) present(theta, new)
    do k = 1, nz
      do i = 1, nx
        new(i,k) = theta(i,k) - 0.2_wp*(theta(i,k) - theta(i-1,k))
      end do
    end do
    !$acc parallel loop collapse(2) present(theta, new)
    do k = 1, nz
      do i = 1, nx
        theta(i,k) = new(i,k)
      end do
    end do
    !$acc end data
  end subroutine advect

  ! A running sum down the column: k carries it.
  subroutine hydrostatic(p)
    real(wp), intent(out) :: p(nz)
    integer :: k
    p(1) = 1.0e5_wp
    do k = 2, nz
      p(k) = p(k-1) - 9.81_wp*theta(1,k)/300.0_wp
    end do
  end subroutine hydrostatic
end module dynamics
