! Every kernel on a few shapes: one, odd, no multiple of 32; values of both signs and negative ones.
program main
  use kernels
  implicit none
  call all_kernels(1, 1, -1d0)
  call all_kernels(7, 5, 1d0)
  call all_kernels(33, 4, -1d0)
contains
  subroutine all_kernels(nx, nz, sign)
    integer, intent(in) :: nx, nz
    real(8), intent(in) :: sign
    real(8), allocatable :: a(:,:), b(:,:), c(:,:)
    real(8) :: s(4)
    integer, allocatable :: idx(:)
    allocate (a(nx, nz), b(nx, nz), c(nx, nz), idx(nx))
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_reduction(nx, nz, a, b, c, idx, s)
    call show('missing_reduction', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_private_array(nx, nz, a, b, c, idx, s)
    call show('missing_private_array', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call loop_carried_k(nx, nz, a, b, c, idx, s)
    call show('loop_carried_k', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call block_tail_dropped(nx, nz, a, b, c, idx, s)
    call show('block_tail_dropped', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call oob_masked_read(nx, nz, a, b, c, idx, s)
    call show('oob_masked_read', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_copyin_present(nx, nz, a, b, c, idx, s)
    call show('missing_copyin_present', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_copyout(nx, nz, a, b, c, idx, s)
    call show('missing_copyout', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_update_host(nx, nz, a, b, c, idx, s)
    call show('missing_update_host', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_update_device(nx, nz, a, b, c, idx, s)
    call show('missing_update_device', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call stale_present_or_copyin(nx, nz, a, b, c, idx, s)
    call show('stale_present_or_copyin', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call precision_drop(nx, nz, a, b, c, idx, s)
    call show('precision_drop', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call collapse_over_recurrence(nx, nz, a, b, c, idx, s)
    call show('collapse_over_recurrence', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call uninit_private(nx, nz, a, b, c, idx, s)
    call show('uninit_private', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call create_instead_of_copyin(nx, nz, a, b, c, idx, s)
    call show('create_instead_of_copyin', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call indirect_scatter_race(nx, nz, a, b, c, idx, s)
    call show('indirect_scatter_race', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call missing_atomic(nx, nz, a, b, c, idx, s)
    call show('missing_atomic', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call async_without_wait(nx, nz, a, b, c, idx, s)
    call show('async_without_wait', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call antidependence_inplace(nx, nz, a, b, c, idx, s)
    call show('antidependence_inplace', a, b, c, s)
    call prepare(nx, nz, sign, a, b, c, idx, s)
    call wrong_reduction_identity(nx, nz, a, b, c, idx, s)
    call show('wrong_reduction_identity', a, b, c, s)
  end subroutine all_kernels

  subroutine prepare(nx, nz, sign, a, b, c, idx, s)
    integer, intent(in) :: nx, nz
    real(8), intent(in) :: sign
    real(8), intent(out) :: a(nx, nz), b(nx, nz), c(nx, nz), s(4)
    integer, intent(out) :: idx(nx)
    integer :: i, k
    s = 0d0
    do k = 1, nz
      do i = 1, nx
        a(i, k) = sign*(1.5d0 + sin(0.7d0*i + 1.3d0*k))
        b(i, k) = cos(0.3d0*i - 0.9d0*k)
        c(i, k) = 0.1d0*i + 0.01d0*k
        idx(i) = 1 + mod(i*i, nx)
      end do
    end do
  end subroutine prepare

  subroutine show(name, a, b, c, s)
    character(*), intent(in) :: name
    real(8), intent(in) :: a(:,:), b(:,:), c(:,:), s(4)
    print '(a)', name
    print '(5es24.16)', a, b, c, s
  end subroutine show
end program main
