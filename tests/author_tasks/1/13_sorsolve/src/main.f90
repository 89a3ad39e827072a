! Calls the routine of task 13_sorsolve for several shapes, twice or more each.
program main
  use tk, only: u_
  implicit none
  open (unit=u_, file='out.txt', status='replace')
  call drv(24, 16, 1)
  call drv(1, 1, 2)
  call drv(2, 2, 3)
  call drv(1, 33, 4)
  call drv(33, 1, 5)
  call drv(2, 3, 6)
  call drv(3, 2, 7)
  call drv(31, 31, 8)
  call drv(37, 2, 9)
  close (u_)
end program main

subroutine drv(n1, n2, iseed)
  use tk
  use sorsolve_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: u,v,p
  real(8) :: rm
  integer :: nd
  call tk_seed(n1, n2, iseed)

  allocate(u(n1,n2),v(n1,n2+1),p(n1,n2)); call fill(u,n1*n2,-1d0,1d0); call fill(v,n1*(n2+1),-1d0,1d0); call fill(p,n1*n2,-1d0,1d0)
  do icall_ = 1, 2

  call sor_pressure(n1,n2,1d0,1.2d0,u,v,p,1.4d0,10,merge(1d-3,0.3d0,icall_==1),rm,nd)

  call dr('u',u,n1*n2); call dr('v',v,n1*(n2+1)); call dr('p',p,n1*n2); call ds('rm',rm); call dis('nd',nd)
  end do
end subroutine drv
