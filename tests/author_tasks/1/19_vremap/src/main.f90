! Calls the routine of task 19_vremap for several shapes, twice or more each.
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
  use vremap_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: ps,pd,qs,qd
  integer, allocatable :: kl(:,:),ns(:)
  integer :: nd
  call tk_seed(n1, n2, iseed)

  nd=n2+3
  allocate(ps(n2+1,n1),pd(nd+1,n1),qs(n2,n1),qd(nd,n1),kl(nd,n1),ns(n1))
  do i=1,n1; ps(1,i)=100d0*rnd(); do k=2,n2+1; ps(k,i)=ps(k-1,i)+20d0+1000d0*rnd(); end do
    pd(1,i)=100d0*rnd(); do k=2,nd+1; pd(k,i)=pd(k-1,i)+20d0+900d0*rnd(); end do; end do
  call fill(qs,n2*n1,0d0,1d0)
  do icall_ = 1, 2

  call remap_columns(n1,n2,nd,ps,pd,qs,qd,kl,ns)

  call dr('qd',qd,nd*n1); call di('kl',kl,nd*n1); call di('ns',ns,n1)
  qs=qs**2; pd=pd*1.05d0
  end do
end subroutine drv
