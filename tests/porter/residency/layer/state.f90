! The state of each domain: prognostic fields at several time levels, diagnostic fields once.
module state
  use grid, only: wp, n_dom, p_patch, t_patch
  implicit none
  integer, parameter :: n_levels = 3

  type :: t_prog
    real(wp), allocatable :: h(:, :)           ! (nx, ny) depth [m]
    real(wp), allocatable :: u(:, :), v(:, :)  ! (nx, ny) [m s-1]
    real(wp), pointer :: tracer(:, :, :) => null()  ! (nx, ny, 2) [1]
  end type t_prog

  type :: t_diag
    real(wp), allocatable :: div(:, :), energy(:, :)  ! (nx, ny) [s-1], [m2 s-2]
    real(wp), allocatable :: row(:)            ! (ny) sums along x
  end type t_diag

  type :: t_state
    type(t_prog), allocatable :: prog(:)
    type(t_diag) :: diag
    real(wp) :: viscosity = 50.0_wp            ! [m2 s-1]
  end type t_state

  type :: t_forcing
    real(wp), allocatable :: wind(:, :)        ! (nx, ny) acceleration of the first domain [m s-2]
  end type t_forcing

  type :: t_external
    type(t_forcing) :: forcing
    integer :: calls = 0
  end type t_external

  type(t_state), allocatable, target :: p_state(:)
  type(t_external) :: ext
  integer :: nold(n_dom) = 1, nnow(n_dom) = 2, nnew(n_dom) = 3

contains

  subroutine construct_states()
    integer :: jg, jt
    allocate (p_state(n_dom))
    do jg = 1, n_dom
      allocate (p_state(jg)%prog(n_levels))
      do jt = 1, n_levels
        call new_prog(p_patch(jg), p_state(jg)%prog(jt))
      end do
      call new_diag(p_patch(jg), p_state(jg)%diag)
    end do
    allocate (ext%forcing%wind(p_patch(1)%nx, p_patch(1)%ny))
    ext%forcing%wind = 0.0_wp
    ext%forcing%wind(:, 3:5) = 1.0e-4_wp
  end subroutine construct_states

  subroutine new_prog(p, prog)
    type(t_patch), intent(in) :: p
    type(t_prog), intent(inout) :: prog
    allocate (prog%h(p%nx, p%ny), prog%u(p%nx, p%ny), prog%v(p%nx, p%ny))
    allocate (prog%tracer(p%nx, p%ny, 2))
    prog%h = 0.0_wp
    prog%u = 0.0_wp
    prog%v = 0.0_wp
    prog%tracer = 0.0_wp
  end subroutine new_prog

  subroutine new_diag(p, diag)
    type(t_patch), intent(in) :: p
    type(t_diag), intent(inout) :: diag
    allocate (diag%div(p%nx, p%ny), diag%energy(p%nx, p%ny), diag%row(p%ny))
    diag%div = 0.0_wp
    diag%energy = 0.0_wp
    diag%row = 0.0_wp
  end subroutine new_diag

  subroutine initial_state()
    integer :: jg, i, j, n
    do jg = 1, n_dom
      n = nnow(jg)
      do j = 1, p_patch(jg)%ny
        do i = 1, p_patch(jg)%nx
          p_state(jg)%prog(n)%h(i, j) = 100.0_wp + sin(0.3_wp*i)*cos(0.2_wp*j)
          p_state(jg)%prog(n)%tracer(i, j, 1) = 1.0_wp*mod(i + j, 7)
          p_state(jg)%prog(n)%tracer(i, j, 2) = 0.5_wp*mod(i*j, 5)
        end do
      end do
      call copy_prog(p_state(jg)%prog(nnow(jg)), p_state(jg)%prog(nold(jg)))
    end do
  end subroutine initial_state

  subroutine copy_prog(from, to)
    type(t_prog), intent(in) :: from
    type(t_prog), intent(inout) :: to
    to%h = from%h
    to%u = from%u
    to%v = from%v
    to%tracer = from%tracer
  end subroutine copy_prog

  subroutine swap_levels(jg)
    integer, intent(in) :: jg
    integer :: level
    level = nold(jg)
    nold(jg) = nnow(jg)
    nnow(jg) = nnew(jg)
    nnew(jg) = level
  end subroutine swap_levels

  subroutine destruct_states()
    integer :: jg, jt
    do jg = 1, n_dom
      do jt = 1, n_levels
        deallocate (p_state(jg)%prog(jt)%h, p_state(jg)%prog(jt)%u, p_state(jg)%prog(jt)%v)
        deallocate (p_state(jg)%prog(jt)%tracer)
      end do
      deallocate (p_state(jg)%prog)
      deallocate (p_state(jg)%diag%div, p_state(jg)%diag%energy, p_state(jg)%diag%row)
    end do
    deallocate (p_state)
  end subroutine destruct_states

end module state
