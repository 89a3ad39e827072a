 subroutine outer(b, n)
   integer :: n, i
   real :: b(n), t
   t = 0.0
   do i = 1, n !<
     call maybe(b(i), t)
     b(i) = t
   end do
 end subroutine
 subroutine maybe(x, t)
   real :: x, t
   if (x > 0.0) goto 10
   t = x
10 continue
 end subroutine
