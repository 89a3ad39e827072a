! The four namelist groups of namelist.nml, their defaults and their checks.
module settings
  use constants, only: wp
  use grid, only: nx, ny, nz, dx, dy, dz, nzmax
  implicit none
  public

  ! &run
  character(len=16) :: case_name = 'warm_bubble'
  integer :: nsteps = 100
  integer :: dump_every = 0                    ! 0: only at the end
  integer :: diag_every = 10
  character(len=64) :: dump_prefix = 'dump_'
  character(len=64) :: diag_file = 'diag.txt'
  character(len=64) :: restart_file = ' '      ! a dump to go on from; blank: start the case
  integer :: restart_step = 0                  ! the step that dump was written at

  ! &dynamics
  real(wp) :: dt_max = 5.0_wp                  ! largest time step [s]
  real(wp) :: cfl_target = 0.9_wp              ! advective Courant number that limits it
  real(wp) :: beta = 0.1_wp                    ! off-centring of the implicit vertical step
  real(wp) :: smdiv = 0.1_wp                   ! divergence damping
  real(wp) :: khoriz = 0.0_wp                  ! horizontal diffusivity [m2 s-1]
  real(wp) :: sponge_depth = 0.0_wp            ! [m]
  real(wp) :: sponge_rate = 0.0_wp             ! [s-1]
  real(wp) :: u_mean = 0.0_wp                  ! initial wind at the ground [m s-1]
  real(wp) :: u_shear = 0.0_wp                 ! and what tanh(z/3 km) adds to it [m s-1]

  ! &physics
  logical :: moist = .true.
  logical :: turbulence = .true.
  logical :: surface = .true.
  real(wp) :: theta_amp = 2.0_wp               ! amplitude of the initial perturbation [K]
  real(wp) :: drag_coef = 1.2e-3_wp            ! bulk exchange coefficient
  real(wp) :: gust = 1.0_wp                    ! smallest wind speed of the bulk formula [m s-1]
  real(wp) :: tskin_excess = 1.0_wp            ! skin minus lowest air temperature [K]
  integer :: table_density = 5                 ! nodes per kelvin of the saturation table
  real(wp) :: bv_freq = 0.01_wp                ! Brunt-Vaisala frequency, gravity_wave [s-1]

  ! &columns
  logical :: radiation = .false.
  integer :: radiation_every = 10              ! steps
  real(wp) :: thickness = 1.0_wp               ! of the absorbing gases: 1 is the atmosphere of today
  real(wp) :: latitude = 35.0_wp               ! [degree]
  integer :: day = 172                         ! of the year
  real(wp) :: hour = 12.0_wp                   ! solar time of the first step
  logical :: soil = .false.
  real(wp) :: wetness = 0.5_wp                 ! of the soil at first, 0 to 1
  logical :: convection = .false.
  real(wp) :: relaxation = 7200.0_wp           ! of convective instability [s]
  logical :: ice = .false.
  logical :: tracers = .false.
  logical :: nudging = .false.
  real(wp) :: profile_every = 300.0_wp         ! interval of the large-scale profiles [s]
  real(wp) :: edge_time = 600.0_wp             ! relaxation to them at the very edge [s]
  real(wp) :: noise_amp = 0.0_wp               ! of a random temperature in the lowest kilometre [K]
  logical :: statistics = .false.
  character(len=64) :: statistics_file = 'stats.txt'

contains

  subroutine read_settings(filename)
    character(len=*), intent(in) :: filename
    integer :: unit, ios
    logical :: there
    character(len=200) :: msg
    namelist /run/ case_name, nx, ny, nz, dx, dy, dz, nsteps, dump_every, diag_every, dump_prefix, diag_file, &
      restart_file, restart_step
    namelist /dynamics/ dt_max, cfl_target, beta, smdiv, khoriz, sponge_depth, sponge_rate, u_mean, u_shear
    namelist /physics/ moist, turbulence, surface, theta_amp, drag_coef, gust, tskin_excess, bv_freq, &
      table_density
    namelist /columns/ radiation, radiation_every, thickness, latitude, day, hour, soil, wetness, convection, &
      relaxation, ice, tracers, nudging, profile_every, edge_time, noise_amp, statistics, statistics_file

    nx = 48
    ny = 24
    nz = 32
    dx = 500.0_wp
    dy = 500.0_wp
    dz = 400.0_wp

    inquire (file=filename, exist=there)
    if (.not. there) then
      write (*, '(3a)') 'cumulet: namelist file "', trim(filename), '" not found in the current directory'
      error stop 1
    end if

    open (newunit=unit, file=filename, status='old', action='read')
    read (unit, nml=run, iostat=ios, iomsg=msg)
    call check_read('run', ios, msg)
    rewind (unit)
    read (unit, nml=dynamics, iostat=ios, iomsg=msg)
    call check_read('dynamics', ios, msg)
    rewind (unit)
    read (unit, nml=physics, iostat=ios, iomsg=msg)
    call check_read('physics', ios, msg)
    rewind (unit)
    read (unit, nml=columns, iostat=ios, iomsg=msg)
    call check_read('columns', ios, msg)
    close (unit)

    call require(nx >= 4, 'nx must be at least 4')
    call require(ny >= 1, 'ny must be at least 1')
    call require(nz >= 4 .and. nz <= nzmax - 1, 'nz must lie between 4 and nzmax - 1')
    call require(min(dx, dy, dz) > 0.0_wp, 'dx, dy and dz must be positive')
    call require(nsteps >= 0, 'nsteps must not be negative')
    call require(restart_step >= 0 .and. restart_step <= nsteps, 'restart_step must lie between 0 and nsteps')
    call require(diag_every >= 1, 'diag_every must be at least 1')
    call require(dump_every >= 0, 'dump_every must not be negative')
    call require(dt_max > 0.0_wp, 'dt_max must be positive')
    call require(cfl_target > 0.0_wp, 'cfl_target must be positive')
    call require(turbulence .or. .not. surface, 'surface fluxes need turbulence = .true.')
    call require(radiation_every >= 1, 'radiation_every must be at least 1')
    call require(thickness >= 0.0_wp, 'thickness must not be negative')
    call require(moist .or. .not. (ice .or. convection), 'ice and convection need moist = .true.')
    call require(min(relaxation, edge_time) > 0.0_wp, 'relaxation and edge_time must be positive')
    call require(profile_every > 0.0_wp, 'profile_every must be positive')
    call require(radiation .or. .not. soil, 'soil needs radiation = .true.')
    call require(surface .or. .not. soil, 'soil needs surface = .true.')
    call require(wetness >= 0.0_wp .and. wetness <= 1.0_wp, 'wetness must lie between 0 and 1')
    call require(beta >= 0.0_wp .and. beta <= 1.0_wp, 'beta must lie between 0 and 1')
  end subroutine read_settings

  subroutine check_read(group, ios, msg)
    character(len=*), intent(in) :: group, msg
    integer, intent(in) :: ios

    if (ios == 0) return
    write (*, '(4a)') 'cumulet: cannot read namelist group &', group, ': ', trim(msg)
    error stop 1
  end subroutine check_read

  subroutine require(condition, message)
    logical, intent(in) :: condition
    character(len=*), intent(in) :: message

    if (condition) return
    write (*, '(2a)') 'cumulet: bad namelist value: ', message
    error stop 1
  end subroutine require

end module settings
