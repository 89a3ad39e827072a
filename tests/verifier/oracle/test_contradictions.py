"""Each kind of false claim is seen in a run, and a true one is left alone."""

import pytest

from acclimate.analysis.facts import Reduction

pytestmark = [pytest.mark.gfortran, pytest.mark.needs("gcc"), pytest.mark.needs("addr2line")]

PROGRAM = """program model
implicit none
integer :: i, k, t
real :: a(0:20), b(20), w(5), s
a = 1.0
b = [(real(i), i = 1, 20)]
s = 0.0
t = 3
w = 4.0
do i = 1, 10
{body}
end do
print *, a, b, s
{after}
contains
subroutine bump(x, y)
real, intent(inout) :: x
real, intent(in) :: y
real :: mine(3)
mine = y
x = x + mine(2)
end subroutine bump
real function half(x)
real, intent(in) :: x(:)
real, allocatable :: copy(:)
copy = x / 2
half = copy(1)
end function half
end program model
"""
LOOP = 10
INDICES = ("i", "k")

FALSE = [
    ("a(i) = a(i - 1) + 1.0", "", {}, {"flow"}),
    ("a(i - 1) = a(i) + 1.0", "", {}, {"anti"}),
    ("a(mod(i, 4)) = b(i)", "", {}, {"output"}),
    ("b(2) = b(2) * 0.5\na(i) = b(i)", "", {}, {"flow", "output"}),
    ("t = t + i\na(i) = t", "", {}, {"flow", "output"}),
    ("call bump(s, b(i))", "", {}, {"flow", "output"}),
    ("call bump(a(i), a(i - 1))", "", {}, {"flow"}),
    ("w(1) = i\na(i) = w(1)", "", {}, {"output"}),
    ("if (i > 3) t = i\na(i) = t", "", {"private": ("i", "t")}, {"entry"}),
    ("if (mod(i, 3) == 1) t = i\na(i) = t", "", {"private": ("i", "t")}, {"carried"}),
    ("if (i == 3) t = i\na(i) = t", "", {"private": ("i",), "firstprivate": ("t",)}, {"carried"}),
    ("t = i\na(i) = t", "k = t", {"private": ("i", "t")}, {"live-out"}),
    (
        "if (i == 3) t = i\na(i) = b(i)",
        "k = t",
        {"private": ("i", "t"), "last_values": ("t",)},
        {"live-out"},
    ),
    ("s = s + b(i)\na(i) = s", "", {"reduction": (Reduction("+", "s"),)}, {"update"}),
    ("a(1) = a(1) + b(i)\nb(i) = a(1)", "", {"atomic": ("a",)}, {"update"}),
    ("w = a(i)\nb(i) = w(3)", "print *, w(2)", {"private": ("i", "w")}, {"live-out"}),
]

TRUE = [
    ("a(i) = a(i) + b(i)", "", {}),
    ("t = i\na(i) = t", "", {"private": ("i", "t")}),
    ("t = i\na(i) = t", "k = t", {"private": ("i", "t"), "last_values": ("t",)}),
    ("a(i) = t * b(i)", "", {"firstprivate": ("t",)}),
    ("if (b(i) > s) s = b(i)", "", {"reduction": (Reduction("max", "s"),)}),
    ("s = s + b(i)", "", {"reduction": (Reduction("+", "s"),)}),
    ("call bump(a(i), b(i))", "", {}),
    ("a(1) = a(1) + b(i)\nb(i) = a(i + 1)", "", {"atomic": ("a",)}),
    ("a(i) = half(b(i:i)) + half([b(i), 1.0])", "", {}),
    ("do k = 1, 5\nw(k) = i + k\nend do\na(i) = sum(w)", "", {"private": ("i", "k", "w")}),
    ("if (b(i) > 1) then\na(i) = 1.0\ncycle\nend if\na(i) = 2.0", "", {}),
]


def claim(clauses):
    nothing = {
        "private": ("i",),
        "firstprivate": (),
        "reduction": (),
        "last_values": (),
        "atomic": (),
    }
    return {LOOP: nothing | clauses}


@pytest.mark.parametrize(("body", "after", "clauses", "kinds"), FALSE)
def test_a_false_claim_is_contradicted(watch, body, after, clauses, kinds):
    watched = watch(PROGRAM.format(body=body, after=after), claim(clauses))
    found = [c for c in watched.contradictions if c.loop.facts.at.first == LOOP]
    assert kinds <= {c.kind for c in found}
    behind = LOOP + body.count("\n") + 4
    assert all(c.later is None or c.later.file == "model.f90" for c in found)
    if "live-out" in kinds:
        assert behind in {c.later.first for c in found}


@pytest.mark.parametrize(("body", "after", "clauses"), TRUE)
def test_a_true_claim_is_left_alone(watch, body, after, clauses):
    watched = watch(PROGRAM.format(body=body, after=after), claim(clauses))
    found = [str(c) for c in watched.contradictions if c.loop.facts.at.first == LOOP]
    assert found == []
    assert LOOP in {facts.at.first for facts in watched.powerful()}


def test_a_contradiction_names_both_references_and_iterations(watch):
    text = PROGRAM.format(body="b(i) = 1.0\na(i) = b(max(i - 2, 1))", after="")
    watched = watch(text, claim({}))
    (found,) = [c for c in watched.contradictions if c.loop.facts.at.first == LOOP]
    assert (found.kind, found.earlier.first, found.later.first) == ("flow", LOOP + 1, LOOP + 2)
    assert found.iterations == (1, 2)
