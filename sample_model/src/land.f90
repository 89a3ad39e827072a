! Land surface: the points of an island in compressed arrays.  Each has a skin without heat capacity in balance
! with radiation, turbulence and the soil below; heat conduction in the soil, backward Euler (Carslaw and Jaeger
! 1959, chapter 2); and a bucket of soil water (Manabe 1969, Mon. Wea. Rev. 97, 739).
module land
  use constants
  use grid, only: nx, ny
  use state, only: state_t, tskin, wet, rain
  use columns, only: column_t, sw_net, lw_down
  use saturation, only: sat_lookup, qsat
  implicit none
  private
  public :: land_t, setup_land, land_step, conduct

  integer, parameter, public :: nsoil = 6
  real(wp), save, public :: soil_dz(nsoil) = [0.03_wp, 0.05_wp, 0.10_wp, 0.20_wp, 0.40_wp, 0.80_wp]  ! layers [m]
  real(wp), parameter, public :: soil_cond = 1.0_wp   ! heat conductivity [W m-1 K-1]
  real(wp), parameter, public :: soil_cap = 2.0e6_wp  ! heat capacity [J m-3 K-1]
  real(wp), parameter :: bucket = 150.0_wp     ! water that the soil holds [kg m-2]
  real(wp), parameter :: sigma = 5.67e-8_wp    ! Stefan-Boltzmann constant [W m-2 K-4]
  integer, parameter :: itmax = 20
  real(wp), parameter :: tolerance = 1.0e-8_wp ! of the skin temperature [K]

  type :: land_t
    integer :: n = 0                           ! land points
    integer, allocatable :: i(:), j(:)         ! their places
    integer, allocatable :: point(:, :)        ! the way back: a land point, or 0 at sea
    real(wp), allocatable :: tsoil(:, :)       ! temperature of the layers [K]
    real(wp), allocatable :: skin(:)           ! temperature of the skin [K]
    real(wp), allocatable :: water(:)          ! [kg m-2]
    real(wp), allocatable :: beta(:)           ! wetness that the evaporation of this step sees
    real(wp), allocatable :: fallen(:)         ! rain that has been counted [kg m-2]
    real(wp), allocatable :: runoff(:)         ! water that the bucket could not hold, summed up [kg m-2]
    real(wp), allocatable :: heat(:)           ! flux into the soil [W m-2]
  end type land_t

