program pond
  use state
  use flow
  implicit none
  type(level) :: l
  real(wp) :: x, w(8)
  integer :: i

  call setup(6)
  l%n = 4
  allocate (l%q(0:5))
  l%q = 1.0_wp
  w = [(real(i, wp), i = 1, 8)]
  x = 1.0_wp
  do i = 1, 5
    call stir(l, w(1:7:2), w(2:8:2))
    call gauge(x, note='deep')
    call gauge(x, 3, 'flat')
    call settle(2, i)
    call twice(w, w, 8)
    call slide(w(1:7), w(2:8))
    call lift(ph)
    call tally(w, 8)
  end do
  print '(6es24.16)', l%q, w, x, depth(:, 3), total([2, 4]), ph
end program pond
