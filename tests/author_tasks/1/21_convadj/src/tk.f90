! Seeded inputs and a text dump for the tasks.
module tk
  implicit none
  integer, save :: u_ = 77
  integer(8), save :: s_ = 1
contains
  subroutine tk_seed(n1, n2, iseed)
    integer, intent(in) :: n1, n2, iseed
    s_ = mod(iseed*7919_8 + n1*104729_8 + n2*1299709_8 + 12345_8, 2147483647_8)
    if (s_ <= 0) s_ = 1
    do while (rnd() > 2.d0); end do
  end subroutine
  real(8) function rnd()
    s_ = mod(48271_8*s_, 2147483647_8)
    rnd = dble(s_)/2147483647.d0
  end function
  integer function irnd(lo, hi)
    integer, intent(in) :: lo, hi
    irnd = min(hi, lo + int(rnd()*(hi - lo + 1)))
  end function
  subroutine fill(a, n, lo, hi)
    integer, intent(in) :: n
    real(8), intent(out) :: a(n)
    real(8), intent(in) :: lo, hi
    integer :: i
    do i = 1, n
      a(i) = lo + (hi - lo)*rnd()
    end do
  end subroutine
  subroutine dr(name, a, n)
    character(*), intent(in) :: name
    integer, intent(in) :: n
    real(8), intent(in) :: a(n)
    write (u_, '(2a, i0)') name, ' ', n
    write (u_, '(4es25.16e3)') a
  end subroutine
  subroutine di(name, a, n)
    character(*), intent(in) :: name
    integer, intent(in) :: n
    integer, intent(in) :: a(n)
    write (u_, '(2a, i0)') name, ' ', n
    write (u_, '(8i12)') a
  end subroutine
  subroutine ds(name, x)
    character(*), intent(in) :: name
    real(8), intent(in) :: x
    call dr(name, [x], 1)
  end subroutine
  subroutine dis(name, k)
    character(*), intent(in) :: name
    integer, intent(in) :: k
    call di(name, [k], 1)
  end subroutine
end module tk
