! Columns of air side by side, as physics packages want them: the first index is the column, the second
! the level, lowest first.  Column c holds cell (i,j), c = i + (j - 1)*nx.
module columns
  use constants
  use grid, only: nx, ny, nz, dz
  use state, only: state_t, tskin
  implicit none
  private
  public :: column_t, allocate_columns, gather_columns, apply_heating

  ! what column_t%flux holds [W m-2]
  integer, parameter, public :: sw_down = 1    ! solar, down at the ground
  integer, parameter, public :: sw_net = 2     ! solar, absorbed by the ground
  integer, parameter, public :: lw_down = 3    ! thermal, down at the ground
  integer, parameter, public :: sw_up = 4      ! solar, reflected to space
  integer, parameter, public :: lw_up = 5      ! thermal, lost to space
  integer, parameter, public :: nflux = 5

  type :: column_t
    integer :: n = 0                           ! columns
    real(wp), allocatable :: t(:, :)           ! temperature [K]
    real(wp), allocatable :: mass(:, :)        ! dry air of a layer [kg m-2]
    real(wp), allocatable :: qv(:, :)          ! mixing ratio of vapour [kg kg-1]
    real(wp), allocatable :: qc(:, :)          ! mixing ratio of cloud water
    real(wp), allocatable :: heat(:, :)        ! heating rate [K s-1]
    real(wp), allocatable :: flux(:, :)        ! radiation at the bounds of the column
    real(wp), allocatable :: ts(:)             ! temperature of the ground [K]
    real(wp), allocatable :: albedo(:)         ! of the ground
  end type column_t

contains

  subroutine allocate_columns(col)
    type(column_t), intent(inout) :: col

    col%n = nx*ny
    allocate (col%t(col%n, nz), col%mass(col%n, nz), col%qv(col%n, nz), col%qc(col%n, nz))
    allocate (col%heat(col%n, nz), col%flux(col%n, nflux), col%ts(col%n), col%albedo(col%n))
    col%t = 0.0_wp
    col%mass = 0.0_wp
    col%qv = 0.0_wp
    col%qc = 0.0_wp
    col%heat = 0.0_wp
    col%flux = 0.0_wp
    col%ts = 0.0_wp
    col%albedo = 0.07_wp
  end subroutine allocate_columns

  subroutine gather_columns(s, col)
    type(state_t), intent(in) :: s
    type(column_t), intent(inout) :: col
    real(wp) :: theta
    integer :: i, j, k, c

    do k = 1, nz
      do c = 1, col%n
        j = (c - 1)/nx + 1
        i = c - (j - 1)*nx
        theta = s%rth(i, j, k)/(s%rho(i, j, k)*(1.0_wp + rvord*s%qv(i, j, k)))
        col%t(c, k) = theta*(rd*s%rth(i, j, k)/p0)**(rd/cv)
        col%mass(c, k) = s%rho(i, j, k)*dz
        col%qv(c, k) = max(s%qv(i, j, k), 0.0_wp)
        col%qc(c, k) = max(s%qc(i, j, k), 0.0_wp)
      end do
    end do
    do c = 1, col%n
      j = (c - 1)/nx + 1
      i = c - (j - 1)*nx
      col%ts(c) = tskin(i, j)
    end do
  end subroutine gather_columns

  ! Heat the air at constant pressure for dt seconds.
  subroutine apply_heating(col, s, dt)
    type(column_t), intent(in) :: col
    type(state_t), intent(inout) :: s
    real(wp), intent(in) :: dt
    real(wp) :: exner
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          exner = (rd*s%rth(i, j, k)/p0)**(rd/cv)
          s%rth(i, j, k) = s%rth(i, j, k) &
                           + dt*s%rho(i, j, k)*(1.0_wp + rvord*s%qv(i, j, k))*col%heat(i + (j - 1)*nx, k)/exner
        end do
      end do
    end do
  end subroutine apply_heating

end module columns
