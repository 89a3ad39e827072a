! Fills three fields, calls the kernel and prints what it leaves.
program driver
  use kernel, only: run
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  integer :: nx, nz, i, k
  real(wp), allocatable :: a(:, :), b(:, :), c(:, :)
  real(wp) :: s(4)
  namelist /case/ nx, nz

  open (10, file='case.nml', status='old')
  read (10, nml=case)
  close (10)
  allocate (a(nx, nz), b(nx, nz), c(nx, nz))
  do k = 1, nz
    do i = 1, nx
      a(i, k) = 0.5_wp + 0.4_wp*sin(0.7_wp*i + 1.3_wp*k)
      b(i, k) = 1.5_wp + 0.5_wp*cos(0.3_wp*i*k)
      c(i, k) = 0.25_wp + 0.001_wp*i
    end do
  end do
  s = 0.0_wp
  call run(nx, nz, a, b, c, s)
  print '(4es24.16)', s, a, c
end program driver
