! Domains of a shallow layer: each has its own grid, cells and edges apart.
module grid
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  integer, parameter :: n_dom = 2

  type :: t_cells
    real(wp), allocatable :: area(:, :)        ! (nx, ny) [m2]
    real(wp), allocatable :: height(:, :)      ! (nx, ny) of the ground [m]
  end type t_cells

  type :: t_edges
    real(wp), pointer :: coriolis(:, :) => null()  ! (nx, ny) [s-1]
    real(wp), allocatable :: length(:)         ! (2) [m]
  end type t_edges

  type :: t_patch
    integer :: nx = 0, ny = 0
    real(wp) :: dx = 0.0_wp                    ! [m]
    type(t_cells) :: cells
    type(t_edges) :: edges
  end type t_patch

  type(t_patch), allocatable, target :: p_patch(:)

contains

  subroutine construct_patches(nx, ny)
    integer, intent(in) :: nx, ny
    integer :: jg
    allocate (p_patch(n_dom))
    do jg = 1, n_dom
      p_patch(jg)%nx = nx*jg
      p_patch(jg)%ny = ny*jg
      p_patch(jg)%dx = 1000.0_wp/jg
      allocate (p_patch(jg)%cells%area(nx*jg, ny*jg), p_patch(jg)%cells%height(nx*jg, ny*jg))
      allocate (p_patch(jg)%edges%coriolis(nx*jg, ny*jg))
      allocate (p_patch(jg)%edges%length(2))
    end do
    do jg = 1, n_dom
      call fill_patch(p_patch(jg))
    end do
  end subroutine construct_patches

  subroutine fill_patch(p)
    type(t_patch), intent(inout) :: p
    integer :: i, j
    p%edges%length = p%dx
    do j = 1, p%ny
      do i = 1, p%nx
        p%cells%area(i, j) = p%dx**2*(1.0_wp + 0.01_wp*j)
        p%cells%height(i, j) = 10.0_wp/(1 + (i - p%nx/2)**2 + (j - p%ny/2)**2)
        p%edges%coriolis(i, j) = 1.0e-4_wp + 1.0e-6_wp*j
      end do
    end do
  end subroutine fill_patch

  subroutine destruct_patches()
    integer :: jg
    do jg = 1, n_dom
      deallocate (p_patch(jg)%cells%area, p_patch(jg)%cells%height)
      deallocate (p_patch(jg)%edges%coriolis, p_patch(jg)%edges%length)
    end do
    deallocate (p_patch)
  end subroutine destruct_patches

end module grid
