! Domain totals and extremes, one line per diagnostic step, and a mean profile at the end.
module diagnostics
  use constants
  use grid
  use state
  implicit none
  private
  public :: open_diagnostics, write_diagnostics, write_profile

  integer, save :: unit = -1

contains

  subroutine open_diagnostics(filename)
    character(len=*), intent(in) :: filename

    open (newunit=unit, file=filename, status='replace', action='write')
    write (unit, '(a)') '# step time[s] dt[s] nsound mass[kg] water[kg] rained[kg] evaporated[kg] energy[J]'// &
      ' wmin[m/s] wmax[m/s] thpmin[K] thpmax[K] zcentroid[m] qcmax qrmax'
  end subroutine open_diagnostics

  subroutine write_diagnostics(step, time, dt, nsound)
    integer, intent(in) :: step, nsound
    real(wp), intent(in) :: time, dt
    real(wp) :: vol, mass, water, energy, rained, evaporated
    real(wp) :: wmin, wmax, thpmin, thpmax, qcmax, qrmax, warm, warmz, zmean
    real(wp) :: r, theta, thp, temp, uc, vc, wc, qt
    integer :: i, j, k

    vol = dx*dy*dz
    mass = 0.0_wp
    water = 0.0_wp
    energy = 0.0_wp
    warm = 0.0_wp
    warmz = 0.0_wp
    wmin = 0.0_wp
    wmax = 0.0_wp
    thpmin = 0.0_wp
    thpmax = 0.0_wp
    do k = 1, nz
      do j = 1, ny
        do i = 1, nx
          r = now%rho(i, j, k)
          qt = now%qv(i, j, k) + now%qc(i, j, k) + now%qr(i, j, k) + now%qi(i, j, k)
          theta = now%rth(i, j, k)/(r*(1.0_wp + rvord*now%qv(i, j, k)))
          temp = theta*(rd*now%rth(i, j, k)/p0)**(rd/cv)
          uc = 0.5_wp*(now%ru(i, j, k) + now%ru(i + 1, j, k))/r
          vc = 0.5_wp*(now%rv(i, j, k) + now%rv(i, j + 1, k))/r
          wc = 0.5_wp*(now%rw(i, j, k) + now%rw(i, j, k + 1))/r
          mass = mass + r*vol
          water = water + r*qt*vol
          energy = energy + vol*r*(cv*temp + lv*now%qv(i, j, k) - lf*now%qi(i, j, k) + (1.0_wp + qt)*grav*zc(k) &
                                   + 0.5_wp*(uc*uc + vc*vc + wc*wc))
          thp = theta - thb(k)
          warm = warm + max(thp, 0.0_wp)
          warmz = warmz + max(thp, 0.0_wp)*zc(k)
          wmin = min(wmin, wc)
          wmax = max(wmax, wc)
          thpmin = min(thpmin, thp)
          thpmax = max(thpmax, thp)
        end do
      end do
    end do
    qcmax = maxval(now%qc(1:nx, 1:ny, 1:nz))
    qrmax = maxval(now%qr(1:nx, 1:ny, 1:nz))
    rained = sum(rain(1:nx, 1:ny))*dx*dy
    evaporated = sum(evap(1:nx, 1:ny))*dx*dy
    zmean = 0.0_wp
    if (warm > 0.0_wp) zmean = warmz/warm

    write (unit, '(i8,2es24.15e3,i4,12es24.15e3)') step, time, dt, nsound, mass, water, rained, evaporated, &
      energy, wmin, wmax, thpmin, thpmax, zmean, qcmax, qrmax
    if (.not. (abs(energy) < huge(energy))) then
      write (*, '(a,i0)') 'cumulet: unstable run: energy is not finite at step ', step
      error stop 1
    end if
  end subroutine write_diagnostics

  ! Horizontal means, one line per level.
  subroutine write_profile()
    real(wp) :: rn, sth, sqv, sqc, sqr
    integer :: i, j, k

    write (unit, '(a)') '# profile: k z[m] theta_m[K] qv qc qr'
    rn = 1.0_wp/(real(nx, wp)*real(ny, wp))
    do k = 1, nz
      sth = 0.0_wp
      sqv = 0.0_wp
      sqc = 0.0_wp
      sqr = 0.0_wp
      do j = 1, ny
        do i = 1, nx
          sth = sth + now%rth(i, j, k)/now%rho(i, j, k)
          sqv = sqv + now%qv(i, j, k)
          sqc = sqc + now%qc(i, j, k)
          sqr = sqr + now%qr(i, j, k)
        end do
      end do
      write (unit, '(i8,5es24.15e3)') k, zc(k), sth*rn, sqv*rn, sqc*rn, sqr*rn
    end do
    close (unit)
  end subroutine write_profile

end module diagnostics
