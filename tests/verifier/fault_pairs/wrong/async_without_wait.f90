  subroutine async_without_wait(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc data copyin(b) create(c)
    !$acc parallel loop collapse(2) present(b,c) async(1)
    do k = 1, nz
      do i = 1, nx
        c(i,k) = 2d0*b(i,k)
      end do
    end do
    !$acc update self(c) async(1)
    s(1) = c(1,1) + c(nx,nz)
    !$acc wait(1)
    !$acc end data
  end subroutine async_without_wait
