  subroutine block_tail_dropped(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k, ib, l, nblk
    nblk = nx/32
    !$acc parallel loop collapse(2) copyin(b) copyout(c) private(i)
    do ib = 1, nblk
      do l = 1, 32
        i = (ib-1)*32+l
        if (i<=nx) then
          do k = 1, nz
            c(i,k) = b(i,k)*b(i,k)
          end do
        end if
      end do
    end do
  end subroutine block_tail_dropped
