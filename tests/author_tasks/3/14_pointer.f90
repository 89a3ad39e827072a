! Works on one column after another through a pointer.
module pointed_columns
  implicit none
contains
  subroutine relax(n, m, rate, ref, t)
    integer, intent(in) :: n, m
    real(8), intent(in) :: rate, ref(m)
    real(8), intent(inout), target :: t(m, n)
    real(8), pointer :: column(:)
    real(8) :: mean
    integer :: i, k
    do i = 1, n
      column => t(:, i)
      mean = 0d0
      do k = 1, m
        mean = mean + column(k)
      end do
      mean = mean/m
      do k = 1, m
        column(k) = column(k) + rate*(ref(k)*mean - column(k))
      end do
    end do
  end subroutine relax
end module pointed_columns

program main
  use pointed_columns
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
    real(8), target :: t(m, n)
    real(8) :: ref(m)
    integer :: i, k, again
    ref = [(1d0 + 0.1d0*value(k, 1, seed), k = 1, m)]
    do i = 1, n
      do k = 1, m
        t(k, i) = value(i, k, seed)
      end do
    end do
    do again = 1, 2
      call relax(n, m, 0.2d0, ref, t)
      print '(4es25.16)', t
    end do
  end subroutine drive
end program main
