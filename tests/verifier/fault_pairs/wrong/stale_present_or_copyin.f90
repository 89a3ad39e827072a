  subroutine stale_present_or_copyin(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k, it
    !$acc enter data copyin(b) create(c)
    do it = 1, 2
      !$acc data copyin(b)
      !$acc parallel loop collapse(2) present(b,c)
      do k = 1, nz
        do i = 1, nx
          c(i,k) = 1.5d0*b(i,k)
        end do
      end do
      !$acc end data
      !$acc update self(c)
      do k = 1, nz
        do i = 1, nx
          b(i,k) = b(i,k) + 0.1d0*c(i,k)
        end do
      end do
    end do
    !$acc exit data delete(b,c)
  end subroutine stale_present_or_copyin
