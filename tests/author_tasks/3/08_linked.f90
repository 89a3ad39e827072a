! Moves particles that are linked cell by cell.
module linked_particles
  implicit none
contains
  subroutine move(ncell, np, head, next, cell, u, dt, x)
    integer, intent(in) :: ncell, np
    integer, intent(in) :: head(ncell), next(np), cell(np)
    real(8), intent(in) :: u(ncell), dt
    real(8), intent(inout) :: x(np)
    integer :: ic, p
    do ic = 1, ncell
      p = head(ic)
      do while (p > 0)
        if (cell(p) == ic) x(p) = x(p) + dt*u(ic)*(1d0 - 0.1d0*x(p))
        p = next(p)
      end do
    end do
  end subroutine move
end module linked_particles

program main
  use linked_particles
  implicit none
  call drive(24, 16, 1)
  call drive(1, 1, 2)
  call drive(2, 3, 3)
  call drive(33, 5, 4)
  call drive(7, 12, 5)
contains
  pure real(8) function value(i, k, seed)
    integer, intent(in) :: i, k, seed
    value = mod((37*i + 101*k + 13*seed)*0.6180339887498949d0, 1d0)
  end function value
  subroutine drive(n, m, seed)
    integer, intent(in) :: n, m, seed
    integer :: head(m), next(n), cell(n), p, again
    real(8) :: u(m), x(n)
    x = [(value(p, m, seed), p = 1, n)]
    u = [(value(p, n, seed + 1) - 0.5d0, p = 1, m)]
    do again = 1, 2
      head = 0
      do p = 1, n
        cell(p) = min(m, 1 + int(m*value(p, again, seed + 2)))
        next(p) = head(cell(p))
        head(cell(p)) = p
        if (value(p, 5, seed) < 0.1d0) cell(p) = 0
      end do
      call move(m, n, head, next, cell, u, 0.5d0, x)
      print '(4es25.16)', x
    end do
  end subroutine drive
end program main
