! Calls the routine of task 11_obsfill for several shapes, twice or more each.
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
  use obsfill_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable :: ob(:),cl(:),t(:,:),fi(:),an(:)
  integer, allocatable :: co(:,:)
  integer :: li,nr,mg
  real(8) :: lv
  call tk_seed(n1, n2, iseed)

  n=n1*2
  allocate(ob(n),cl(n),t(n1,n2),fi(n),an(n),co(n1,n2))
  do i=1,n; cl(i)=285d0+5d0*sin(0.1d0*i); ob(i)=cl(i)+6d0*(rnd()-0.5d0); if (rnd()<0.3d0) ob(i)=-9999d0
    if (rnd()<0.1d0) ob(i)=ob(i)+25d0; end do
  call fill(t,n1*n2,270d0,300d0)
  do j=1,n2; do i=1,n1; co(i,j)=irnd(0,n+1); end do; end do
  do icall_ = 1, 2

  n=n1*2
  call fill_and_nudge(n,ob,cl,n1,n2,co,t,fi,an,lv,li,nr,mg)

  call dr('t',t,n1*n2); call dr('fi',fi,n); call dr('an',an,n); call ds('lv',lv); call di('x',[li,nr,mg],3)
  ob=cshift(ob,3)
  end do
end subroutine drv
