  subroutine missing_reduction(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: acc
    acc = 0d0
    !$acc parallel loop collapse(2) copyin(a,b)
    do k = 1, nz
      do i = 1, nx
        acc = acc + a(i,k)*b(i,k)
      end do
    end do
    s(1) = acc
  end subroutine missing_reduction
