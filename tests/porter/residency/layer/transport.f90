! Upstream transport of two tracers.
module transport
  use grid, only: wp, p_patch
  use state, only: p_state, nnow, nnew
  implicit none

contains

  subroutine advect(jg, dt)
    integer, intent(in) :: jg
    real(wp), intent(in) :: dt
    integer :: i, j, n, n1, n2
    real(wp) :: fx, fy
    n1 = nnow(jg)
    n2 = nnew(jg)
    do n = 1, 2
      do j = 1, p_patch(jg)%ny
        do i = 1, p_patch(jg)%nx
          fx = upstream(p_state(jg)%prog(n1)%u(i, j), &
            p_state(jg)%prog(n1)%tracer(max(i - 1, 1), j, n), &
            p_state(jg)%prog(n1)%tracer(i, j, n), &
            p_state(jg)%prog(n1)%tracer(min(i + 1, p_patch(jg)%nx), j, n))
          fy = upstream(p_state(jg)%prog(n1)%v(i, j), &
            p_state(jg)%prog(n1)%tracer(i, max(j - 1, 1), n), &
            p_state(jg)%prog(n1)%tracer(i, j, n), &
            p_state(jg)%prog(n1)%tracer(i, min(j + 1, p_patch(jg)%ny), n))
          p_state(jg)%prog(n2)%tracer(i, j, n) = &
            p_state(jg)%prog(n1)%tracer(i, j, n) - dt*(fx + fy)/p_patch(jg)%dx
        end do
      end do
    end do
  end subroutine advect

  pure real(wp) function upstream(speed, left, here, right)
    real(wp), intent(in) :: speed, left, here, right
    upstream = max(speed, 0.0_wp)*(here - left) + min(speed, 0.0_wp)*(right - here)
  end function upstream

end module transport
