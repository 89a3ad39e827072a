! Passive tracers, carried by the mass fluxes of the acoustic steps: van Leer's monotone scheme, piecewise linear (1977,
! J. Comput. Phys. 23, 276), in one direction after the other, with the density of the splitting (Easter 1993, Mon.
! Wea. Rev. 121, 297), so that a constant mixing ratio stays constant.  Steps go x, y, z and z, y, x by turns.
module tracer_mod
  use constants, only: wp
  use grid, only: nx, ny, nz, nh, rdx, rdy, rdz, zc
  use state, only: state_t, avu, avv, avw, fx, fy, fz
  use halo, only: halo_full, halo_surface
  use turbulence_mod, only: mix_scalar
  implicit none
  private
  public :: tracer_t, setup_tracers, tracer_step, advect_tracer, forward

  integer, parameter, public :: ntracer = 2    ! radon from the ground, and a layer of dust
  real(wp), parameter :: decay(ntracer) = [2.098e-6_wp, 0.0_wp]  ! [s-1]; radon-222: 3.82 days
  real(wp), parameter :: exhaled = 3.7e-18_wp  ! radon from land: 1 atom cm-2 s-1 [kg m-2 s-1], scaled below
  real(wp), parameter :: scaled = 1.0e18_wp    ! mixing ratios are held in 1e-18 kg kg-1
  logical, save :: forward = .true.            ! x first in the next step

  type :: tracer_t
    real(wp), allocatable :: q(:, :, :, :)     ! mixing ratio, last index the species
    real(wp), allocatable :: rhos(:, :, :)     ! density of the splitting [kg m-3]
    real(wp), allocatable :: source(:, :)      ! flux from the ground [kg m-2 s-1]
  end type tracer_t

