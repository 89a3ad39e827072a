! Saturation vapour pressure over water: a table filled once from Bolton (1980, eq. 10),
! linear in temperature between its nodes, so that its slope is known exactly.  Over ice: Murphy and Koop (2005, Quart.
! J. Roy. Meteor. Soc. 131, 1539, eq. 7), on the same nodes.
module saturation
  use constants, only: wp, epsv
  implicit none
  private
  public :: init_saturation, sat_lookup, qsat, qsat_ice

  integer, parameter :: ntmax = 2001
  real(wp), parameter :: tmin = 150.0_wp       ! [K]
  real(wp), parameter :: tmax = 350.0_wp       ! [K]
  integer, save :: ntab = 0                    ! nodes in use
  real(wp), save :: rdtab = 0.0_wp             ! nodes per kelvin
  real(wp), save :: estab(ntmax) = 0.0_wp      ! [Pa]
  real(wp), save :: eitab(ntmax) = 0.0_wp      ! over ice [Pa]

contains

  ! The number of nodes per kelvin comes from outside so that no compiler unrolls, folds or vectorises
  ! this loop with another exp than the library's: the table is the same at every optimisation level.
  subroutine init_saturation(per_kelvin)
    integer, intent(in) :: per_kelvin
    integer :: n
    real(wp) :: t

    rdtab = real(per_kelvin, wp)
    ntab = 1 + int((tmax - tmin)*rdtab)
    if (per_kelvin < 1 .or. ntab > ntmax) then
      write (*, '(a,i0)') 'cumulet: the saturation table cannot hold that many nodes per kelvin: ', per_kelvin
      stop 1
    end if
    do n = 1, ntab
      t = tmin + real(n - 1, wp)/rdtab
      estab(n) = 611.2_wp*exp(17.67_wp*(t - 273.15_wp)/(t - 29.65_wp))
      eitab(n) = exp(9.550426_wp - 5723.265_wp/t + 3.53068_wp*log(t) - 0.00728332_wp*t)
    end do
  end subroutine init_saturation

  ! es [Pa] and des/dT [Pa K-1] at temperature t [K].
  subroutine sat_lookup(t, es, des)
    real(wp), intent(in) :: t
    real(wp), intent(out) :: es, des
    real(wp) :: x
    integer :: n

    x = (t - tmin)*rdtab
    n = min(max(int(x), 0), ntab - 2)
    des = (estab(n + 2) - estab(n + 1))*rdtab
    es = max(estab(n + 1) + (x - real(n, wp))*(estab(n + 2) - estab(n + 1)), 1.0e-8_wp)
  end subroutine sat_lookup

  ! Saturation mixing ratio [kg kg-1] at temperature t [K] and pressure p [Pa].
  real(wp) function qsat(t, p)
    real(wp), intent(in) :: t, p
    real(wp) :: es, des

    call sat_lookup(t, es, des)
    qsat = epsv*es/(p - es)
  end function qsat

  ! The same over ice.
  real(wp) function qsat_ice(t, p)
    real(wp), intent(in) :: t, p
    real(wp) :: x, e
    integer :: n

    x = (t - tmin)*rdtab
    n = min(max(int(x), 0), ntab - 2)
    e = max(eitab(n + 1) + (x - real(n, wp))*(eitab(n + 2) - eitab(n + 1)), 1.0e-8_wp)
    qsat_ice = epsv*e/(p - e)
  end function qsat_ice

end module saturation
