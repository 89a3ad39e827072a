! Leapfrog steps of the layer; the first domain is forced by the wind.
module dynamics
  use grid, only: wp, p_patch, t_patch
  use state
  implicit none
  real(wp), parameter :: grav = 9.81_wp

contains

  subroutine step_domain(jg, dt)
    integer, intent(in) :: jg
    real(wp), intent(in) :: dt
    integer :: i, j, n0, n1, n2
    n0 = nold(jg)
    n1 = nnow(jg)
    n2 = nnew(jg)
    call diagnose(p_patch(jg), p_state(jg)%prog(n1), p_state(jg)%diag)
    do j = 1, p_patch(jg)%ny
      do i = 1, p_patch(jg)%nx
        p_state(jg)%prog(n2)%h(i, j) = p_state(jg)%prog(n0)%h(i, j) &
          - 2.0_wp*dt*p_state(jg)%prog(n1)%h(i, j)*p_state(jg)%diag%div(i, j)
      end do
    end do
    call momentum(p_patch(jg), p_state(jg), n0, n1, n2, dt)
    if (jg == 1) call add_wind(p_patch(jg), p_state(jg)%prog(n2), 2.0_wp*dt)
    call filter_level(p_patch(jg), p_state(jg)%prog(n0), p_state(jg)%prog(n1), p_state(jg)%prog(n2))
  end subroutine step_domain

  subroutine diagnose(p, prog, diag)
    type(t_patch), intent(in) :: p
    type(t_prog), intent(in) :: prog
    type(t_diag), intent(inout) :: diag
    integer :: i, j
    do j = 1, p%ny
      do i = 1, p%nx
        diag%div(i, j) = 0.5_wp*(prog%u(min(i + 1, p%nx), j) - prog%u(max(i - 1, 1), j)) &
          *p%edges%length(1)/p%cells%area(i, j) &
          + 0.5_wp*(prog%v(i, min(j + 1, p%ny)) - prog%v(i, max(j - 1, 1))) &
          *p%edges%length(2)/p%cells%area(i, j)
        diag%energy(i, j) = 0.5_wp*(prog%u(i, j)**2 + prog%v(i, j)**2) &
          + grav*(prog%h(i, j) + p%cells%height(i, j))
      end do
    end do
  end subroutine diagnose

  subroutine momentum(p, s, n0, n1, n2, dt)
    type(t_patch), intent(in) :: p
    type(t_state), intent(inout) :: s
    integer, intent(in) :: n0, n1, n2
    real(wp), intent(in) :: dt
    integer :: i, j
    do j = 1, p%ny
      do i = 1, p%nx
        s%prog(n2)%u(i, j) = s%prog(n0)%u(i, j) + 2.0_wp*dt*( &
          p%edges%coriolis(i, j)*s%prog(n1)%v(i, j) &
          - 0.5_wp*(s%diag%energy(min(i + 1, p%nx), j) - s%diag%energy(max(i - 1, 1), j))/p%dx)
        s%prog(n2)%v(i, j) = s%prog(n0)%v(i, j) - 2.0_wp*dt*( &
          p%edges%coriolis(i, j)*s%prog(n1)%u(i, j) &
          + 0.5_wp*(s%diag%energy(i, min(j + 1, p%ny)) - s%diag%energy(i, max(j - 1, 1)))/p%dx)
      end do
    end do
    do j = 2, p%ny - 1
      do i = 2, p%nx - 1
        s%prog(n2)%u(i, j) = s%prog(n2)%u(i, j) + 2.0_wp*dt*s%viscosity/p%dx**2 &
          *(s%prog(n0)%u(i - 1, j) + s%prog(n0)%u(i + 1, j) - 2.0_wp*s%prog(n0)%u(i, j))
      end do
    end do
  end subroutine momentum

  subroutine add_wind(p, prog, dt)
    type(t_patch), intent(in) :: p
    type(t_prog), intent(inout) :: prog
    real(wp), intent(in) :: dt
    integer :: i, j
    do j = 1, p%ny
      do i = 1, p%nx
        prog%u(i, j) = prog%u(i, j) + dt*ext%forcing%wind(i, j)
      end do
    end do
    ext%calls = ext%calls + 1
  end subroutine add_wind

  subroutine filter_level(p, old, now, new)
    type(t_patch), intent(in) :: p
    type(t_prog), intent(in) :: old, new
    type(t_prog), intent(inout) :: now
    integer :: i, j
    do j = 1, p%ny
      do i = 1, p%nx
        now%h(i, j) = now%h(i, j) + 0.05_wp*(old%h(i, j) - 2.0_wp*now%h(i, j) + new%h(i, j))
        now%u(i, j) = now%u(i, j) + 0.05_wp*(old%u(i, j) - 2.0_wp*now%u(i, j) + new%u(i, j))
        now%v(i, j) = now%v(i, j) + 0.05_wp*(old%v(i, j) - 2.0_wp*now%v(i, j) + new%v(i, j))
      end do
    end do
  end subroutine filter_level

end module dynamics
