  subroutine missing_update_host(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc data copyin(b) copyout(c)
    !$acc parallel loop collapse(2) present(b,c)
    do k = 1, nz
      do i = 1, nx
        c(i,k) = 2d0*b(i,k)
      end do
    end do
    s(1) = c(1,1) + c(nx,nz)
    !$acc end data
  end subroutine missing_update_host
