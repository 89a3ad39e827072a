"""Scalars of a module that loops set: who may read what a loop leaves in them?"""

import pytest

from acclimate.analysis.facts import Verdict

MODEL = """
module fields
  integer :: ji, jj, jk
  real :: a(10, 10), b(10)
  real, allocatable :: c(:)
  type held
    integer :: n
  end type
  type(held), allocatable :: o
contains
  subroutine step(n)
    integer, intent(in) :: n
    integer :: i
    do jj = 1, n {outer}
      do ji = 1, n
        a(ji, jj) = 1.0
      end do
    end do
    {behind}
  end subroutine
  subroutine show
    print *, ji, jj
  end subroutine
  real function seen(x)
    real, intent(in) :: x
    seen = x*(jj + jk)
  end function
end module
"""

READ = {
    "nothing": "continue",
    "a call": "call show; jj = 1; ji = 1",
    "a function": "b(1) = seen(2.0); jj = 1; ji = 1",
    "a return": "if (b(1) > 0.0) return; jj = 1; ji = 1",
    "an object that ends": "deallocate (o); jj = 1; ji = 1",
    "a branch": "if (b(1) > 0.0) jj = 1; ji = 1",
    "a call in a later loop": "do i = 1, n; call show; jj = 1; ji = 1; end do",
    "the next iteration": "do i = 1, n; b(i) = jj; jj = 1; end do; ji = 1",
}


@pytest.mark.parametrize("behind", READ.values(), ids=READ)
def test_it_may_be_read(judge, behind):
    source = MODEL.format(outer="!<", behind=behind.replace("; ", "\n"))
    assert "jj" in judge(source).last_values


OVERWRITTEN = {
    "memory that comes and goes": "allocate (c(n)); deallocate (c); jj = 1; ji = 1",
    "assignments": "jj = 1; ji = 1; call show",
    "loops": "do jj = 1, n; do ji = 1, n; a(ji, jj) = 2.0; end do; end do; ji = 1",
    "both branches": "if (b(1) > 0.0) then; jj = 1; else; jj = 2; end if; ji = 1",
}


@pytest.mark.parametrize("behind", OVERWRITTEN.values(), ids=OVERWRITTEN)
def test_it_is_overwritten_first(judge, behind):
    facts = judge(MODEL.format(outer="!<", behind=behind.replace("; ", "\n")))
    assert (facts.verdict, facts.last_values) == (Verdict.PARALLEL, ())


def test_a_second_name_for_it_reads_it(judge):
    source = """
        module indices
          integer :: jj
        end module
        module other_names
          use indices, only: last => jj
        end module
        subroutine step(a, n, found)
          use indices, only: jj
          use other_names, only: last
          integer :: n, found
          real :: a(n)
          do jj = 1, n !<
            a(jj) = 1.0
          end do
          found = last
          jj = 1
        end subroutine
    """
    assert "jj" in judge(source).last_values


def test_a_procedure_called_inside_reads_it(judge):
    """One variable for all iterations, whatever happens to it behind the loop."""
    source = MODEL.replace("a(ji, jj) = 1.0", "b(ji) = seen(2.0)")
    facts = judge(source.format(outer="!<", behind="jj = 1\n ji = 1"))
    assert facts.verdict is Verdict.SERIAL


def test_a_scalar_that_is_set_anew_is_private(judge):
    source = MODEL.replace("a(ji, jj) = 1.0", "jk = ji + 1\n if (jk > 2) a(jk, jj) = jk")
    facts = judge(source.format(outer="!<", behind="jk = 1\n jj = 1\n ji = 1"))
    assert (facts.verdict, facts.last_values) == (Verdict.PARALLEL, ())
    assert "jk" in facts.private


@pytest.mark.parametrize("behind", ["call show", "b(1) = jk", "b(1) = seen(2.0)", "return"])
def test_a_scalar_that_may_be_read_keeps_its_last_value(judge, behind):
    source = MODEL.replace("a(ji, jj) = 1.0", "jk = ji + 1\n a(ji, jj) = jk")
    facts = judge(source.format(outer="!<", behind=f"{behind}\n jk = 1"))
    assert facts.verdict is Verdict.REWRITE


def test_a_scalar_that_a_called_procedure_reads_is_not_private(judge):
    source = MODEL.replace("a(ji, jj) = 1.0", "jk = ji\n b(ji) = seen(2.0)")
    facts = judge(source.format(outer="!<", behind="jk = 1\n jj = 1\n ji = 1"))
    assert facts.verdict is Verdict.SERIAL
