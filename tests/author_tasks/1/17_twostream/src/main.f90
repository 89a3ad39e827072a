! Calls the routine of task 17_twostream for several shapes, twice or more each.
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
  call drv(7, 61, 8)
  close (u_)
end program main

subroutine drv(n1, n2, iseed)
  use tk
  use twostream_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable :: mu(:),al(:),ta(:,:,:),ss(:,:,:),as(:,:),w(:),fu(:,:),fd(:,:),fr(:,:),sf(:,:)
  integer :: kg,lo
  call tk_seed(n1, n2, iseed)

  kg=6; lo=n1+2
  allocate(mu(lo),al(lo),ta(lo,n2,kg),ss(lo,n2,kg),as(lo,n2),w(kg),fu(lo,n2+1),fd(lo,n2+1),fr(lo,n2+1),sf(lo,kg))
  call fill(mu,lo,-0.3d0,1d0); call fill(al,lo,0.05d0,0.6d0); call fill(ta,lo*n2*kg,0d0,1.5d0); call fill(ss,lo*n2*kg,0d0,0.999d0)
  call fill(as,lo*n2,0d0,0.9d0); call fill(w,kg,10d0,200d0); fu=-1d0; fd=-1d0; fr=-1d0; sf=-1d0
  do icall_ = 1, 2

  call sw_twostream(2,n1+1,lo,n2,kg,mu,al,ta,ss,as,w,fu,fd,fr,sf)

  call dr('fu',fu,lo*(n2+1)); call dr('fd',fd,lo*(n2+1)); call dr('fr',fr,lo*(n2+1)); call dr('sf',sf,lo*kg); mu=-mu
  end do
end subroutine drv
