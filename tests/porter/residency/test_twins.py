"""Tables of settings that the host asks for by element: both copies stay valid."""

from typing import Any

from acclimate.porter import engine

SETTINGS = """
    module settings
      implicit none
      real(8) :: rates({size})
    contains
      subroutine fill(n, factor)
        integer, intent(in) :: n
        real(8), intent(in) :: factor
        integer :: i
        do i = 1, n
          rates(i) = factor*i
        end do
      end subroutine fill
      subroutine ask(n, value)
        integer, intent(in) :: n
        real(8), intent(out) :: value
        value = rates(n)
      end subroutine ask
    end module settings
    program main
      use settings
      implicit none
      real(8) :: a
      integer :: step
      call fill({size}, 2.0d0)
      do step = 1, 3
        call ask(step, a)
        print *, a
      end do
    end program main
    """


def test_a_large_array_is_fetched_where_it_is_asked_for(models: Any) -> None:
    text = models.ported(models.indexed({"main.f90": SETTINGS.format(size=5000)}))["main.f90"]
    assert "!$acc update self(rates)\n  do step" in text
    assert "end do\n    !$acc update self(rates)" not in text


def test_a_table_comes_back_behind_the_kernel_that_fills_it(models: Any) -> None:
    index = models.indexed({"main.f90": SETTINGS.format(size=40)})
    text = models.ported(index)["main.f90"]
    assert "rates(i) = factor*i\n    end do\n    !$acc update self(rates)\n" in text
    assert text.count("update self") == 1
    assert engine.plan(index).kernels
