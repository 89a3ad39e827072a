program column
  use constants, only: wp
  use state
  use physics, only: condense, diffuse
  use dynamics, only: halo, advect, hydrostatic
  implicit none
  integer :: step, nsteps, unit
  real(wp) :: rained, total
  real(wp), allocatable :: p(:)
  namelist /run/ nx, nz, nsteps
  nsteps = 4
  open (newunit=unit, file='run.nml', status='old')
  read (unit, run)
  close (unit)
  call allocate_state()
  allocate (p(nz))
  total = 0.0_wp
  do step = 1, nsteps
    call halo()
    call advect()
    call condense(rained)
    call diffuse()
    total = total + rained
  end do
  !$acc update self(theta, q)
  call hydrostatic(p)
  open (newunit=unit, file='state.txt', status='replace')
  write (unit, '(a,es24.16)') 'rained', total
  write (unit, '(6es24.16)') theta(1:nx,:), q(1:nx,:), p
  close (unit)
  print *, 'done'
end program column
