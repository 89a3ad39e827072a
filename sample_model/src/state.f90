! Model state: two time levels of the prognostic fields, and the work fields of the dynamics.
module state
  use constants, only: wp
  use grid, only: nx, ny, nz, nh
  implicit none
  public

  type :: state_t
    real(wp), allocatable :: rho(:, :, :)      ! density of dry air [kg m-3]
    real(wp), allocatable :: rth(:, :, :)      ! rho*theta_m, theta_m = theta*(1+Rv/Rd*qv)
    real(wp), allocatable :: ru(:, :, :)       ! rho*u on u faces [kg m-2 s-1]
    real(wp), allocatable :: rv(:, :, :)       ! rho*v on v faces
    real(wp), allocatable :: rw(:, :, :)       ! rho*w on w faces
    real(wp), allocatable :: qv(:, :, :)       ! mixing ratio of vapour [kg kg-1]
    real(wp), allocatable :: qc(:, :, :)       ! mixing ratio of cloud water
    real(wp), allocatable :: qr(:, :, :)       ! mixing ratio of rain water
    real(wp), allocatable :: qi(:, :, :)       ! mixing ratio of ice
  end type state_t

  type(state_t) :: now                         ! time level n
  type(state_t) :: stg                         ! latest Runge-Kutta stage, n+1 after the last one

  ! diagnosed from the stage
  real(wp), allocatable, dimension(:, :, :) :: u, v, w, thm, pp, cpt, fm
  ! slow tendencies of the stage
  real(wp), allocatable, dimension(:, :, :) :: ftu, ftv, ftw, ftrho, ftth
  ! acoustic perturbations from the stage, and theta'' one small step earlier
  real(wp), allocatable, dimension(:, :, :) :: pu, pv, pw, prho, pth, pthold
  ! mass fluxes averaged over the small steps
  real(wp), allocatable, dimension(:, :, :) :: avu, avv, avw
  ! face fluxes and limiter
  real(wp), allocatable, dimension(:, :, :) :: fx, fy, fz, scl
  ! eddy diffusivity at w faces
  real(wp), allocatable, dimension(:, :, :) :: km

  ! surface: accumulated precipitation and evaporation [kg m-2], fluxes, skin temperature [K], and the share
  ! `wet` of the saturation mixing ratio that the air right at the ground has;
  ! sfzero stays zero: the surface flux of what the surface does not give
  real(wp), allocatable, dimension(:, :) :: rain, evap, sfth, sfqv, sfzero, cdv, tskin, wet

contains

  subroutine allocate_field(f, nk)
    real(wp), allocatable, intent(inout) :: f(:, :, :)
    integer, intent(in) :: nk

    allocate (f(1 - nh:nx + nh, 1 - nh:ny + nh, nk))
    f = 0.0_wp
  end subroutine allocate_field

  subroutine allocate_surface(f)
    real(wp), allocatable, intent(inout) :: f(:, :)

    allocate (f(1 - nh:nx + nh, 1 - nh:ny + nh))
    f = 0.0_wp
  end subroutine allocate_surface

  subroutine allocate_level(s)
    type(state_t), intent(inout) :: s

    call allocate_field(s%rho, nz)
    call allocate_field(s%rth, nz)
    call allocate_field(s%ru, nz)
    call allocate_field(s%rv, nz)
    call allocate_field(s%rw, nz + 1)
    call allocate_field(s%qv, nz)
    call allocate_field(s%qc, nz)
    call allocate_field(s%qr, nz)
    call allocate_field(s%qi, nz)
  end subroutine allocate_level

  subroutine allocate_state()
    call allocate_level(now)
    call allocate_level(stg)
    call allocate_field(u, nz)
    call allocate_field(v, nz)
    call allocate_field(w, nz + 1)
    call allocate_field(thm, nz)
    call allocate_field(pp, nz)
    call allocate_field(cpt, nz)
    call allocate_field(fm, nz)
    call allocate_field(ftu, nz)
    call allocate_field(ftv, nz)
    call allocate_field(ftw, nz + 1)
    call allocate_field(ftrho, nz)
    call allocate_field(ftth, nz)
    call allocate_field(pu, nz)
    call allocate_field(pv, nz)
    call allocate_field(pw, nz + 1)
    call allocate_field(prho, nz)
    call allocate_field(pth, nz)
    call allocate_field(pthold, nz)
    call allocate_field(avu, nz)
    call allocate_field(avv, nz)
    call allocate_field(avw, nz + 1)
    call allocate_field(fx, nz + 1)
    call allocate_field(fy, nz + 1)
    call allocate_field(fz, nz + 1)
    call allocate_field(scl, nz)
    call allocate_field(km, nz + 1)
    call allocate_surface(rain)
    call allocate_surface(evap)
    call allocate_surface(sfth)
    call allocate_surface(sfqv)
    call allocate_surface(sfzero)
    call allocate_surface(cdv)
    call allocate_surface(tskin)
    call allocate_surface(wet)
    wet = 0.9_wp
  end subroutine allocate_state

  ! Copy one time level onto another, interior and halos.
  subroutine copy_level(from, to)
    type(state_t), intent(in) :: from
    type(state_t), intent(inout) :: to
    integer :: i, j, k

    do k = 1, nz
      do j = 1 - nh, ny + nh
        do i = 1 - nh, nx + nh
          to%rho(i, j, k) = from%rho(i, j, k)
          to%rth(i, j, k) = from%rth(i, j, k)
          to%ru(i, j, k) = from%ru(i, j, k)
          to%rv(i, j, k) = from%rv(i, j, k)
          to%qv(i, j, k) = from%qv(i, j, k)
          to%qc(i, j, k) = from%qc(i, j, k)
          to%qr(i, j, k) = from%qr(i, j, k)
          to%qi(i, j, k) = from%qi(i, j, k)
        end do
      end do
    end do
    to%rw(:, :, :) = from%rw(:, :, :)
  end subroutine copy_level

end module state
