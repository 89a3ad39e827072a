! Fills a table of saturation vapour pressure; the temperature runs along.
module saturation_table
  implicit none
  real(8), parameter :: a(0:5) = [6.1117675d0, 0.44398606d0, 1.43053301d-2, 2.65027242d-4, &
                                  3.02246994d-6, 2.03886313d-8]
contains
  subroutine fill_table(n, first, es, des)
    integer, intent(in) :: n, first
    real(8), intent(out) :: es(n), des(n)
    integer :: i
    real(8) :: t
    !$acc parallel loop copyout(es, des) private(t)
    do i = 1, n
      t = first + 0.5d0*i
      es(i) = a(0) + t*(a(1) + t*(a(2) + t*(a(3) + t*(a(4) + t*a(5)))))
      des(i) = a(1) + t*(2*a(2) + t*(3*a(3) + t*(4*a(4) + t*5*a(5))))
    end do
  end subroutine fill_table
end module saturation_table

program main
  use saturation_table
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
    real(8) :: es(n + 2*m), des(n + 2*m)
    integer :: again
    do again = 1, 2
      call fill_table(n + 2*m, nint(-50*value(again, m, seed)), es, des)
      print '(4es25.16)', es, des
    end do
  end subroutine drive
end program main
