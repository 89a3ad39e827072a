"""The form is settled by reading: suffixes are wrong, and the two forms share much."""

import pytest

from acclimate.analysis.view.source_forms import form_by_suffix, form_by_trial

FREE_IN_F = """module m
  use n, only: a
  implicit none
contains
  subroutine s(x)
    real :: x
    x = a + &
        1.0
  end subroutine
end module
"""
FIXED_IN_F90 = """C     a comment that is long enough to be read as words
      subroutine s(x, n)
      real x(n)
      do 10 i = 1, n
        x(i) = x(i)
     1         + 1.0
     2         + 2.0
C     another comment (with one bracket
   10 continue
      end
"""
BOTH_FORMS = (
    "      subroutine s(a,                                                   &\n"
    "     &             b,                                                   &\n"
    "     &             c)\n"
    "!     a comment\n"
    "      real a, b, c\n"
    "      a = b +                                                           &\n"
    "     &    c\n"
    "      end\n"
)
FIXED_WITH_BAD_MARKS = "".join(
    f"      call f{number}(a,\n     &      b,                          & ! intent(in)\n     &  c)\n"
    for number in range(9)
)
INDENTED_PROCEDURE = (
    "        subroutine s(x, &\n          y)\n          x = y + &\n     z\n        end subroutine\n"
)
INDENTED_FREE = (
    "      module m\n        implicit none\n      contains\n"
    + INDENTED_PROCEDURE * 3
    + "      end module\n"
)


@pytest.mark.parametrize(
    ("file", "text", "form"),
    [
        ("a.F", FREE_IN_F, "free"),
        ("a.f90", FREE_IN_F, "free"),
        ("a.f90", FIXED_IN_F90, "fixed"),
        ("a.f", FIXED_IN_F90, "fixed"),
        ("a.f", BOTH_FORMS, "fixed"),
        ("a.f90", BOTH_FORMS, "free"),
        ("a.f", FIXED_WITH_BAD_MARKS, "fixed"),
        ("a.f90", INDENTED_FREE, "free"),
        ("a.F", INDENTED_FREE, "free"),
        ("a.F", "      module m\n     real, parameter :: r = 8.3\n      end module\n", "free"),
        ("a.f", "", "fixed"),
        ("a.f90", "not Fortran at all\n" * 5, "free"),
        ("a.f", "x" * 100_000, "free"),
    ],
)
def test_form_by_trial(file, text, form):
    assert form_by_trial(text, form_by_suffix(file)) == form
