! Calls the routine of task 15_runmean for several shapes, twice or more each.
program main
  use tk, only: u_
  implicit none
  open (unit=u_, file='out.txt', status='replace')
  call drv(24, 16, 1)
  call drv(1, 1, 2)
  call drv(1, 33, 3)
  call drv(33, 1, 4)
  call drv(2, 3, 5)
  call drv(3, 2, 6)
  call drv(32, 7, 7)
  call drv(37, 2, 8)
  close (u_)
end program main

subroutine drv(n1, n2, iseed)
  use tk
  use runmean_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: x,a,b,c
  integer :: nv
  call tk_seed(n1, n2, iseed)

  allocate(x(n1,n2),a(n1,n2),b(n1,n2),c(n1,n2)); call fill(x,n1*n2,0d0,1d0)
  do icall_ = 1, 6

  call running_mean(n1,n2,x,merge(3,4,icall_<=4),a,b,c,nv)

  call dr('a',a,n1*n2); call dr('b',b,n1*n2); call dr('c',c,n1*n2); call dis('nv',nv)
  x = x*3.7d0; x = x - int(x)
  end do
end subroutine drv
