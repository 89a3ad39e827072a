! Calls the routine of task 05_xadv for several shapes, twice or more each.
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
  use xadv_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable :: u(:,:),q(:,:,:),rdx(:),of(:,:)
  integer, parameter :: nt=3
  call tk_seed(n1, n2, iseed)

  allocate(u(n1+1,n2),q(1-nh:n1+nh,n2,nt),rdx(n2),of(n2,nt))
  call fill(u,(n1+1)*n2,-20d0,20d0); q=-1d30
  do m=1,nt; do j=1,n2; do i=1,n1; q(i,j,m)=rnd(); end do; end do; end do
  call fill(rdx,n2,1d-3,2d-3); of=0.25d0
  do icall_ = 1, 2

  call advect_x(n1,n2,nt,u,q,rdx,20d0,icall_==1,of)

  call dr('q',q,(n1+2*nh)*n2*nt); call dr('of',of,n2*nt)
  end do
end subroutine drv
