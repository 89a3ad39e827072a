  subroutine missing_private_array(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: tmp(8)
    !$acc parallel loop copyin(b) copyout(c)
    do i = 1, nx
      do k = 1, nz
        tmp(k) = b(i,k)*2d0
      end do
      c(i,1) = tmp(1)
      do k = 2, nz
        c(i,k) = tmp(k)-tmp(k-1)
      end do
    end do
  end subroutine missing_private_array
