! Statistics at the diagnostic steps: where the strongest updraught is, how high the clouds reach, the spectrum of the
! vertical wind along x, and what the column physics has done to air, water and heat since the line before.
module statistics_mod
  use constants
  use grid
  use state, only: state_t, rain, evap
  implicit none
  private
  public :: budget_t, operator(.with.), operator(.since.), total, open_statistics, write_statistics
  public :: strongest_updraught, cloud_tops, spectrum

  integer, parameter, public :: nbin = 8       ! of cloud-top height, 2 km each; below 1: no cloud
  integer, parameter, public :: nwave = 4      ! wavenumbers told
  real(wp), parameter :: cloudy = 1.0e-6_wp    ! water and ice that make a cloud [kg kg-1]

  type :: budget_t
    real(wp) :: air = 0.0_wp                   ! dry air [kg]
    real(wp) :: water = 0.0_wp                 ! in the air and fallen, less evaporated [kg]
    real(wp) :: heat = 0.0_wp                  ! volume integral of rho*theta_m [K kg]
  end type budget_t

  interface operator(.with.)
    module procedure joined
  end interface operator(.with.)

  interface operator(.since.)
    module procedure difference
  end interface operator(.since.)

  ! Sum over the interior times the volume or the area of a cell.
  interface total
    module procedure total_2d, total_3d
  end interface total

  integer, save :: unit = -1
  type(budget_t), save :: before

contains

  elemental type(budget_t) function joined(a, b)
    type(budget_t), intent(in) :: a, b

    joined = budget_t(a%air + b%air, a%water + b%water, a%heat + b%heat)
  end function joined

  elemental type(budget_t) function difference(a, b)
    type(budget_t), intent(in) :: a, b

    difference = budget_t(a%air - b%air, a%water - b%water, a%heat - b%heat)
  end function difference

  real(wp) function total_2d(f)
    real(wp), intent(in) :: f(1 - nh:, 1 - nh:)

    total_2d = sum(f(1:nx, 1:ny))*dx*dy
  end function total_2d

  real(wp) function total_3d(f, weight)
    real(wp), intent(in) :: f(1 - nh:, 1 - nh:, :), weight(1 - nh:, 1 - nh:, :)
    integer :: i, j, k

    total_3d = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          total_3d = total_3d + f(i, j, k)*weight(i, j, k)
        end do
      end do
    end do
    total_3d = total_3d*dx*dy*dz
  end function total_3d

  type(budget_t) function budget_of(s)
    type(state_t), intent(in) :: s
    type(budget_t) :: ground

    budget_of%water = total(s%qv, s%rho) + total(s%qc, s%rho) + total(s%qr, s%rho) + total(s%qi, s%rho)
    budget_of%air = sum(s%rho(1:nx, 1:ny, 1:nz))*dx*dy*dz
    budget_of%heat = sum(s%rth(1:nx, 1:ny, 1:nz))*dx*dy*dz
    ground%water = total(rain) - total(evap)
    budget_of = budget_of .with. ground
  end function budget_of

  ! The largest vertical wind [m s-1], and the first place that has it.
  subroutine strongest_updraught(s, fastest, i_fast, j_fast, k_fast)
    type(state_t), intent(in) :: s
    real(wp), intent(out) :: fastest
    integer, intent(out) :: i_fast, j_fast, k_fast
    real(wp) :: wind
    integer :: i, j, k

    fastest = -huge(fastest)
    i_fast = 0
    j_fast = 0
    k_fast = 0
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          wind = 0.5_wp*(s%rw(i, j, k) + s%rw(i, j, k + 1))/s%rho(i, j, k)
          if (wind > fastest) then
            fastest = wind
            i_fast = i
            j_fast = j
            k_fast = k
          end if
        end do
      end do
    end do
  end subroutine strongest_updraught

  ! Columns by the height of their highest cloudy cell; count(0): no cloud.
  subroutine cloud_tops(s, count)
    type(state_t), intent(in) :: s
    integer, intent(out) :: count(0:nbin)
    integer :: i, j, k, bin

    count = 0
    do j = 1, ny
      do i = 1, nx
        do k = nz, 1, -1
          if (s%qc(i, j, k) + s%qi(i, j, k) > cloudy) exit
        end do
        bin = 0
        if (k > 0) bin = min(1 + int(zc(k)/2000.0_wp), nbin)
        count(bin) = count(bin) + 1
      end do
    end do
  end subroutine cloud_tops

  ! Power of the vertical wind at the face k along x by wavenumber, mean over y: power(m) of wavenumber m, so that
  ! power(0) + ... over all wavenumbers is the mean square.
  subroutine spectrum(s, k, power)
    type(state_t), intent(in) :: s
    integer, intent(in) :: k
    real(wp), intent(out) :: power(0:nwave)
    real(wp) :: plane(nx, ny), x(2, nx), share
    integer :: i, j, m

    do j = 1, ny
      do i = 1, nx
        plane(i, j) = 2.0_wp*s%rw(i, j, k)/(s%rho(i, j, k - 1) + s%rho(i, j, k))
      end do
    end do
    power = 0.0_wp
    do j = 1, ny
      do i = 1, nx
        x(1, i) = plane(i, j)
        x(2, i) = 0.0_wp
      end do
      call fft(nx, x)
      do m = 0, min(nwave, nx/2)
        share = 2.0_wp                         ! with its mirror image
        if (m == 0 .or. 2*m == nx) share = 1.0_wp
        power(m) = power(m) + share*(x(1, m + 1)**2 + x(2, m + 1)**2)/(real(nx, wp)**2*real(ny, wp))
      end do
    end do
  end subroutine spectrum

  subroutine open_statistics(filename, s)
    character(len=*), intent(in) :: filename
    type(state_t), intent(in) :: s

    open (newunit=unit, file=filename, status='replace', action='write')
    write (unit, '(a)') '# step w[m/s] i j k tops(none,2,4,...km) power(0..4)[m2/s2] air[kg] water[kg] heat[K kg]'
    before = budget_of(s)
  end subroutine open_statistics

  subroutine write_statistics(s, step)
    type(state_t), intent(in) :: s
    integer, intent(in) :: step
    real(wp) :: fastest, power(0:nwave)
    integer :: i, j, k, count(0:nbin)
    type(budget_t) :: now, change

    call strongest_updraught(s, fastest, i, j, k)
    call cloud_tops(s, count)
    call spectrum(s, nz/2 + 1, power)
    now = budget_of(s)
    change = now .since. before
    before = now
    write (unit, '(i8,es24.15e3,3i6,9i6,8es24.15e3)') step, fastest, i, j, k, count, power, &
      change%air, change%water, change%heat
  end subroutine write_statistics

end module statistics_mod
