! Cumulet: a small non-hydrostatic weather model with warm rain.
program cumulet
  use constants, only: wp
  use settings
  use grid, only: setup_grid
  use state, only: allocate_state, now, rain
  use saturation, only: init_saturation
  use base_state, only: setup_base_state
  use initial, only: setup_initial_state, halo_state
  use dynamics, only: choose_time_step, rk3_step
  use surface_layer, only: surface_fluxes
  use turbulence_mod, only: vertical_mixing
  use microphysics, only: warm_rain
  use diagnostics, only: open_diagnostics, write_diagnostics, write_profile
  use dump, only: read_dump, write_dump
  use columns, only: column_t, allocate_columns, apply_heating
  use radiation_mod, only: init_radiation, radiative_heating
  use land, only: land_t, setup_land, land_step
  use tracer_mod, only: tracer_t, setup_tracers, tracer_step
  use convection_mod, only: setup_convection, convective_adjustment
  use ice_phase, only: cold_cloud
  use nudging_mod, only: setup_nudging, nudge
  use statistics_mod, only: open_statistics, write_statistics
  implicit none

  real(wp) :: time, dt
  integer :: step, nsound
  type(column_t) :: col
  type(land_t) :: island
  type(tracer_t) :: air

  call read_settings('namelist.nml')
  call setup_grid(sponge_depth, sponge_rate)
  call allocate_state()
  call init_saturation(table_density)
  call setup_base_state(case_name, moist, bv_freq)
  call setup_initial_state(case_name, moist, theta_amp, u_mean, u_shear, tskin_excess, noise_amp)

  if (radiation) then
    call init_radiation(thickness)
    call allocate_columns(col)
  end if
  if (soil) call setup_land(island, col, wetness)
  if (convection) call setup_convection()
  if (nudging) call setup_nudging(profile_every, u_mean, u_shear)
  if (tracers) then
    if (soil) then
      call setup_tracers(air, restart_step, island%point)
    else
      call setup_tracers(air, restart_step)
    end if
  end if

  time = 0.0_wp
  if (restart_file /= ' ') call read_dump(trim(restart_file), time, col, island, air)
  call open_diagnostics(diag_file)
  if (statistics) call open_statistics(statistics_file, now)
  call choose_time_step(dt_max, cfl_target, dt, nsound)
  call write_diagnostics(restart_step, time, dt, nsound)

  do step = restart_step + 1, nsteps
    call choose_time_step(dt_max, cfl_target, dt, nsound)
    call rk3_step(dt, nsound, beta, smdiv, khoriz, moist, ice)
    if (radiation) then
      if (mod(step - 1, radiation_every) == 0) call radiative_heating(now, col, latitude, day, hour, time)
      call apply_heating(col, now, dt)
    end if
    if (soil) call land_step(island, now, col, drag_coef, gust, dt)
    if (surface) call surface_fluxes(drag_coef, gust, moist, dt)
    if (turbulence) call vertical_mixing(dt, moist, ice)
    if (tracers) call tracer_step(air, now, turbulence, dt)
    if (convection) call convective_adjustment(now, relaxation, dt)
    if (moist) call warm_rain(dt)
    if (ice) call cold_cloud(now, rain, dt)
    if (nudging) call nudge(now, time + dt, dt, edge_time)
    call halo_state(now)
    time = time + dt

    if (mod(step, diag_every) == 0 .or. step == nsteps) then
      call write_diagnostics(step, time, dt, nsound)
      if (statistics) call write_statistics(now, step)
    end if
    if (step == nsteps) exit
    if (dump_every > 0) then
      if (mod(step, dump_every) == 0) call write_dump(dump_prefix, step, time, col, island, air)
    end if
  end do

  call write_dump(dump_prefix, nsteps, time, col, island, air)
  call write_profile()
  write (*, '(a,i0,a,f0.1,a)') 'cumulet: ', nsteps, ' steps, ', time, ' s simulated'
end program cumulet
