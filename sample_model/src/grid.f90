! Grid: sizes, spacings, heights and the one-dimensional hydrostatic base state.
! Cell (i,j,k) has its u face at i-1/2, its v face at j-1/2 and its w face at k-1/2.
module grid
  use constants, only: wp
  implicit none
  public

  integer, parameter :: nh = 3                 ! halo width in x and y
  integer, parameter :: nzmax = 128            ! size of the local column arrays

  integer :: nx, ny, nz
  real(wp) :: dx, dy, dz                       ! [m]
  real(wp) :: rdx, rdy, rdz                    ! reciprocals [m-1]

  real(wp), allocatable :: zc(:)               ! height of cell centres [m]
  real(wp), allocatable :: zw(:)               ! height of w faces [m]
  real(wp), allocatable :: sponge(:)           ! Rayleigh rate at w faces [s-1]
  real(wp), allocatable :: thb(:)              ! base potential temperature [K]
  real(wp), allocatable :: thmb(:)             ! base theta*(1+Rv/Rd*qv) [K]
  real(wp), allocatable :: qvb(:)              ! base vapour mixing ratio [kg kg-1]
  real(wp), allocatable :: pb(:)               ! base pressure [Pa]
  real(wp), allocatable :: rhodb(:)            ! base density of dry air [kg m-3]
  real(wp), allocatable :: rhob(:)             ! base density of moist air [kg m-3]
  real(wp), allocatable :: rthb(:)             ! rhodb*thmb

contains

  subroutine setup_grid(sponge_depth, sponge_rate)
    use constants, only: pi
    real(wp), intent(in) :: sponge_depth, sponge_rate
    real(wp) :: ztop, zs, s
    integer :: k

    rdx = 1.0_wp/dx
    rdy = 1.0_wp/dy
    rdz = 1.0_wp/dz
    allocate (zc(nz), thb(nz), thmb(nz), qvb(nz), pb(nz), rhodb(nz), rhob(nz), rthb(nz))
    allocate (zw(nz + 1), sponge(nz + 1))

    do k = 1, nz
      zc(k) = (real(k, wp) - 0.5_wp)*dz
    end do
    do k = 1, nz + 1
      zw(k) = real(k - 1, wp)*dz
    end do

    ztop = zw(nz + 1)
    zs = ztop - sponge_depth
    sponge(:) = 0.0_wp
    do k = 1, nz + 1
      if (sponge_depth <= 0.0_wp .or. zw(k) <= zs) cycle
      s = sin(0.5_wp*pi*(zw(k) - zs)/sponge_depth)
      sponge(k) = sponge_rate*s*s
    end do
  end subroutine setup_grid

end module grid
