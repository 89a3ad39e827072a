"""Loops that call procedures with parallel loops of their own: who is offloaded?"""

from typing import Any

from acclimate.porter import engine

SPECIES = """
    module work
      implicit none
    contains
      subroutine scale(n, a)
        integer, intent(in) :: n
        real(8), intent(inout) :: a(n, n)
        integer :: i, j
        do j = 1, n
          do i = 1, n
            a(i, j) = 0.5d0*a(i, j)
          end do
        end do
      end subroutine scale
      subroutine edge(n, a)
        integer, intent(in) :: n
        real(8), intent(inout) :: a(n, n)
        integer :: i
        {shared}
        do i = 1, n
          a(i, 1) = 0.0d0
        end do
      end subroutine edge
    end module work
    program main
      use work
      implicit none
      integer, parameter :: n = 30
      real(8) :: q(n, n, 3)
      integer :: m
      q = 1.0d0
      do m = 1, 3
        call {callee}(n, q(:, :, m))
      end do
      print *, sum(q)
    end program main
    """


def kernels(models: Any, callee: str, shared: str = "! serial") -> list[str]:
    text = SPECIES.format(callee=callee, shared=shared)
    plan = engine.plan(models.indexed({"main.f90": text}))
    return [kernel.unit for kernel in plan.kernels if kernel.rule != "array_statement_loops"]


def test_a_loop_over_whole_fields_stays_on_the_host_and_its_callee_launches(models: Any) -> None:
    assert "work::scale" in kernels(models, "scale") and "main" not in kernels(models, "scale")


def test_between_equals_the_directive_of_the_author_decides(models: Any) -> None:
    assert "work::edge" in kernels(models, "edge", "!$omp parallel do")
    assert "main" not in kernels(models, "edge", "!$omp parallel do")


def test_a_loop_that_calls_a_loop_is_one_kernel_otherwise(models: Any) -> None:
    assert "main" in kernels(models, "edge")


TABLE = """
    program main
      implicit none
      integer, parameter :: n = 30
      real(8), parameter :: weight(3) = [1.0d0, 2.0d0, 4.0d0]
      real(8) :: a(n), b(n)
      integer :: i
      do i = 1, n
        a(i) = 1.0d0*i
      end do
      do i = 1, n
        b(i) = weight({element})*a(i)
      end do
      print *, sum(b)
    end program main
    """


def test_a_named_constant_is_not_looked_up_in_a_kernel(models: Any) -> None:
    """gfortran looks for such a table among the data that are present, and there is no clause."""
    plan = engine.plan(models.indexed({"main.f90": TABLE.format(element="mod(i, 3) + 1")}))
    refusals = [loop.refusal for loop in plan.loops if loop.refusal is not None]
    assert "'weight' is a named constant" in refusals[0].reason
    assert refusals[0].next_step == "make 'weight' a variable, or look it up before the loop"
    plan = engine.plan(models.indexed({"main.f90": TABLE.format(element="2")}))
    assert not [loop for loop in plan.loops if loop.refusal is not None]
