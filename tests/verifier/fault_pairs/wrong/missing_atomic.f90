  subroutine missing_atomic(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop collapse(2) copyin(b,idx) copy(c)
    do k = 1, nz
      do i = 1, nx
        c(idx(i),k) = c(idx(i),k) + b(i,k)
      end do
    end do
  end subroutine missing_atomic
