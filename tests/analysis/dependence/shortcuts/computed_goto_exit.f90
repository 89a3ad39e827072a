 subroutine outer(a, n, m)
   integer :: n, i, m
   real :: a(n)
   do i = 1, n !<
     a(i) = 1.0
     goto (20, 30), m
  20 continue
   end do
30 continue
 end subroutine
