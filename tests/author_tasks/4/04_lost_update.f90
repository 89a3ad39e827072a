! Limits humidity and says where it was negative.
module limited_humidity
  implicit none
contains
  subroutine limit(n, m, dt, dq, q)
    integer, intent(in) :: n, m
    real(8), intent(in) :: dt, dq(n, m)
    real(8), intent(inout) :: q(n, m)
    integer :: i, k
    !$acc data copyin(q, dq)
    !$acc parallel loop collapse(2) present(q, dq)
    do k = 1, m
      do i = 1, n
        q(i, k) = q(i, k) + dt*dq(i, k)
      end do
    end do
    !$acc end data
    do k = 1, m
      do i = 1, n
        if (q(i, k) < 0d0) then
          print '(a, 2i5, es24.16)', ' negative humidity at', i, k, q(i, k)
          q(i, k) = 0d0
        end if
      end do
    end do
  end subroutine limit
end module limited_humidity

program main
  use limited_humidity
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
    real(8) :: q(n, m), dq(n, m)
    integer :: i, k, again
    do k = 1, m
      do i = 1, n
        q(i, k) = value(i, k, seed)
        dq(i, k) = value(k, i, seed + 1) - 0.6d0
      end do
    end do
    do again = 1, 3
      call limit(n, m, 1.5d0, dq, q)
      print '(4es25.16)', q
    end do
  end subroutine drive
end program main
