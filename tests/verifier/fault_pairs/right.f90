module kernels
  implicit none
contains
  subroutine missing_reduction(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: acc
    acc = 0d0
    !$acc parallel loop collapse(2) copyin(a,b) reduction(+:acc)
    do k = 1, nz
      do i = 1, nx
        acc = acc + a(i,k)*b(i,k)
      end do
    end do
    s(1) = acc
  end subroutine missing_reduction

  subroutine missing_private_array(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: tmp(8)
    !$acc parallel loop copyin(b) copyout(c) private(tmp)
    do i = 1, nx
      do k = 1, nz
        tmp(k) = b(i,k)*2d0
      end do
      c(i,1) = tmp(1)
      do k = 2, nz
        c(i,k) = tmp(k)-tmp(k-1)
      end do
    end do
  end subroutine missing_private_array

  subroutine loop_carried_k(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop copy(a) copyin(b)
    do i = 1, nx
      do k = 2, nz
        a(i,k) = 0.5d0*a(i,k-1) + b(i,k)
      end do
    end do
  end subroutine loop_carried_k

  subroutine block_tail_dropped(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k, ib, l, nblk
    nblk = (nx+31)/32
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
        ip = min(i+1,nx)
        c(i,k) = b(i,k) + w*b(ip,k)
      end do
    end do
  end subroutine oob_masked_read

  subroutine missing_copyin_present(nx,nz,a,b,c,idx,s)
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
    !$acc end data
  end subroutine missing_copyin_present

  subroutine missing_copyout(nx,nz,a,b,c,idx,s)
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
    !$acc end data
  end subroutine missing_copyout

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
    !$acc update self(c)
    s(1) = c(1,1) + c(nx,nz)
    !$acc end data
  end subroutine missing_update_host

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
    !$acc update device(b)
    !$acc parallel loop collapse(2) present(b,c)
    do k = 1, nz
      do i = 1, nx
        c(i,k) = 3d0*b(i,k)
      end do
    end do
    !$acc end data
  end subroutine missing_update_device

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
      !$acc update device(b)
    end do
    !$acc exit data delete(b,c)
  end subroutine stale_present_or_copyin

  subroutine precision_drop(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: t
    !$acc parallel loop collapse(2) copyin(a,b) copyout(c) private(t)
    do k = 1, nz
      do i = 1, nx
        t = b(i,k)*1.1d0
        c(i,k) = t + a(i,k)
      end do
    end do
  end subroutine precision_drop

  subroutine collapse_over_recurrence(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop copy(a)
    do i = 1, nx
      do k = 2, nz
        a(i,k) = a(i,k) + 0.25d0*a(i,k-1)
      end do
    end do
  end subroutine collapse_over_recurrence

  subroutine uninit_private(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: acc
    !$acc parallel loop copyin(b) copyout(c) private(acc)
    do i = 1, nx
      acc = 0d0
      do k = 1, nz
        acc = acc + b(i,k)
        c(i,k) = acc
      end do
    end do
  end subroutine uninit_private

  subroutine create_instead_of_copyin(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc data copyin(a,b)
    !$acc parallel loop collapse(2) present(a,b)
    do k = 1, nz
      do i = 1, nx
        a(i,k) = a(i,k) + b(i,k)
      end do
    end do
    !$acc update self(a)
    !$acc end data
  end subroutine create_instead_of_copyin

  subroutine indirect_scatter_race(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop copyin(b,idx) copy(c)
    do k = 1, nz
      do i = 1, nx
        c(idx(i),k) = b(i,k)
      end do
    end do
  end subroutine indirect_scatter_race

  subroutine missing_atomic(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop collapse(2) copyin(b,idx) copy(c)
    do k = 1, nz
      do i = 1, nx
        !$acc atomic update
        c(idx(i),k) = c(idx(i),k) + b(i,k)
      end do
    end do
  end subroutine missing_atomic

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
    !$acc wait(1)
    s(1) = c(1,1) + c(nx,nz)
    !$acc wait(1)
    !$acc end data
  end subroutine async_without_wait

  subroutine antidependence_inplace(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    !$acc parallel loop collapse(2) copyin(a) copy(c)
    do k = 1, nz
      do i = 2, nx
        c(i,k) = a(i,k)
      end do
    end do
    !$acc parallel loop collapse(2) copyin(c) copy(a)
    do k = 1, nz
      do i = 1, nx-1
        a(i,k) = a(i,k) + 0.5d0*c(i+1,k)
      end do
    end do
  end subroutine antidependence_inplace

  subroutine wrong_reduction_identity(nx,nz,a,b,c,idx,s)
    integer, intent(in) :: nx,nz,idx(nx)
    real(8), intent(inout) :: a(nx,nz),b(nx,nz),c(nx,nz),s(4)
    integer :: i, k
    real(8) :: m
    m = -huge(1d0)
    !$acc parallel loop collapse(2) copyin(a) reduction(max:m)
    do k = 1, nz
      do i = 1, nx
        m = max(m,a(i,k))
      end do
    end do
    s(2) = m
  end subroutine wrong_reduction_identity
end module kernels
