! What the model writes: rows of each domain, in full precision.
module output
  use grid, only: wp, n_dom, p_patch
  use state
  implicit none

contains

  subroutine write_state(step)
    integer, intent(in) :: step
    integer :: jg, i, j, n
    do jg = 1, n_dom
      n = nnow(jg)
      do j = 1, p_patch(jg)%ny
        do i = 1, p_patch(jg)%nx
          write (20, '(4(1x, es24.16))') p_state(jg)%prog(nnow(jg))%h(i, j), &
            p_state(jg)%prog(nnow(jg))%u(i, j), p_state(jg)%prog(nnow(jg))%v(i, j), &
            p_state(jg)%diag%energy(i, j)
        end do
      end do
      p_state(jg)%diag%row = 0.0_wp
      do j = 1, p_patch(jg)%ny
        do i = 1, p_patch(jg)%nx
          p_state(jg)%diag%row(j) = p_state(jg)%diag%row(j) &
            + p_state(jg)%prog(n)%tracer(i, j, 1)*p_patch(jg)%cells%area(i, j)
        end do
      end do
      write (20, '(a, 2i5, es24.16)') 'tracer', step, jg, p_state(jg)%diag%row(3)
    end do
  end subroutine write_state

end module output
