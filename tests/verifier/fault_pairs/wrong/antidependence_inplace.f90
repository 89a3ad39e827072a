  subroutine antidependence_inplace(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    do k = 1, nz
      do i = 2, nx
        c(i,k) = a(i,k)
      end do
    end do
    !$acc parallel loop collapse(2) copy(a)
    do k = 1, nz
      do i = 1, nx-1
        a(i,k) = a(i,k) + 0.5d0*a(i+1,k)
      end do
    end do
  end subroutine antidependence_inplace
