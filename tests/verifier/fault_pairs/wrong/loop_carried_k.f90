  subroutine loop_carried_k(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop copy(a) copyin(b)
    do k = 2, nz
      do i = 1, nx
        a(i,k) = 0.5d0*a(i,k-1) + b(i,k)
      end do
    end do
  end subroutine loop_carried_k