contains

  ! An elliptic island in the middle of the domain, as warm as its skin, dry in the west and wet in the east; the
  ! albedo of grass.
  subroutine setup_land(this, col, wetness)
    type(land_t), intent(inout) :: this
    type(column_t), intent(inout) :: col
    real(wp), intent(in) :: wetness            ! of the bucket in the middle, 0 to 1
    real(wp) :: x, y
    integer :: i, j, k, n

    allocate (this%point(nx, ny))
    this%point = 0
    n = 0
    do j = 1, ny
      do i = 1, nx
        x = (real(i, wp) - 0.5_wp)/real(nx, wp) - 0.5_wp
        y = (real(j, wp) - 0.5_wp)/real(ny, wp) - 0.5_wp
        if ((x/0.3_wp)**2 + (y/0.35_wp)**2 > 1.0_wp) cycle
        n = n + 1
        this%point(i, j) = n
      end do
    end do
    this%n = n

    allocate (this%i(n), this%j(n), this%tsoil(n, nsoil), this%skin(n), this%water(n))
    allocate (this%beta(n), this%fallen(n), this%runoff(n), this%heat(n))
    do j = 1, ny
      do i = 1, nx
        n = this%point(i, j)
        if (n == 0) cycle
        this%i(n) = i
        this%j(n) = j
        col%albedo(i + (j - 1)*nx) = 0.2_wp
      end do
    end do
    do k = 1, nsoil
      do n = 1, this%n
        this%tsoil(n, k) = tskin(this%i(n), this%j(n))
      end do
    end do
    do n = 1, this%n
      this%skin(n) = tskin(this%i(n), this%j(n))
      x = (real(this%i(n), wp) - 0.5_wp)/real(nx, wp) - 0.5_wp
      this%water(n) = bucket*min(wetness*(1.0_wp + x/0.3_wp), 1.0_wp)
      this%beta(n) = wetness_of(this%water(n))
      this%fallen(n) = 0.0_wp
      this%runoff(n) = 0.0_wp
      this%heat(n) = 0.0_wp
    end do
  end subroutine setup_land

  ! One time step: skin, soil and bucket of each point, and what the air sees of them.
  subroutine land_step(this, s, col, drag_coef, gust, dt)
    type(land_t), intent(inout) :: this
    type(state_t), intent(in) :: s
    type(column_t), intent(in) :: col
    real(wp), intent(in) :: drag_coef, gust, dt
    real(wp) :: down, theta, qair, uc, vc, exchange, gone, came, heat
    real(wp) :: t(nsoil)
    integer :: i, j, k, n, c

    do n = 1, this%n
      i = this%i(n)
      j = this%j(n)
      c = i + (j - 1)*nx
      down = col%flux(c, sw_net) + col%flux(c, lw_down)
      qair = s%qv(i, j, 1)
      theta = s%rth(i, j, 1)/(s%rho(i, j, 1)*(1.0_wp + rvord*qair))
      uc = 0.5_wp*(s%ru(i, j, 1) + s%ru(i + 1, j, 1))/s%rho(i, j, 1)
      vc = 0.5_wp*(s%rv(i, j, 1) + s%rv(i, j + 1, 1))/s%rho(i, j, 1)
      exchange = drag_coef*max(sqrt(uc*uc + vc*vc), gust)*s%rho(i, j, 1)
      this%beta(n) = wetness_of(this%water(n))
      call balance(down, theta, qair, exchange, this%beta(n), this%tsoil(n, 1), this%skin(n), heat, gone)
      this%heat(n) = heat

      do k = 1, nsoil
        t(k) = this%tsoil(n, k)
      end do
      call conduct(t, heat, dt)
      do k = 1, nsoil
        this%tsoil(n, k) = t(k)
      end do

      came = rain(i, j) - this%fallen(n)
      this%fallen(n) = rain(i, j)
      this%water(n) = this%water(n) + came - dt*gone
      if (this%water(n) > bucket) then
        this%runoff(n) = this%runoff(n) + (this%water(n) - bucket)
        this%water(n) = bucket
      end if
    end do

    do j = 1, ny
      do i = 1, nx
        n = this%point(i, j)
        if (n > 0) then
          tskin(i, j) = this%skin(n)
          wet(i, j) = this%beta(n)
        end if
      end do
    end do
  end subroutine land_step

  ! Share of the saturation mixing ratio that the air right above the soil has: all of it above three quarters of
  ! the bucket, none where it is dry.
  elemental real(wp) function wetness_of(water)
    real(wp), intent(in) :: water

    wetness_of = merge(0.9_wp, 0.9_wp*max(water, 0.0_wp)/(0.75_wp*bucket), water > 0.75_wp*bucket)
  end function wetness_of

  ! Skin temperature from down - sigma*ts**4 - sensible - latent - soil = 0, Newton's method to a tolerance;
  ! the flux into the soil and the evaporation [kg m-2 s-1] that belong to it.
  subroutine balance(down, theta, qair, exchange, beta, tsoil, ts, heat, gone)
    real(wp), intent(in) :: down, theta, qair, exchange, beta, tsoil
    real(wp), intent(inout) :: ts
    real(wp), intent(out) :: heat, gone
    real(wp) :: cond, es, des, qs, dqs, vapour, excess, slope, change
    integer :: it

    cond = 2.0_wp*soil_cond/soil_dz(1)
    do it = 1, itmax
      call sat_lookup(ts, es, des)
      qs = epsv*es/(p0 - es)
      dqs = epsv*p0*des/((p0 - es)*(p0 - es))
      vapour = exchange*(beta*qs - qair)
      slope = exchange*beta*dqs
      if (vapour <= 0.0_wp) then               ! no dew
        vapour = 0.0_wp
        slope = 0.0_wp
      end if
      excess = down - sigma*ts**4 - cp*exchange*(ts - theta) - lv*vapour - cond*(ts - tsoil)
      slope = 4.0_wp*sigma*ts**3 + cp*exchange + lv*slope + cond
      change = excess/slope
      ts = ts + change
      if (abs(change) < tolerance) exit
    end do
    heat = cond*(ts - tsoil)
    gone = max(exchange*(beta*qsat(ts, p0) - qair), 0.0_wp)
  end subroutine balance

  ! Heat conduction in one column of soil over dt seconds, `heat` [W m-2] entering at the top, nothing below.
  subroutine conduct(t, heat, dt)
    real(wp), intent(inout) :: t(nsoil)
    real(wp), intent(in) :: heat, dt
    real(wp), dimension(nsoil) :: a, b, c, d, x, g
    real(wp) :: up, dn
    integer :: k

    up = 0.0_wp
    do k = 1, nsoil
      dn = 0.0_wp
      if (k < nsoil) dn = 2.0_wp*dt*soil_cond/(soil_dz(k) + soil_dz(k + 1))
      a(k) = -up
      c(k) = -dn
      b(k) = soil_cap*soil_dz(k) + up + dn
      d(k) = soil_cap*soil_dz(k)*t(k)
      up = dn
    end do
    d(1) = d(1) + dt*heat
    call tridag(1, nsoil, a, b, c, d, x, g)
    do k = 1, nsoil
      t(k) = x(k)
    end do
  end subroutine conduct

end module land
