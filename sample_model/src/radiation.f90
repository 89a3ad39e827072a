! Radiation of all columns: thermal radiation in four bands, sunlight from the module shortwave.
! Thermal: Schwarzschild's equation for layers of one temperature; shares and absorption of the bands after Molteni
! (2003, Climate Dyn. 20, 175); cloud water after Stephens (1978, J. Atmos. Sci. 35, 2123).
module radiation_mod
  use constants
  use grid, only: nz, nzmax
  use state, only: state_t
  use columns
  use shortwave, only: shortwave_column, cosine_of_zenith
  implicit none
  private
  public :: init_radiation, radiative_heating, longwave_column

  integer, parameter :: nband = 4              ! window, carbon dioxide, weak and strong lines of vapour
  integer, parameter :: tcold = 100, thot = 400
  real(wp), parameter :: sigma = 5.67e-8_wp    ! Stefan-Boltzmann constant [W m-2 K-4]
  real(wp), parameter :: solar = 1361.0_wp     ! [W m-2]
  real(wp), parameter :: k_up = 130.0_wp, k_down = 158.0_wp  ! cloud water, by direction [m2 kg-1]
  real(wp), save :: share(tcold:thot, nband) = 0.0_wp        ! of a band in the emission, by kelvin
  real(wp), save :: k_air(nband) = 0.0_wp, k_vapour(nband) = 0.0_wp  ! [m2 kg-1]

contains

  subroutine init_radiation(thickness)
    real(wp), intent(in) :: thickness          ! of the absorbing gases: 1 is the atmosphere of today
    integer :: n
    real(wp) :: t

    do n = tcold, thot
      t = real(n, wp)
      share(n, 2) = 0.148_wp - 3.0e-6_wp*(t - 247.0_wp)*(t - 247.0_wp)
      share(n, 3) = 0.356_wp - 5.2e-6_wp*(t - 282.0_wp)*(t - 282.0_wp)
      share(n, 4) = 0.314_wp + 1.0e-5_wp*(t - 315.0_wp)*(t - 315.0_wp)
      share(n, 1) = 1.0_wp - (share(n, 2) + share(n, 3) + share(n, 4))
    end do
    ! optical depth of 1000 hPa, of vapour at 1 g kg-1
    k_air(:) = [0.3_wp, 6.0_wp, 0.0_wp, 0.0_wp]*thickness*grav/p0
    k_vapour(:) = [0.0_wp, 0.0_wp, 0.7_wp, 50.0_wp]*thickness*1000.0_wp*grav/p0
  end subroutine init_radiation

  ! Net downward thermal flux at the faces 1..n+1 [W m-2] over a black ground of temperature ts, and what
  ! arrives there.
  subroutine longwave_column(n, t, mass, qv, qc, ts, net, down)
    integer, intent(in) :: n
    real(wp), intent(in), dimension(nzmax) :: t, mass, qv, qc
    real(wp), intent(in) :: ts
    real(wp), intent(out) :: net(nzmax)
    real(wp), intent(out) :: down
    real(wp) :: f, gas, tr, b
    integer :: k, band, kelvin

    do k = 1, n + 1
      net(k) = 0.0_wp
    end do
    down = 0.0_wp
    do band = 1, nband
      f = 0.0_wp
      do k = n, 1, -1
        gas = mass(k)*(k_air(band) + k_vapour(band)*qv(k))
        tr = exp(-(gas + k_down*mass(k)*qc(k)))
        kelvin = min(max(nint(t(k)), tcold), thot)
        b = share(kelvin, band)*sigma*t(k)**4
        f = f*tr + b*(1.0_wp - tr)
        net(k) = net(k) + f
      end do
      down = down + f
      kelvin = min(max(nint(ts), tcold), thot)
      f = share(kelvin, band)*sigma*ts**4
      do k = 1, n + 1
        if (k > 1) then                        ! through the layer below the face
          gas = mass(k - 1)*(k_air(band) + k_vapour(band)*qv(k - 1))
          tr = exp(-(gas + k_up*mass(k - 1)*qc(k - 1)))
          kelvin = min(max(nint(t(k - 1)), tcold), thot)
          b = share(kelvin, band)*sigma*t(k - 1)**4
          f = f*tr + b*(1.0_wp - tr)
        end if
        net(k) = net(k) - f
      end do
    end do
  end subroutine longwave_column

  ! Heating rates and fluxes of all columns; time [s] since `hour` o'clock solar time.
  subroutine radiative_heating(s, col, latitude, day, hour, time)
    type(state_t), intent(in) :: s
    type(column_t), intent(inout) :: col
    real(wp), intent(in) :: latitude, hour, time
    integer, intent(in) :: day
    real(wp), dimension(nzmax) :: t, mass, qv, qc, lw, sw
    real(wp) :: mu, sun, down, ground
    integer :: c, k

    call gather_columns(s, col)
    mu = cosine_of_zenith(latitude, day, hour + time/3600.0_wp)
    sun = solar*max(mu, 0.0_wp)
    do c = 1, col%n
      do k = 1, nz
        t(k) = col%t(c, k)
        mass(k) = col%mass(c, k)
        qv(k) = col%qv(c, k)
        qc(k) = col%qc(c, k)
      end do
      call longwave_column(nz, t, mass, qv, qc, col%ts(c), lw, down)
      col%flux(c, lw_down) = down
      col%flux(c, lw_up) = -lw(nz + 1)
      if (sun > 0.0_wp) then
        call shortwave_column(nz, mass, qv, qc, sun, mu, col%albedo(c), sw, ground)
        col%flux(c, sw_down) = ground
        col%flux(c, sw_net) = sw(1)
        col%flux(c, sw_up) = sun - sw(nz + 1)
      else
        do k = 1, nz + 1
          sw(k) = 0.0_wp
        end do
        col%flux(c, sw_down) = 0.0_wp
        col%flux(c, sw_net) = 0.0_wp
        col%flux(c, sw_up) = 0.0_wp
      end if
      do k = 1, nz
        col%heat(c, k) = (lw(k + 1) - lw(k) + sw(k + 1) - sw(k))/(cp*mass(k))
      end do
    end do
  end subroutine radiative_heating

end module radiation_mod
