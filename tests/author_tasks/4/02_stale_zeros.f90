! Buoyancy frequency with DO CONCURRENT and a mask.
module stability
  implicit none
contains
  subroutine buoyancy(n, m, theta, z, n2)
    integer, intent(in) :: n, m
    real(8), intent(in) :: theta(n, m), z(m)
    real(8), intent(out) :: n2(n, m)
    integer :: i, k
    n2 = 0d0
    !$acc parallel loop collapse(2) copyin(theta, z) copyout(n2)
    do k = 1, m - 1
      do i = 1, n
        if (theta(i, k + 1) > theta(i, k)) then
          n2(i, k) = 9.81d0/theta(i, k)*(theta(i, k + 1) - theta(i, k))/(z(k + 1) - z(k))
        end if
      end do
    end do
  end subroutine buoyancy
end module stability

program main
  use stability
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
    real(8) :: theta(n, m), z(m), n2(n, m)
    integer :: i, k, again
    z = [(100d0*k + value(k, 1, seed), k = 1, m)]
    do again = 1, 2
      do k = 1, m
        do i = 1, n
          theta(i, k) = 300d0 + 3d0*value(i, k, seed + again) + 0.1d0*k
        end do
      end do
      call buoyancy(n, m, theta, z, n2)
      print '(4es25.16)', n2
    end do
  end subroutine drive
end program main
