  subroutine precision_drop(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(4) :: t
    !$acc parallel loop collapse(2) copyin(a,b) copyout(c) private(t)
    do k = 1, nz
      do i = 1, nx
        t = b(i,k)*1.1d0
        c(i,k) = t + a(i,k)
      end do
    end do
  end subroutine precision_drop
