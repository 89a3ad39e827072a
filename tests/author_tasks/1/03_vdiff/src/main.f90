! Calls the routine of task 03_vdiff for several shapes, twice or more each.
program main
  use tk, only: u_
  implicit none
  open (unit=u_, file='out.txt', status='replace')
  call drv(24, 16, 1)
  call drv(1, 1, 2)
  call drv(1, 2, 3)
  call drv(33, 1, 4)
  call drv(2, 3, 5)
  call drv(31, 5, 6)
  call drv(32, 7, 7)
  call drv(13, 61, 8)
  close (u_)
end program main

subroutine drv(n1, n2, iseed)
  use tk
  use vdiff_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable, dimension(:,:) :: ph,pf,t,q,u,v,kh,km,tt
  real(8), allocatable :: sh(:),lh(:)
  integer :: np
  call tk_seed(n1, n2, iseed)

  np = n1+3
  allocate(ph(np,n2+1),pf(np,n2),t(np,n2),q(np,n2),u(np,n2),v(np,n2),kh(np,n2),km(np,n2),tt(np,n2),sh(np),lh(np))
  do k=1,n2+1; do i=1,np; ph(i,k)=1d4+8.8d4*dble(k-1)/n2+100d0*rnd(); end do; end do
  pf = 0.5d0*(ph(:,1:n2)+ph(:,2:))
  call fill(t,np*n2,220d0,300d0); call fill(q,np*n2,0d0,1d-2); call fill(u,np*n2,-20d0,20d0)
  call fill(v,np*n2,-20d0,20d0); call fill(kh,np*n2,0d0,60d0); call fill(km,np*n2,0.1d0,50d0)
  call fill(sh,np,-50d0,300d0); call fill(lh,np,-100d0,300d0); call fill(tt,np*n2,-1d-4,1d-4)
  do icall_ = 1, 2

  call vdiff_implicit(np,n1,n2,300d0,ph,pf,t,q,u,v,kh,km,sh,lh,tt)

  call dr('t',t,np*n2); call dr('q',q,np*n2); call dr('u',u,np*n2); call dr('v',v,np*n2); call dr('tt',tt,np*n2)
  implfac = 1.1d0
  end do
end subroutine drv
