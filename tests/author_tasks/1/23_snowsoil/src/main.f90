! Calls the routine of task 23_snowsoil for several shapes, twice or more each.
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
  use snowsoil_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: s,l,t,r
  real(8), allocatable :: e(:),ro(:),fr(:)
  call tk_seed(n1, n2, iseed)

  allocate(s(n1,n2),l(n1,n2),t(n1,n2),r(n1,n2),e(n1),ro(n1),fr(n1))
  call fill(s,n1*n2,-10d0,40d0); s=max(0d0,s); call fill(l,n1*n2,0d0,4d0); call fill(t,n1*n2,255d0,273d0); call fill(r,n1*n2,80d0,520d0)
  call fill(e,n1,-50d0,300d0); call fill(ro,n1,0d0,1d0)
  do icall_ = 1, 2

  call snow_step(n1,n2,s,l,t,r,e,3600d0,ro,fr)

  call dr('s',s,n1*n2); call dr('l',l,n1*n2); call dr('t',t,n1*n2); call dr('r',r,n1*n2); call dr('ro',ro,n1); call dr('fr',fr,n1)
  end do
end subroutine drv
