  subroutine create_instead_of_copyin(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc data create(a) copyin(b)
    !$acc parallel loop collapse(2) present(a,b)
    do k = 1, nz
      do i = 1, nx
        a(i,k) = a(i,k) + b(i,k)
      end do
    end do
    !$acc update self(a)
    !$acc end data
  end subroutine create_instead_of_copyin