contains

  ! Dust between 2 and 4 km; radon none.  point: land points, or 0 at sea.
  subroutine setup_tracers(this, step, point)
    type(tracer_t), intent(inout) :: this
    integer, intent(in) :: step
    integer, intent(in), optional :: point(:, :)
    integer :: i, j, k

    allocate (this%q(1 - nh:nx + nh, 1 - nh:ny + nh, nz, ntracer))
    allocate (this%rhos(1 - nh:nx + nh, 1 - nh:ny + nh, nz))
    allocate (this%source(1 - nh:nx + nh, 1 - nh:ny + nh))
    this%q = 0.0_wp
    this%rhos = 0.0_wp
    this%source = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          this%q(i, j, k, 2) = merge(1.0_wp, 0.0_wp, zc(k) > 2000.0_wp .and. zc(k) < 4000.0_wp .and. 2*i <= nx)
        end do
      end do
    end do
    if (present(point)) then
      where (point > 0) this%source(1:nx, 1:ny) = exhaled*scaled
    end if
    forward = mod(step, 2) == 0
  end subroutine setup_tracers

  ! Advection, mixing by the turbulence and decay of all tracers over dt seconds that end at the state s.
  subroutine tracer_step(this, s, mixing, dt)
    type(tracer_t), intent(inout) :: this
    type(state_t), intent(in) :: s
    logical, intent(in) :: mixing
    real(wp), intent(in) :: dt
    integer :: n

    do n = 1, ntracer
      call start_density(s%rho, this%rhos, dt)
      call advect_tracer(this%q(1 - nh, 1 - nh, 1, n), this%rhos, dt)
      if (mixing .and. n == 1) call mix_scalar(this%q(1 - nh, 1 - nh, 1, n), s%rho, this%source, dt)
    end do
    forward = .not. forward
    do n = 1, ntracer
      if (decay(n) > 0.0_wp) call fade(this%q(1 - nh, 1 - nh, 1, n), exp(-decay(n)*dt))
    end do
  end subroutine tracer_step

  ! The density that the fluxes have led to rho.
  subroutine start_density(rho, rhos, dt)
    real(wp), intent(in) :: rho(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(inout) :: rhos(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: dt
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          rhos(i, j, k) = rho(i, j, k) + dt*((avu(i + 1, j, k) - avu(i, j, k))*rdx &
                          + (avv(i, j + 1, k) - avv(i, j, k))*rdy + (avw(i, j, k + 1) - avw(i, j, k))*rdz)
        end do
      end do
    end do
  end subroutine start_density

  subroutine fade(q, kept)
    real(wp), intent(inout) :: q(1 - nh:nx + nh, 1 - nh:ny + nh, nz)
    real(wp), intent(in) :: kept
    integer :: i, j, k

    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          q(i, j, k) = kept*q(i, j, k)
        end do
      end do
    end do
  end subroutine fade

  subroutine advect_tracer(q, rhos, dt)
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: q, rhos
    real(wp), intent(in) :: dt

    if (forward) then
      call sweep_x(q, rhos, dt)
      call sweep_y(q, rhos, dt)
      call sweep_z(q, rhos, dt)
    else
      call sweep_z(q, rhos, dt)
      call sweep_y(q, rhos, dt)
      call sweep_x(q, rhos, dt)
    end if
  end subroutine advect_tracer

  ! Van Leer's limited difference over a cell: none at an extremum.
  elemental real(wp) function slope(left, middle, right)
    real(wp), intent(in) :: left, middle, right
    real(wp) :: a, b

    a = middle - left
    b = right - middle
    slope = 0.0_wp
    if (a*b > 0.0_wp) slope = 2.0_wp*a*b/(a + b)
  end function slope

  ! Mass flux times the value that passes a face between q2 and q3 in a time step; r2, r3: density,
  ! dtdx: time step over width of a cell.
  elemental real(wp) function face_flux(q1, q2, q3, q4, r2, r3, mass, dtdx)
    real(wp), intent(in) :: q1, q2, q3, q4, r2, r3, mass, dtdx

    if (mass > 0.0_wp) then
      face_flux = mass*(q2 + 0.5_wp*(1.0_wp - mass*dtdx/r2)*slope(q1, q2, q3))
    else
      face_flux = mass*(q3 - 0.5_wp*(1.0_wp + mass*dtdx/r3)*slope(q2, q3, q4))
    end if
  end function face_flux

  subroutine sweep_x(q, rhos, dt)
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: q, rhos
    real(wp), intent(in) :: dt
    real(wp) :: old
    integer :: i, j, k

    call halo_full(q, nz)
    call halo_full(rhos, nz)
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx + 1
          fx(i, j, k) = face_flux(q(i - 2, j, k), q(i - 1, j, k), q(i, j, k), q(i + 1, j, k), &
                                  rhos(i - 1, j, k), rhos(i, j, k), avu(i, j, k), dt*rdx)
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          old = rhos(i, j, k)
          rhos(i, j, k) = old - dt*rdx*(avu(i + 1, j, k) - avu(i, j, k))
          q(i, j, k) = (old*q(i, j, k) - dt*rdx*(fx(i + 1, j, k) - fx(i, j, k)))/rhos(i, j, k)
        end do
      end do
    end do
  end subroutine sweep_x

  subroutine sweep_y(q, rhos, dt)
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: q, rhos
    real(wp), intent(in) :: dt
    real(wp) :: old
    integer :: i, j, k

    call halo_full(q, nz)
    call halo_full(rhos, nz)
    do k = 1, nz
      do j = 1, ny + 1
        do i = 1, nx
          fy(i, j, k) = face_flux(q(i, j - 2, k), q(i, j - 1, k), q(i, j, k), q(i, j + 1, k), &
                                  rhos(i, j - 1, k), rhos(i, j, k), avv(i, j, k), dt*rdy)
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          old = rhos(i, j, k)
          rhos(i, j, k) = old - dt*rdy*(avv(i, j + 1, k) - avv(i, j, k))
          q(i, j, k) = (old*q(i, j, k) - dt*rdy*(fy(i, j + 1, k) - fy(i, j, k)))/rhos(i, j, k)
        end do
      end do
    end do
  end subroutine sweep_y

  ! Walls below and above; the layers next to them count as their own neighbours.
  subroutine sweep_z(q, rhos, dt)
    real(wp), intent(inout), dimension(1 - nh:nx + nh, 1 - nh:ny + nh, nz) :: q, rhos
    real(wp), intent(in) :: dt
    real(wp) :: old
    integer :: i, j, k

    do j = 1, ny
      do i = 1, nx
        fz(i, j, 1) = 0.0_wp
        fz(i, j, nz + 1) = 0.0_wp
      end do
    end do
    do k = 2, nz
      do j = 1, ny
        do i = 1, nx
          fz(i, j, k) = face_flux(q(i, j, max(k - 2, 1)), q(i, j, k - 1), q(i, j, k), q(i, j, min(k + 1, nz)), &
                                  rhos(i, j, k - 1), rhos(i, j, k), avw(i, j, k), dt*rdz)
        end do
      end do
    end do
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          old = rhos(i, j, k)
          rhos(i, j, k) = old - dt*rdz*(avw(i, j, k + 1) - avw(i, j, k))
          q(i, j, k) = (old*q(i, j, k) - dt*rdz*(fz(i, j, k + 1) - fz(i, j, k)))/rhos(i, j, k)
        end do
      end do
    end do
  end subroutine sweep_z

end module tracer_mod
