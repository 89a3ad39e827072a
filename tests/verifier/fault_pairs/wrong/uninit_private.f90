  subroutine uninit_private(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: acc
    acc = 0d0
    !$acc parallel loop copyin(b) copyout(c) private(acc)
    do i = 1, nx
      do k = 1, nz
        acc = acc + b(i,k)
        c(i,k) = acc
      end do
    end do
  end subroutine uninit_private
