"""Pieces of work arrays whose bounds are variables, elements, components or sizes."""

import pytest

from acclimate.analysis.facts import Verdict

STARTED_AT_ONE = """
    subroutine outer(a, level, n, kts, ktf)
      integer :: n, kts, ktf, i, k, level(n)
      real :: a(n, ktf), h(ktf)
      do i = 1, n !<
        h(1) = 0.0
        do k = kts + 1, ktf
          h(k) = h(k - 1) + a(i, k)
          if (h(k) > 1.0) then
            level(i) = k
            exit
          end if
        end do
      end do
    end subroutine
"""


def test_a_column_whose_first_element_has_another_name(judge):
    """`h(kts)` is `h(1)`, which every iteration writes, or no iteration writes it at all."""
    facts = judge(STARTED_AT_ONE)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("h(1) = 0.0", "if (a(i, 1) > 0.0) h(1) = 0.0"),
        ("h(1) = 0.0", "h(level(i)) = 0.0"),
        ("h(1) = 0.0", "continue"),
        ("do k = kts + 1, ktf", "do k = level(i), ktf"),
        ("        end do\n      end do", "        end do\n        h(kts) = 2.0\n      end do"),
        ("h(k - 1)", "h(k - 2)"),
    ],
)
def test_a_column_whose_first_element_may_be_the_iteration_befores(judge, before, after):
    source = STARTED_AT_ONE.replace(before, after)
    assert source != STARTED_AT_ONE
    expected = {Verdict.SERIAL, Verdict.UNKNOWN}
    if after == "continue":  # read undefined, or never written: nothing is carried
        expected = {Verdict.PARALLEL}
    assert judge(source).verdict in expected, judge(source)


POINTED_BOUND = """
    module m
      type mesh
        integer :: nlev
        integer, pointer :: edges(:)
      end type
      type(mesh), pointer :: grid
    contains
      subroutine outer(a, n, other)
        integer :: n, i, k
        real :: a(n, 50), w(50)
        integer, pointer :: other
        real, pointer :: field(:)
        do i = 1, n !<
          do k = 1, grid%nlev
            w(k) = a(i, k)
          end do
          do k = 1, grid%nlev
            a(i, k) = w(k)
          end do
        end do
      end subroutine
      subroutine change(g)
        type(mesh), pointer :: g
        g%nlev = 3
      end subroutine
    end module
"""


@pytest.mark.parametrize("bound", ["grid%nlev", "grid%edges(i)"])
def test_a_bound_behind_a_pointer(judge, bound):
    facts = judge(POINTED_BOUND.replace("grid%nlev", bound))
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"i", "k", "w"}


@pytest.mark.parametrize(
    "between",
    [
        "other = 50",  # may be grid%nlev
        "grid%edges(1) = 50",
        "call change(grid)",
        "grid => null()",
    ],
)
def test_a_bound_behind_a_pointer_that_may_change(judge, between):
    """A pointer to the same type may reach the bound, and then `w(k)` may be unwritten."""
    source = POINTED_BOUND.replace(
        "          do k = 1, grid%nlev\n            a(i",
        f"          {between}\n          do k = 1, grid%nlev\n            a(i",
    )
    assert source != POINTED_BOUND
    facts = judge(source)
    assert "w" not in facts.private
    assert facts.verdict is not Verdict.PARALLEL


ASSOCIATED_ARRAY = """
    module m
      type field
        real, allocatable :: u(:, :), v(:, :)
      end type
    contains
      subroutine outer(f, n, nk)
        type(field) :: f
        integer :: n, nk, i, k
        associate (u => f%u, v => f%v)
          do k = 2, nk !<
            do i = 1, n
              u(i, k) = v(i, k - 1)
            end do
          end do
        end associate
      end subroutine
    end module
"""


def test_subscripts_of_an_associate_name_keep_their_values(judge):
    assert judge(ASSOCIATED_ARRAY).verdict is Verdict.PARALLEL
    carried = judge(ASSOCIATED_ARRAY.replace("v => f%v", "v => f%u"))
    assert carried.verdict is Verdict.SERIAL


TOPS_FROM_A_TABLE = """
    subroutine outer(a, n, nk, nb, top)
      integer :: n, nk, nb, i, k, j, top(n)
      real :: a(n, nk, nb), w(n, nk)
      do j = 1, nb !<
        do i = 1, n
          if (top(i) < 1) cycle
          do k = 1, top(i)
            w(i, k) = a(i, k, j)
          end do
        end do
        do i = 1, n
          if (top(i) < 1) cycle
          do k = 2, top(i)
            a(i, k, j) = w(i, k) - w(i, k - 1)
          end do
        end do
      end do
    end subroutine
"""


def test_columns_up_to_a_level_from_a_table(judge):
    facts = judge(TOPS_FROM_A_TABLE)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"i", "j", "k", "w"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("do k = 2, top(i)", "do k = 2, top(i) + 1"),
        ("do k = 2, top(i)", "do k = 2, top(n + 1 - i)"),
        ("w(i, k - 1)", "w(n + 1 - i, k - 1)"),
        ("w(i, k) = a(i, k, j)", "w(i, k) = a(i, k, j)\n if (k > 3) top(i) = 3"),
        ("do k = 1, top(i)", "do k = 2, top(i)"),
    ],
)
def test_columns_read_beyond_the_level_they_are_filled_to(judge, before, after):
    source = TOPS_FROM_A_TABLE.replace(before, after)
    assert source != TOPS_FROM_A_TABLE
    facts = judge(source)
    assert "w" not in facts.private


