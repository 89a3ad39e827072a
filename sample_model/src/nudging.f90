! Wind of the large scale in a relaxation zone along both ends of x (Davies 1976, Quart. J. Roy. Meteor. Soc. 102, 405).
! Its profiles come at intervals, as from the files of a driving model; between them the wind is interpolated.
module nudging_mod
  use constants, only: wp, pi
  use grid, only: nx, ny, nz, zc
  use state, only: state_t
  implicit none
  private
  public :: setup_nudging, nudge

  integer, parameter :: width = 4              ! of the zone [cells]
  real(wp), parameter :: period = 43200.0_wp   ! of the turning wind [s]

  type :: profile_t
    real(wp) :: time = 0.0_wp                  ! [s]
    real(wp), allocatable :: u(:), v(:)        ! [m s-1]
  end type profile_t

  type(profile_t), target, save :: slots(2)
  type(profile_t), pointer, save :: older => null(), newer => null()
  real(wp), save :: interval = 0.0_wp, speed = 0.0_wp, shear = 0.0_wp
  real(wp), allocatable, save :: zone(:)                           ! weight of the large scale, 0 to 1
  real(wp), allocatable, save :: u_old(:), u_new(:), v_old(:), v_new(:)  ! what older and newer hold

contains

  subroutine setup_nudging(every, u_mean, u_shear)
    real(wp), intent(in) :: every              ! interval of the profiles [s]
    real(wp), intent(in) :: u_mean, u_shear    ! wind at the ground, and what tanh(z/3 km) adds [m s-1]
    integer :: i, n

    interval = every
    speed = u_mean
    shear = u_shear
    allocate (zone(nx), u_old(nz), u_new(nz), v_old(nz), v_new(nz))
    do i = 1, nx
      n = min(i, nx + 1 - i)
      zone(i) = (real(max(width + 1 - n, 0), wp)/real(width, wp))**2
    end do
    do n = 1, 2
      allocate (slots(n)%u(nz), slots(n)%v(nz))
      call read_profile(slots(n), real(n - 1, wp)*interval)
    end do
    older => slots(1)
    newer => slots(2)
    call copy_profiles()
  end subroutine setup_nudging

  ! Stands for a file of the driving model: the wind turns with the sun, as an inertial oscillation does at 30 degrees.
  subroutine read_profile(profile, time)
    type(profile_t), intent(inout) :: profile
    real(wp), intent(in) :: time
    real(wp) :: wind
    integer :: k

    profile%time = time
    do k = 1, nz
      wind = speed + shear*tanh(zc(k)/3000.0_wp)
      profile%u(k) = wind*cos(2.0_wp*pi*time/period)
      profile%v(k) = -wind*sin(2.0_wp*pi*time/period)
    end do
  end subroutine read_profile

  subroutine copy_profiles()
    integer :: k

    do k = 1, nz
      u_old(k) = older%u(k)
      u_new(k) = newer%u(k)
      v_old(k) = older%v(k)
      v_new(k) = newer%v(k)
    end do
  end subroutine copy_profiles

  ! Until the time lies between the two profiles, the newer becomes the older, and the next one is read.
  subroutine advance_profiles(time)
    real(wp), intent(in) :: time
    type(profile_t), pointer :: spare

    if (time < newer%time) return
    do while (time >= newer%time)
      spare => older
      older => newer
      newer => spare
      call read_profile(newer, older%time + interval)
    end do
    call copy_profiles()
  end subroutine advance_profiles

  ! Backward Euler step towards the wind at the time; relaxation [s] at the very edge.
  subroutine nudge(s, time, dt, relaxation)
    type(state_t), intent(inout) :: s
    real(wp), intent(in) :: time, dt, relaxation
    real(wp) :: late, share, uref, vref
    integer :: i, j, k

    call advance_profiles(time)
    late = (time - older%time)/interval
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          share = zone(i)*dt/relaxation
          uref = (1.0_wp - late)*u_old(k) + late*u_new(k)
          vref = (1.0_wp - late)*v_old(k) + late*v_new(k)
          s%ru(i, j, k) = (s%ru(i, j, k) + share*uref*0.5_wp*(s%rho(i - 1, j, k) + s%rho(i, j, k)))/(1.0_wp + share)
          s%rv(i, j, k) = (s%rv(i, j, k) + share*vref*0.5_wp*(s%rho(i, j - 1, k) + s%rho(i, j, k)))/(1.0_wp + share)
        end do
      end do
    end do
  end subroutine nudge

end module nudging_mod
