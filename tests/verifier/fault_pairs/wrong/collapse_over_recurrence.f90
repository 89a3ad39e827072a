  subroutine collapse_over_recurrence(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop collapse(2) copy(a)
    do k = 2, nz
      do i = 1, nx
        a(i,k) = a(i,k) + 0.25d0*a(i,k-1)
      end do
    end do
  end subroutine collapse_over_recurrence
