! Calls the routine of task 21_convadj for several shapes, twice or more each.
program main
  use tk, only: u_
  implicit none
  open (unit=u_, file='out.txt', status='replace')
  call drv(24, 16, 1)
  call drv(1, 1, 2)
  call drv(1, 33, 3)
  call drv(33, 1, 4)
  call drv(2, 3, 5)
  call drv(31, 5, 6)
  call drv(32, 7, 7)
  call drv(37, 2, 8)
  close (u_)
end program main

subroutine drv(n1, n2, iseed)
  use tk
  use convadj_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: t,q,p,d
  integer, allocatable :: np(:),kt(:),is(:)
  logical, allocatable :: st(:)
  call tk_seed(n1, n2, iseed)

  allocate(t(n1,n2),q(n1,n2),p(n1,n2),d(n1,n2),np(n1),kt(n1),st(n1),is(n1))
  do k=1,n2; do i=1,n1; p(i,k)=2d4+8d4*(k-0.5d0)/n2; d(i,k)=8d4/n2*(1d0+0.1d0*rnd())
    t(i,k)=290d0*(p(i,k)/1d5)**0.25d0+4d0*(rnd()-0.5d0); end do; end do
  call fill(q,n1*n2,0d0,1d-2)
  do icall_ = 1, 2

  call dry_adjust(t,q,p,d,merge(8,40,icall_==1),np,kt,st)

  is=merge(1,0,st); call dr('t',t,n1*n2); call dr('q',q,n1*n2); call di('np',np,n1); call di('kt',kt,n1); call di('st',is,n1)
  t(:,n2)=t(:,n2)+2d0
  end do
end subroutine drv
