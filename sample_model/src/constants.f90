! Kinds and physical constants (SI units).
module constants
  implicit none
  public

  integer, parameter :: wp = selected_real_kind(15, 307)

  real(wp), parameter :: grav = 9.81_wp        ! gravity                          [m s-2]
  real(wp), parameter :: rd = 287.0_wp         ! gas constant of dry air          [J kg-1 K-1]
  real(wp), parameter :: rv = 461.5_wp         ! gas constant of water vapour     [J kg-1 K-1]
  real(wp), parameter :: cp = 1004.5_wp        ! heat capacity, constant pressure [J kg-1 K-1]
  real(wp), parameter :: cv = cp - rd          ! heat capacity, constant volume   [J kg-1 K-1]
  real(wp), parameter :: lv = 2.5e6_wp         ! latent heat of vaporisation      [J kg-1]
  real(wp), parameter :: lf = 3.34e5_wp        ! latent heat of fusion             [J kg-1]
  real(wp), parameter :: t0 = 273.15_wp        ! melting point                     [K]
  real(wp), parameter :: p0 = 1.0e5_wp         ! reference pressure               [Pa]
  real(wp), parameter :: gamma_d = cp/cv
  real(wp), parameter :: kappa = rd/cp
  real(wp), parameter :: rvord = rv/rd
  real(wp), parameter :: epsv = rd/rv
  real(wp), parameter :: karman = 0.4_wp
  real(wp), parameter :: pi = 3.141592653589793_wp
end module constants
