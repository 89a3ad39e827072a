  subroutine missing_update_device(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc data copyin(b) copyout(c)
    do k = 1, nz
      do i = 1, nx
        b(i,k) = b(i,k) + 1d0
      end do
    end do
    !$acc parallel loop collapse(2) present(b,c)
    do k = 1, nz
      do i = 1, nx
        c(i,k) = 3d0*b(i,k)
      end do
    end do
    !$acc end data
  end subroutine missing_update_device
