! Calls the routine of task 01_satadj for several shapes, twice or more each.
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
  use satadj_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  real(8), allocatable :: t(:,:), qv(:,:), qc(:,:), p(:,:)
  integer, allocatable :: it(:,:)
  integer :: nf
  call tk_seed(n1, n2, iseed)

  allocate(t(n1,n2),qv(n1,n2),qc(n1,n2),p(n1,n2),it(n1,n2))
  call fill(t,n1*n2,215d0,303d0); call fill(qc,n1*n2,0d0,3d-3); call fill(p,n1*n2,2.5d4,1d5)
  call fill(qv,n1*n2,1d-5,2d-2)
  do icall_ = 1, 2

  call saturation_adjust(t,qv,qc,p,merge(4,2,icall_==1),it,nf)

  call dr('t',t,n1*n2); call dr('qv',qv,n1*n2); call dr('qc',qc,n1*n2); call di('it',it,n1*n2); call dis('nf',nf)
  t = t - 3d0
  end do
end subroutine drv
