! Halo updates: periodic in x and y.  Corners are right because y copies what x has filled.
! The statement order makes the copies right for every extent, also ny = 1.
module halo
  use constants, only: wp
  use grid, only: nx, ny, nh
  implicit none
  private
  public :: halo_full, halo_one, halo_surface

contains

  ! All nh rows and columns.
  subroutine halo_full(f, nk)
    integer, intent(in) :: nk
    real(wp), intent(inout) :: f(1 - nh:nx + nh, 1 - nh:ny + nh, nk)

    call halo_x(f, nk)
    call halo_y(f, nk)
  end subroutine halo_full

  subroutine halo_x(f, nk)
    integer, intent(in) :: nk
    real(wp), intent(inout) :: f(1 - nh:nx + nh, 1 - nh:ny + nh, nk)
    integer :: j, k

    do k = 1, nk
      do j = 1, ny
        f(0, j, k) = f(nx, j, k)
        f(-1, j, k) = f(nx - 1, j, k)
        f(-2, j, k) = f(nx - 2, j, k)
        f(nx + 1, j, k) = f(1, j, k)
        f(nx + 2, j, k) = f(2, j, k)
        f(nx + 3, j, k) = f(3, j, k)
      end do
    end do
  end subroutine halo_x

  subroutine halo_y(f, nk)
    integer, intent(in) :: nk
    real(wp), intent(inout) :: f(1 - nh:nx + nh, 1 - nh:ny + nh, nk)
    integer :: i, k

    do k = 1, nk
      do i = 1 - nh, nx + nh
        f(i, 0, k) = f(i, ny, k)
        f(i, -1, k) = f(i, ny - 1, k)
        f(i, -2, k) = f(i, ny - 2, k)
        f(i, ny + 1, k) = f(i, 1, k)
        f(i, ny + 2, k) = f(i, 2, k)
        f(i, ny + 3, k) = f(i, 3, k)
      end do
    end do
  end subroutine halo_y

  ! One row and one column, without corners: what the acoustic steps need.
  subroutine halo_one(f, nk)
    integer, intent(in) :: nk
    real(wp), intent(inout) :: f(1 - nh:nx + nh, 1 - nh:ny + nh, nk)
    integer :: i, j, k

    do k = 1, nk
      do j = 1, ny
        f(0, j, k) = f(nx, j, k)
        f(nx + 1, j, k) = f(1, j, k)
      end do
    end do
    do k = 1, nk
      do i = 1, nx
        f(i, 0, k) = f(i, ny, k)
        f(i, ny + 1, k) = f(i, 1, k)
      end do
    end do
  end subroutine halo_one

  ! A surface field, all nh rows and columns.
  subroutine halo_surface(f)
    real(wp), intent(inout) :: f(1 - nh:nx + nh, 1 - nh:ny + nh)

    call halo_x(f, 1)
    call halo_y(f, 1)
  end subroutine halo_surface

end module halo
