"""A value given behind a loop counts only if nothing reads or changes more than is seen."""

from pathlib import Path

import pytest

from acclimate.analysis.project import read_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.texts.last_values import given_behind

TEXT = """\
module state
  implicit none
  integer :: shared, size
  type stretch
    integer :: length
    integer, pointer :: at
  end type stretch
  interface operator(.longer.)
    procedure longer
  end interface
contains
  integer function counted(m)
    integer, intent(inout) :: m
    m = m + 1
    shared = shared + 1
    counted = m
  end function counted
  logical function longer(m, n)
    integer, intent(in) :: m, n
    longer = m > n
  end function longer
  subroutine step
    size = size + 1
  end subroutine step
  subroutine below(n, a, s)
    integer, intent(inout) :: n
    real, intent(inout) :: a(n, n)
    type(stretch), intent(inout) :: s
    integer :: i, j, k, l, m, seen
    integer, target :: aimed
    integer :: one, other
    equivalence (one, other)
    namelist /sizes/ m
    do j = 1, n
      do LOOP
        do i = 1, 4
          a(i, j) = 0.0
        end do
        INSIDE
      end do
    end do
    BEHIND
    print *, i, shared, aimed, one
  contains
    subroutine within
      seen = seen + 1
      print *, k
    end subroutine within
  end subroutine below
end module state
"""


def given(tmp_path: Path, behind: str, wanted: str = "i", **texts: str) -> bool:
    text = TEXT.replace("BEHIND", behind).replace("INSIDE", texts.get("inside", "continue"))
    text = text.replace("do LOOP", f"do {texts.get('loop', 'l = 1, m')}")
    (tmp_path / "s.f90").write_text(text)
    project = read_project(Manifest(root=tmp_path, name="s", sources=("s.f90",)))
    unit = project.units["state::below"]
    line = next(n for n, row in enumerate(text.split("\n"), start=1) if "do j = 1, n" in row)
    return wanted in given_behind(project, unit, line, [wanted])


OF_SIZE = "if (1 <= n .and. 1 <= size) i = size + 1"
ASKED = "if (1 <= n .and. 1 <= m) i = m + 1"
RIGHT = {
    "at once": ("i = m + 1", "i", {}),
    "where the loops run": (ASKED, "i", {}),
    "behind what reads something else": (f"k = counted(seen)\n    {ASKED}", "i", {}),
    "a module variable behind arithmetic": ("k = max(n, 1)\n    shared = k", "shared", {}),
    "with a size of the module": (OF_SIZE, "i", {"loop": "l = 1, size"}),
    "with a size that an internal procedure sees": (
        "if (1 <= n .and. 1 <= seen) i = seen + 1",
        "i",
        {"loop": "l = 1, seen"},
    ),
    "with a size of a type": (
        "if (1 <= n .and. 1 <= s%length) i = s%length + 1",
        "i",
        {"loop": "l = 1, s%length"},
    ),
    "behind another loop": (f"do k = 1, n\n      a(k, 1) = 1.0\n    end do\n    {ASKED}", "i", {}),
    "in a loop that calls for something else": (ASKED, "i", {"inside": "k = counted(seen)"}),
    "with a jump inside the next loop": (
        f"do k = 1, n\n      if (a(k, 1) > 1.0) exit\n    end do\n    {ASKED}",
        "i",
        {},
    ),
}


@pytest.mark.parametrize(("behind", "wanted", "texts"), RIGHT.values(), ids=RIGHT)
def test_what_is_given_counts(tmp_path, behind, wanted, texts):
    assert given(tmp_path, behind, wanted, **texts)


WRONG = {
    "never": ("continue", "i", {}),
    "a function changes what the condition asks": (ASKED, "i", {"inside": "k = counted(m)"}),
    "one in a bound": (ASKED, "i", {"inside": "do k = 1, counted(m)\n        end do"}),
    "one in a condition": (ASKED, "i", {"inside": "if (counted(m) > 3) a(i, j) = 1.0"}),
    "one in a mask": (ASKED, "i", {"inside": "where (a(:, j) > counted(m)) a(:, j) = 1.0"}),
    "one in a subscript": (ASKED, "i", {"inside": "a(counted(m), j) = 1.0"}),
    "a function changes the variable itself": (
        "if (1 <= n .and. 1 <= m) seen = m + 1",
        "seen",
        {"inside": "if (m > 5) k = counted(m)"},
    ),
    "a call reaches a module variable": (
        OF_SIZE,
        "i",
        {"loop": "l = 1, size", "inside": "call step"},
    ),
    "a function reaches one": (
        OF_SIZE,
        "i",
        {"loop": "l = 1, size", "inside": "k = counted(seen)"},
    ),
    "an internal procedure reaches a local one": (
        "if (1 <= n .and. 1 <= seen) i = seen + 1",
        "i",
        {"loop": "l = 1, seen", "inside": "call within"},
    ),
    "an operator of the model": (
        OF_SIZE,
        "i",
        {"loop": "l = 1, size", "inside": "if (k .longer. 3) a(i, j) = 1.0"},
    ),
    "a namelist": (ASKED, "i", {"inside": "read (5, nml=sizes)"}),
    "a pointer": (
        "if (1 <= n .and. 1 <= aimed) i = aimed + 1",
        "i",
        {"loop": "l = 1, aimed", "inside": "s%at = 3"},
    ),
    "a pointer component": (
        "if (1 <= n .and. 1 <= s%at) i = s%at + 1",
        "i",
        {"loop": "l = 1, s%at"},
    ),
    "the same storage": (
        "if (1 <= n .and. 1 <= one) i = one + 1",
        "i",
        {"loop": "l = 1, one", "inside": "other = 2"},
    ),
    "a function in the condition": (
        "if (1 <= n .and. 1 <= counted(k)) i = 3",
        "i",
        {"loop": "l = 1, counted(k)"},
    ),
    "a loop behind changes what the condition asks": (
        f"do k = 1, 3\n      m = 0\n    end do\n    {ASKED}",
        "i",
        {},
    ),
    "a call in a loop behind does": (
        f"do k = 1, 3\n      call step\n    end do\n    {OF_SIZE}",
        "i",
        {"loop": "l = 1, size"},
    ),
    "a function reads it first": ("k = counted(i)\n    i = m + 1", "i", {}),
    "a function may read a module variable first": (
        "k = counted(seen)\n    shared = 1",
        "shared",
        {},
    ),
    "a call in a loop may": (
        "do k = 1, 2\n      call step\n    end do\n    shared = 1",
        "shared",
        {},
    ),
    "its storage may be read": ("k = other\n    one = 1", "one", {}),
    "a return goes round it": (
        "do k = 1, 2\n      if (a(k, 1) > 1.0) return\n    end do\n    i = m + 1",
        "i",
        {},
    ),
    "a jump goes round it": (
        "if (n > 3) then\n      k = 1\n      return\n    end if\n    i = m + 1",
        "i",
        {},
    ),
    "a label is in front": ("10 k = 1\n    i = m + 1", "i", {}),
}


@pytest.mark.parametrize(("behind", "wanted", "texts"), WRONG.values(), ids=WRONG)
def test_what_may_be_read_or_changed_unseen_does_not(tmp_path, behind, wanted, texts):
    assert not given(tmp_path, behind, wanted, **texts)
