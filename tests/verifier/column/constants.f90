module constants
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  real(wp), parameter :: kappa = 0.286_wp, heat = 2.5e3_wp
end module constants
