! Calls the routine of task 09_cldsort for several shapes, twice or more each.
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
  use cldsort_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: cc,lw,wp
  integer, allocatable :: od(:,:),nc(:)
  real(8), allocatable :: cv(:),wm(:)
  call tk_seed(n1, n2, iseed)

  allocate(cc(n1,n2),lw(n1,n2),wp(n1,n2),od(n1,n2),nc(n1),cv(n1),wm(n1))
  call fill(cc,n1*n2,-0.5d0,1d0); cc=max(0d0,cc); cc=nint(cc*20d0)/20d0; call fill(lw,n1*n2,0d0,0.3d0)
  do icall_ = 1, 2

  call cloud_overlap(n1,n2,cc,lw,od,nc,cv,wp,wm)

  call di('od',od,n1*n2); call di('nc',nc,n1); call dr('cv',cv,n1); call dr('wp',wp,n1*n2); call dr('wm',wm,n1)
  cc = cshift(cc,1,2)
  end do
end subroutine drv
