! Calls the routine of task 07_edgeflux for several shapes, twice or more each.
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
  use edgeflux_mod
  implicit none
  integer, intent(in) :: n1, n2, iseed
  integer :: icall_, i, j, k, n, m

  integer, allocatable :: cid(:,:),ic(:,:),iv(:,:)
  integer :: nc,ne,nv,jj(2),nl
  real(8), allocatable, dimension(:) :: el,ed,ar,un,q,te,qn,qx,vo
  call tk_seed(n1, n2, iseed)

  nc=n1*n2; ne=0
  allocate(cid(n1,n2)); k=0
  do j=1,n2; do i=1,n1; k=k+1; cid(i,j)=k; end do; end do
  do k=nc,2,-1; m=irnd(1,k); i=mod(k-1,n1)+1; j=(k-1)/n1+1; n=cid(i,j)
    cid(i,j)=cid(mod(m-1,n1)+1,(m-1)/n1+1); cid(mod(m-1,n1)+1,(m-1)/n1+1)=n; end do
  allocate(ic(2,4*nc+4),iv(2,4*nc+4)); nv=nc+2
  do j=1,n2; do i=1,n1
    if (i<n1) call addedge(cid(i,j),cid(i+1,j))
    if (j<n2) call addedge(cid(i,j),cid(i,j+1))
    if (i<n1.and.j<n2) call addedge(cid(i+1,j+1),cid(i,j))
    if (i==1.or.i==n1) call addedge(cid(i,j),0)
    if (j==1.or.j==n2) call addedge(cid(i,j),0)
  end do; end do
  do k=ne,2,-1; m=irnd(1,k); jj=ic(:,k); ic(:,k)=ic(:,m); ic(:,m)=jj; end do
  allocate(el(ne),ed(ne),ar(nc),un(ne),q(nc),te(nc),qn(nc),qx(nc),vo(nv))
  call fill(el,ne,5d2,2d3); call fill(ed,ne,5d2,2d3); call fill(ar,nc,1d6,2d6); call fill(un,ne,-30d0,30d0); call fill(q,nc,0d0,10d0)
  do icall_ = 1, 2

  call edge_transport(nc,ne,nv,ic(:,1:ne),iv(:,1:ne),el,ed,ar,un,q,30d0*icall_,te,qn,qx,vo,nl)

  call dr('q',q,nc); call dr('te',te,nc); call dr('qn',qn,nc); call dr('qx',qx,nc); call dr('vo',vo,nv); call dis('nl',nl)
  end do
contains
  subroutine addedge(a,b)
    integer, intent(in) :: a,b
    ne=ne+1; ic(1,ne)=a; ic(2,ne)=b; iv(1,ne)=irnd(1,nv); iv(2,ne)=irnd(1,nv)
  end subroutine
end subroutine drv