EDGES_OF_A_MESH = """
    module m
      type mesh
        integer :: nedges, nlev
        integer, pointer :: cells(:, :)
        real, pointer :: length(:)
      end type
    contains
      subroutine outer(grid, h, flux)
        type(mesh) :: grid
        real, pointer :: h(:, :), flux(:, :)
        real :: column(100)
        integer :: e, k, left, right
        do e = 1, grid%nedges !<
          left = grid%cells(1, e)
          right = grid%cells(2, e)
          do k = 1, grid%nlev
            column(k) = grid%length(e) * (h(k, left) - h(k, right))
          end do
          do k = 1, grid%nlev
            flux(k, e) = column(k)
          end do
        end do
      end subroutine
    end module
"""


def test_an_integer_table_is_no_real_field(judge):
    facts = judge(EDGES_OF_A_MESH)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"column", "e", "k", "left", "right"}
    assert [set(c.names) for c in facts.conditions] == [{"flux", "grid%length"}, {"flux", "h"}]
    table = judge(EDGES_OF_A_MESH.replace("real, pointer :: h", "integer, pointer :: h"))
    assert {"flux", "grid%cells"} in [set(c.names) for c in table.conditions]


BOUNDS_IN_A_STRUCTURE = """
    module m
      type domain
        integer :: low, high, level
      end type
    contains
      subroutine fluxes(f, q, d, first)
        type(domain) :: d
        integer :: first(:)
        real :: f(d%low:d%high), q(d%low - 1:d%high)
        integer :: i
        do i = d%low, d%high
          f(i) = q(i) - q(i - 1)
        end do
        do i = 1, first(d%level)
          q(d%low) = q(d%low) + 1.0
        end do
      end subroutine
      subroutine outer(a, d, n, first)
        type(domain) :: d
        integer :: n, k, i, first(:)
        real :: a(n, 9), q(d%low - 1:d%high), f(d%low:d%high)
        do k = 1, 9 !<
          do i = d%low - 1, d%high
            q(i) = a(i, k)
          end do
          call fluxes(f, q, d, first)
          do i = d%low, d%high
            a(i, k) = f(i)
          end do
        end do
      end subroutine
    end module
"""


def test_bounds_that_are_components(judge):
    facts = judge(BOUNDS_IN_A_STRUCTURE)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"f", "i", "k", "q"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("          call fluxes", "          d%low = d%low - 1\n          call fluxes"),
        (
            "integer :: i\n        do i = d%low",
            "integer :: i\n        d%low = 1\n        do i = d%low",
        ),
        ("do i = d%low, d%high\n          f(i)", "do i = d%low + 1, d%high\n          f(i)"),
        ("do i = d%low, d%high\n          f(i)", "do i = first(d%low), d%high\n          f(i)"),
    ],
)
def test_bounds_that_are_components_and_change(judge, before, after):
    source = BOUNDS_IN_A_STRUCTURE.replace(before, after)
    assert source != BOUNDS_IN_A_STRUCTURE
    facts = judge(source)
    assert "f" not in facts.private


def test_a_table_passed_to_a_callee(judge):
    source = """
        subroutine outer(a, top, n, nk)
          integer :: n, nk, i, k, top(n)
          real :: a(n, nk), w(nk)
          do i = 1, n !<
            call fill(w, top, i, nk)
            do k = 1, top(i)
              a(i, k) = w(k)
            end do
          end do
        end subroutine
        subroutine fill(x, last, i, nk)
          integer :: i, nk, k, last(*)
          real :: x(nk)
          do k = 1, last(i)
            x(k) = k
          end do
        end subroutine
    """
    facts = judge(source)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"i", "k", "w"}
    for before, after in (
        ("last(i)", "last(nk)"),
        ("fill(w, top,", "fill(w, top(2:),"),
        ("do k = 1, last(i)", "last(i) = last(i) - 1\n do k = 1, last(i)"),
    ):
        other = judge(source.replace(before, after))
        assert "w" not in other.private, before


def test_the_size_of_what_this_iteration_has_assigned(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i, k
          real :: a(n, n)
          real, allocatable :: w(:)
          do i = 1, n !<
            w = a(:, i)
            do k = 1, size(w)
              a(k, i) = 2.0 * w(k)
            end do
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL
    assert "w" in facts.private


def test_the_size_of_an_array_that_keeps_its_shape(judge):
    facts = judge("""
        subroutine outer(a, n)
          integer :: n, i, k
          real, allocatable :: a(:, :)
          do i = 1, n !<
            do k = 1, size(a, 1)
              a(k, i) = 2.0 * a(k, i)
            end do
          end do
        end subroutine
    """)
    assert facts.verdict is Verdict.PARALLEL


_SIZED_IN_CALLEE = """
    module m
      type t
        real, allocatable :: s(:), other(:)
      end type
      real, allocatable :: q(:)
    contains
      integer function extent(o)
        type(t) :: o
        extent = size(o%s)
      end function
      integer function width()
        width = size(q)
      end function
      subroutine put(k)
        integer :: k
        q(k) = 1.0
      end subroutine
      subroutine outer(a, o, w, n)
        integer :: n, i
        real :: a(n)
        type(t) :: o(n), w
        do i = 2, n !<
          {body}
        end do
      end subroutine
    end module
"""


@pytest.mark.parametrize(
    "body",
    [
        "a(i) = extent(o(i))\n o(i) = w",
        "o(i) = w\n a(i) = extent(o(i))",
        "a(i) = extent(o(i-1))\n o(i)%other = [1.0, 2.0]",
        "a(i) = extent(o(i-1))\n if (a(i) > 3.0) a(i) = 3.0",
        "a(i) = width()\n call put(i)",
        "a(i) = width()\n q(i) = 1.0",
    ],
)
def test_a_callee_asks_what_no_other_iteration_changes(judge, body):
    facts = judge(_SIZED_IN_CALLEE.replace("{body}", body))
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
