  subroutine oob_masked_read(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k, ip
    real(8) :: w
    !$acc parallel loop collapse(2) copyin(b) copyout(c) private(w, ip)
    do k = 1, nz
      do i = 1, nx
        w = 1d0
        if (i==nx) w = 0d0
        ip = i+1
        c(i,k) = b(i,k) + w*b(ip,k)
      end do
    end do
  end subroutine oob_masked_read
