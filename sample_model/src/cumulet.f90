! Cumulet: a small non-hydrostatic weather model with warm rain.
program cumulet
  use constants, only: wp
  use settings
  use grid, only: setup_grid
  use state, only: allocate_state, now
  use saturation, only: init_saturation
  use base_state, only: setup_base_state
  use initial, only: setup_initial_state, halo_state
  use dynamics, only: choose_time_step, rk3_step
  use surface_layer, only: surface_fluxes
  use turbulence_mod, only: vertical_mixing
  use microphysics, only: warm_rain
  use diagnostics, only: open_diagnostics, write_diagnostics, write_profile
  use dump, only: read_dump, write_dump
  implicit none

  real(wp) :: time, dt
  integer :: step, nsound

  call read_settings('namelist.nml')
  call setup_grid(sponge_depth, sponge_rate)
  call allocate_state()
  call init_saturation(table_density)
  call setup_base_state(case_name, moist, bv_freq)
  call setup_initial_state(case_name, moist, theta_amp, u_mean, u_shear, tskin_excess)

  time = 0.0_wp
  if (restart_file /= ' ') call read_dump(trim(restart_file), time)
  call open_diagnostics(diag_file)
  call choose_time_step(dt_max, cfl_target, dt, nsound)
  call write_diagnostics(restart_step, time, dt, nsound)

  do step = restart_step + 1, nsteps
    call choose_time_step(dt_max, cfl_target, dt, nsound)
    call rk3_step(dt, nsound, beta, smdiv, khoriz, moist)
    if (surface) call surface_fluxes(drag_coef, gust, moist, dt)
    if (turbulence) call vertical_mixing(dt, moist)
    if (moist) call warm_rain(dt)
    call halo_state(now)
    time = time + dt

    if (mod(step, diag_every) == 0 .or. step == nsteps) call write_diagnostics(step, time, dt, nsound)
    if (step == nsteps) exit
    if (dump_every > 0) then
      if (mod(step, dump_every) == 0) call write_dump(dump_prefix, step, time)
    end if
  end do

  call write_dump(dump_prefix, nsteps, time)
  call write_profile()
  write (*, '(a,i0,a,f0.1,a)') 'cumulet: ', nsteps, ' steps, ', time, ' s simulated'
end program cumulet
