program layer
  use grid, only: wp, n_dom, construct_patches, destruct_patches
  use state
  use dynamics, only: step_domain
  use transport, only: advect
  use output, only: write_state
  implicit none
  integer :: step, jg, nsteps
  namelist /run/ nsteps
  nsteps = 6
  open (10, file='run.nml', status='old')
  read (10, nml=run)
  close (10)
  open (20, file='layer.txt', status='replace')
  call construct_patches(16, 12)
  call construct_states()
  call initial_state()
  call write_state(0)
  do step = 1, nsteps
    do jg = 1, n_dom
      call step_domain(jg, 2.0_wp)
      call advect(jg, 2.0_wp)
      call swap_levels(jg)
    end do
    if (mod(step, 3) == 0) call write_state(step)
  end do
  write (20, '(a, i6)') 'wind', ext%calls
  close (20)
  call destruct_states()
  call destruct_patches()
end program layer
