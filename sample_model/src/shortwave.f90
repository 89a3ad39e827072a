! Solar radiation of one column: delta-Eddington two-stream layers (Joseph, Wiscombe and Weinman 1976; Meador and
! Weaver 1980, J. Atmos. Sci. 37, 630), put together by adding.  Vapour absorbs by the eight-term exponential sum
! of Lacis and Hansen (1974, J. Atmos. Sci. 31, 118), without their scaling by pressure; cloud of drops of one
! radius (Stephens 1978, J. Atmos. Sci. 35, 2123).
module shortwave
  use constants, only: wp, pi
  use grid, only: nzmax
  implicit none
  private
  public :: shortwave_column, two_stream, cosine_of_zenith

  real(wp), parameter :: k_cloud = 150.0_wp    ! 3/(2*density*radius), drops of 10 micrometres [m2 kg-1]
  real(wp), parameter :: k_air = 5.8e-6_wp     ! Rayleigh scattering, first term only [m2 kg-1]
  real(wp), parameter :: g_cloud = 0.85_wp     ! asymmetry of the scattering by drops
  real(wp), parameter :: ssa_max = 0.999999_wp ! single-scattering albedo: the formulas need some absorption

contains

  ! Cosine of the solar zenith angle; declination after Spencer (1971). latitude [degree], hour of solar time.
  elemental real(wp) function cosine_of_zenith(latitude, day, hour)
    real(wp), intent(in) :: latitude, hour
    integer, intent(in) :: day
    real(wp) :: angle, decl, phi

    angle = 2.0_wp*pi*real(day - 1, wp)/365.0_wp
    decl = 0.006918_wp - 0.399912_wp*cos(angle) + 0.070257_wp*sin(angle) - 0.006758_wp*cos(2.0_wp*angle) &
           + 0.000907_wp*sin(2.0_wp*angle) - 0.002697_wp*cos(3.0_wp*angle) + 0.00148_wp*sin(3.0_wp*angle)
    phi = latitude*pi/180.0_wp
    cosine_of_zenith = sin(phi)*sin(decl) + cos(phi)*cos(decl)*cos(pi*(hour - 12.0_wp)/12.0_wp)
  end function cosine_of_zenith

  ! One layer of optical depth tau, single-scattering albedo ssa and asymmetry asym: reflection and transmission of
  ! diffuse light (rdif, tdif), of the beam into diffuse light (rdir, tdir), and of the beam as a beam (tbeam).
  pure subroutine two_stream(tau, ssa, asym, mu, rdif, tdif, rdir, tdir, tbeam)
    real(wp), intent(in) :: tau, ssa, asym, mu
    real(wp), intent(out) :: rdif, tdif, rdir, tdir, tbeam
    real(wp) :: f, t, w, g, g1, g2, g3, g4, a1, a2, k, ek, ek2, den, res, x

    f = asym*asym
    t = (1.0_wp - ssa*f)*tau
    w = min((1.0_wp - f)*ssa/(1.0_wp - ssa*f), ssa_max)
    g = asym/(1.0_wp + asym)
    g1 = 0.25_wp*(7.0_wp - w*(4.0_wp + 3.0_wp*g))
    g2 = -0.25_wp*(1.0_wp - w*(4.0_wp - 3.0_wp*g))
    g3 = 0.25_wp*(2.0_wp - 3.0_wp*g*mu)
    g4 = 1.0_wp - g3
    a1 = g1*g4 + g2*g3
    a2 = g1*g3 + g2*g4
    k = sqrt((g1 - g2)*(g1 + g2))
    ek = exp(-min(k*t, 500.0_wp))
    ek2 = ek*ek
    tbeam = exp(-min(t/mu, 500.0_wp))
    den = k + g1 + (k - g1)*ek2
    rdif = g2*(1.0_wp - ek2)/den
    tdif = 2.0_wp*k*ek/den
    ! the beam: keep off the removable singularity k*mu = 1
    res = 1.0_wp - k*k*mu*mu
    if (abs(res) < 1.0e-6_wp) res = sign(1.0e-6_wp, res)
    x = w/(res*den)
    rdir = x*((1.0_wp - k*mu)*(a2 + k*g3) - (1.0_wp + k*mu)*(a2 - k*g3)*ek2 - 2.0_wp*k*(g3 - a2*mu)*ek*tbeam)
    tdir = -x*((1.0_wp + k*mu)*(a1 + k*g4)*tbeam - (1.0_wp - k*mu)*(a1 - k*g4)*ek2*tbeam &
               - 2.0_wp*k*(g4 + a1*mu)*ek)
    rdir = min(max(rdir, 0.0_wp), 1.0_wp - tbeam)
    tdir = min(max(tdir, 0.0_wp), 1.0_wp - tbeam - rdir)
  end subroutine two_stream

  ! Net downward flux at the faces 1..n+1 [W m-2], face 1 at the ground, of sunlight that enters with the flux
  ! `sun` through a horizontal plane at the cosine mu of the zenith angle.
  subroutine shortwave_column(n, mass, qv, qc, sun, mu, albedo, net, down)
    integer, intent(in) :: n
    real(wp), intent(in), dimension(nzmax) :: mass, qv, qc
    real(wp), intent(in) :: sun, mu, albedo
    real(wp), intent(out) :: net(nzmax)
    real(wp), intent(out) :: down
    integer, parameter :: nterm = 8
    real(wp), parameter :: weight(nterm) = [0.6470_wp, 0.0698_wp, 0.1443_wp, 0.0584_wp, &
                                            0.0335_wp, 0.0225_wp, 0.0158_wp, 0.0087_wp]
    real(wp), parameter :: k_vapour(nterm) = [4.0e-6_wp, 2.0e-4_wp, 3.5e-3_wp, 3.77e-2_wp, &
                                              0.195_wp, 0.940_wp, 4.46_wp, 19.0_wp]      ! [m2 kg-1]
    real(wp), dimension(nzmax) :: rdif, tdif, rdir, tdir, tbeam, beam, refl, source
    real(wp) :: cloud, air, vapour, tau, scat, ssa_cloud, inv, diffuse
    integer :: k, term

    do k = 1, n + 1
      net(k) = 0.0_wp
    end do
    down = 0.0_wp
    do term = 1, nterm
      ssa_cloud = 0.99_wp
      if (term == 1) ssa_cloud = 1.0_wp
      do k = 1, n
        cloud = k_cloud*mass(k)*qc(k)
        vapour = k_vapour(term)*mass(k)*qv(k)
        air = 0.0_wp
        if (term == 1) air = k_air*mass(k)
        scat = ssa_cloud*cloud + air
        tau = max(cloud + vapour + air, 1.0e-12_wp)
        call two_stream(tau, scat/tau, g_cloud*ssa_cloud*cloud/max(scat, 1.0e-12_wp), mu, &
                        rdif(k), tdif(k), rdir(k), tdir(k), tbeam(k))
      end do

      beam(n + 1) = weight(term)*sun
      do k = n, 1, -1
        beam(k) = beam(k + 1)*tbeam(k)
      end do
      ! what lies below a face: its albedo for diffuse light, and what it sends up of the beam
      refl(1) = albedo
      source(1) = albedo*beam(1)
      do k = 1, n
        inv = 1.0_wp/(1.0_wp - refl(k)*rdif(k))
        refl(k + 1) = rdif(k) + tdif(k)*tdif(k)*refl(k)*inv
        source(k + 1) = rdir(k)*beam(k + 1) + tdif(k)*(source(k) + refl(k)*tdir(k)*beam(k + 1))*inv
      end do
      diffuse = 0.0_wp
      do k = n + 1, 1, -1
        if (k <= n) then                       ! through the layer above the face
          inv = 1.0_wp/(1.0_wp - refl(k)*rdif(k))
          diffuse = (tdif(k)*diffuse + rdif(k)*source(k) + tdir(k)*beam(k + 1))*inv
        end if
        net(k) = net(k) + beam(k) + diffuse - (refl(k)*diffuse + source(k))
      end do
      down = down + beam(1) + diffuse
    end do
  end subroutine shortwave_column

end module shortwave
