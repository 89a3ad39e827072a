program lorenz96
  use lorenz, only: wp, step_rk4, mean_of
  use state_file, only: write_state, read_state
  implicit none
  integer :: n = 400, nsteps = 120, every = 1, spinup = 1000, restart_step = 0
  real(wp) :: dt = 0.05_wp
  character(len=64) :: restart = ' '
  real(wp), allocatable :: x(:)
  integer :: step, i, unit
  namelist /run/ n, nsteps, every, spinup, dt, restart, restart_step

  open (newunit=unit, file='lorenz.nml', status='old', action='read')
  read (unit, nml=run)
  close (unit)

  allocate (x(n))
  if (restart /= ' ') then
    call read_state(trim(restart), x)
  else
    do i = 1, n
      x(i) = 8.0_wp + 0.01_wp*real(mod(7*i, 13), wp)
    end do
    do step = 1, spinup
      call step_rk4(x, dt)
    end do
    call write_state(0, x)
  end if

  do step = restart_step + 1, nsteps
    call step_rk4(x, dt)
    if (mod(step, every) == 0) call write_state(step, x)
  end do
  write (*, '(a,es24.16)') 'mean', mean_of(x)
end program lorenz96
