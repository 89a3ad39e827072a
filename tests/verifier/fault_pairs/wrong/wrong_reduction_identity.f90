  subroutine wrong_reduction_identity(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: m
    m = 0d0
    !$acc parallel loop collapse(2) copyin(a) reduction(max:m)
    do k = 1, nz
      do i = 1, nx
        m = max(m,a(i,k))
      end do
    end do
    s(2) = m
  end subroutine wrong_reduction_identity
