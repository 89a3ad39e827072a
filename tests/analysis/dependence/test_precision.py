"""Loops that are parallel, each for one ingredient of the analysis, with exact clauses."""

import pytest

from acclimate.analysis.facts import ConditionKind, Verdict

SCALAR_HEAD = """
    subroutine outer(a, b, n, m, flag)
      integer :: n, m, i, j, k, ip1
      logical :: flag
      real :: a(n), b(n), t, s, c(n, m)
"""

FORWARD_SUBSTITUTION = (
    SCALAR_HEAD
    + """
      do i = 1, n - 1 !<
        ip1 = i + 1
        a(ip1) = b(i)
      end do
    end subroutine
"""
)

SYMBOLIC_OFFSET = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        c(i, m) = c(i, m - 1)
      end do
    end subroutine
"""
)

UPPER_HALF = (
    SCALAR_HEAD
    + """
      do i = 1, m !<
        a(i) = a(i + m)
      end do
    end subroutine
"""
)

BOTH_BRANCHES = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        if (b(i) > 0.0) then
          t = b(i)
        else
          t = -b(i)
        end if
        a(i) = t
      end do
    end subroutine
"""
)

SAME_GUARD = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        if (flag) t = b(i)
        b(i) = 1.0
        if (flag) a(i) = t
      end do
    end subroutine
"""
)

THREE_CASES = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        select case (m)
        case (1)
          t = 1.0
        case (2:4)
          t = 2.0
        case default
          t = 3.0
        end select
        a(i) = t
      end do
    end subroutine
"""
)

STRIDE_TWO = (
    SCALAR_HEAD
    + """
      do i = 2, n - 1, 2 !<
        a(i) = a(i - 1) + a(i + 1)
      end do
    end subroutine
"""
)

BLOCKED = (
    SCALAR_HEAD
    + """
      do j = 1, n, 8 !<
        do i = j, j + 7
          a(i) = b(i)
        end do
      end do
    end subroutine
"""
)

BOUNDARY_IN_ONE_ITERATION = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        b(i) = 2.0
        if (i == 1) a(5) = a(6)
        if (i == 1) a(6) = 1.0
      end do
    end subroutine
"""
)

FORWARD_GOTO = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        if (b(i) > 0.0) goto 10
        t = 1.0
        goto 20
     10 t = 2.0
     20 a(i) = t
      end do
    end subroutine
"""
)

COMPLEMENTARY_GUARDS = (
    SCALAR_HEAD
    + """
      do i = 1, n !<
        if (flag) t = 1.0
        if (.not. flag) t = b(i)
        a(i) = t
      end do
    end subroutine
"""
)

WORK_HEAD = """
    subroutine outer(a, n, nk)
      integer :: n, nk, i, k
      real :: a(n, nk), w(nk), v(nk), s
"""

FULL_WORK_ARRAY = (
    WORK_HEAD
    + """
      do i = 1, n !<
        w(:) = a(i, :)
        a(i, 1) = sum(w)
      end do
    end subroutine
"""
)

PIECES = (
    WORK_HEAD
    + """
      do i = 1, n !<
        w(1) = 0.0
        w(nk) = 1.0
        do k = 2, nk - 1
          w(k) = a(i, k)
        end do
        do k = 1, nk
          a(i, k) = w(k)
        end do
      end do
    end subroutine
"""
)

RECURRENCE_IN_COLUMN = (
    WORK_HEAD
    + """
      do i = 1, n !<
        w(1) = a(i, 1)
        do k = 2, nk
          w(k) = w(k - 1) + a(i, k)
        end do
        do k = nk - 1, 1, -1
          w(k) = w(k) - w(k + 1)
        end do
        do k = 1, nk
          a(i, k) = w(k)
        end do
      end do
    end subroutine
"""
)

WORK_ARRAY_IN_CALLEE = """
    subroutine outer(a, n, nk)
      integer :: n, nk, i
      real :: a(n, nk), w(nk)
      do i = 1, n !<
        call fill(w, nk, a(i, 1))
        a(i, 2) = w(nk)
      end do
    end subroutine
    subroutine fill(x, n, value)
      integer :: n, k
      real :: x(n), value
      do k = 1, n
        x(k) = value*k
      end do
    end subroutine
"""

COLUMN_TO_CALLEE = """
    subroutine outer(a, n, m)
      integer :: n, m, j
      real :: a(n, m)
      do j = 1, m !<
        call column(a(1, j), n)
      end do
    end subroutine
    subroutine column(x, n)
      integer :: n, i
      real :: x(n)
      do i = 2, n
        x(i) = x(i - 1)
      end do
    end subroutine
"""

INDEX_TO_CALLEE = """
    module fields
      real :: t(100, 50)
    contains
      subroutine outer(n)
        integer :: n, j
        do j = 1, n !<
          call column(j, 100)
        end do
      end subroutine
      subroutine column(j, m)
        integer, intent(in) :: j, m
        integer :: k
        do k = 2, m
          t(k, j) = t(k - 1, j)
        end do
      end subroutine
    end module
"""

EARLY_RETURN_IN_CALLEE = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n), t
      do i = 1, n !<
        call get(a(i), t)
        a(i) = t
      end do
    end subroutine
    subroutine get(x, t)
      real :: x, t
      t = 0.0
      if (x < 0.0) return
      t = x
    end subroutine
"""

ALLOCATABLE_COMPONENTS = """
    module m
      type field
        real, allocatable :: u(:), v(:)
      end type
    contains
      subroutine outer(f, n)
        type(field) :: f
        integer :: n, i
        do i = 2, n !<
          f%u(i) = f%v(i - 1)
        end do
      end subroutine
    end module
"""

CELLS = """
    module m
      type cell
        real :: t, q
      end type
    contains
      subroutine outer(c, n)
        integer :: n, i
        type(cell) :: c(n)
        do i = 2, n !<
          c(i)%t = c(i - 1)%q
        end do
      end subroutine
    end module
"""

ASSOCIATE = """
    module m
      type field
        real, allocatable :: u(:)
      end type
    contains
      subroutine outer(f, n)
        type(field) :: f
        integer :: n, i
        associate (u => f%u)
          do i = 1, n !<
            u(i) = u(i) + 1.0
          end do
        end associate
      end subroutine
    end module
"""

COMMON_WITH_ONE_LAYOUT = """
    subroutine outer(n)
      common /blk/ a(10), b(10)
      integer :: n, i
      do i = 1, 9 !<
        a(i) = b(i + 1)
        call touch(i)
      end do
    end subroutine
    subroutine touch(i)
      common /blk/ a(10), b(10)
      integer :: i
      a(i) = a(i) + 1.0
    end subroutine
"""

OPERATOR_ON_NUMBERS = """
    module m
      type box
        real :: v
      end type
      interface operator(+)
        module procedure add
      end interface
    contains
      type(box) function add(a, b)
        type(box), intent(in) :: a, b
        print *, 'added'
        add%v = a%v + b%v
      end function
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n)
        do i = 1, n !<
          a(i) = a(i) + 1.0
        end do
      end subroutine
    end module
"""

SCRATCH_STRUCTURE = """
    module m
      type cell
        real :: t, q
      end type
    contains
      subroutine outer(c, n)
        integer :: n, i
        type(cell) :: c(n), old
        do i = 1, n !<
          old = c(i)
          c(i)%t = old%q
        end do
      end subroutine
    end module
"""

PARALLEL = {
    "scratch structure": (SCRATCH_STRUCTURE, {"i", "old"}, set()),
    "forward substitution": (FORWARD_SUBSTITUTION, {"i", "ip1"}, set()),
    "symbolic invariants cancel": (SYMBOLIC_OFFSET, {"i"}, set()),
    "Banerjee with symbolic bounds": (UPPER_HALF, {"i"}, set()),
    "both branches define": (BOTH_BRANCHES, {"i", "t"}, set()),
    "the same guard": (SAME_GUARD, {"i", "t"}, set()),
    "all cases define": (THREE_CASES, {"i", "t"}, set()),
    "stride two": (STRIDE_TWO, {"i"}, set()),
    "blocks of eight": (BLOCKED, {"i", "j"}, set()),
    "boundary in one iteration": (BOUNDARY_IN_ONE_ITERATION, {"i"}, set()),
    "forward goto": (FORWARD_GOTO, {"i", "t"}, set()),
    "complementary guards": (COMPLEMENTARY_GUARDS, {"i", "t"}, set()),
    "whole work array": (FULL_WORK_ARRAY, {"i", "w"}, set()),
    "union of pieces": (PIECES, {"i", "k", "w"}, set()),
    "recurrence in a column": (RECURRENCE_IN_COLUMN, {"i", "k", "w"}, set()),
    "work array filled by a callee": (WORK_ARRAY_IN_CALLEE, {"i", "w"}, set()),
    "column passed by its first element": (COLUMN_TO_CALLEE, {"j"}, set()),
    "index passed to a callee": (INDEX_TO_CALLEE, {"j"}, set()),
    "early return in a callee": (EARLY_RETURN_IN_CALLEE, {"i", "t"}, set()),
    "allocatable components": (ALLOCATABLE_COMPONENTS, {"i"}, set()),
    "components of elements": (CELLS, {"i"}, set()),
    "associate": (ASSOCIATE, {"i"}, set()),
    "COMMON with one layout": (COMMON_WITH_ONE_LAYOUT, {"i"}, set()),
    "overloaded + on plain numbers": (OPERATOR_ON_NUMBERS, {"i"}, set()),
}


@pytest.mark.parametrize(
    ("source", "private", "firstprivate"), PARALLEL.values(), ids=PARALLEL.keys()
)
def test_parallel(judge, source, private, firstprivate):
    facts = judge(source)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == private
    assert set(facts.firstprivate) == firstprivate
    assert not facts.last_values


def test_a_term_for_one_iteration_only(judge):
    source = """
        subroutine outer(tend, state, n)
          integer, parameter :: id_w = 3
          integer :: n, i, l
          real :: tend(n, 4), state(n)
          do l = 1, 4 !<
            do i = 1, n
              tend(i, l) = 2.0
              if (l == id_w) tend(i, id_w) = tend(i, id_w) - state(i)
            end do
          end do
        end subroutine
    """
    assert judge(source).verdict is Verdict.PARALLEL
    assert judge(source.replace("tend(i, id_w) -", "tend(i, 1) -")).verdict is Verdict.UNKNOWN


def test_a_branch_of_another_configuration(judge):
    """Behind `2 == 3` nothing is executed; behind `3 == 3` the iterations over `l` clash."""
    source = """
        subroutine outer(tend, out, h, n)
          integer, parameter :: data_spec = 2, gravity_waves = 3, id_w = 3
          integer :: n, i, l
          real :: tend(n, 4), out(n, 4), h(n), x0
          do l = 1, 4 !<
            do i = 1, n
              if (data_spec == gravity_waves) then
                x0 = 0.5 * real(i)
                tend(i, id_w) = tend(i, id_w) + x0 * h(i)
              end if
              out(i, l) = tend(i, l)
            end do
          end do
        end subroutine
    """
    assert judge(source).verdict is Verdict.PARALLEL
    live = judge(source.replace("data_spec = 2", "data_spec = 3"))
    assert live.verdict is Verdict.SERIAL, live.obstacles


CHOSEN_BY_CONFIGURATION = """
    subroutine outer(a, b, n, deep, mid)
      integer :: n, i, k
      logical, intent(in) :: deep, mid
      real :: a(n), b(n)
      do i = 1, n !<
        if (b(i) > 0.0) cycle
        if (deep) then
          k = int(b(i))
          a(i) = k
        end if
        if (mid) a(i) = k + 1
      end do
    end subroutine
"""


def test_a_scalar_set_in_one_configuration_only(judge):
    """Where `deep` is false no iteration sets `k`, so none can find another's value."""
    facts = judge(CHOSEN_BY_CONFIGURATION)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.firstprivate) == {"k"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (deep) then", "if (b(i) > -1.0) then"),  # differs between iterations
        ("if (mid) a(i) = k + 1", "if (mid) a(i) = k + 1\n        if (mid) k = i"),
        ("k = int(b(i))", "if (b(i) < -1.0) k = int(b(i))"),  # not always, where `deep` holds
        ("logical, intent(in) :: deep", "logical :: deep"),  # may stay as it is
    ],
)
def test_a_scalar_set_in_some_iterations_is_carried(judge, before, after):
    source = CHOSEN_BY_CONFIGURATION.replace(before, after)
    if before.startswith("logical"):
        source = source.replace("a(i) = k + 1", "a(i) = k + 1\n        deep = b(i) > -2.0")
    assert source != CHOSEN_BY_CONFIGURATION
    facts = judge(source)
    assert facts.verdict in (Verdict.SERIAL, Verdict.UNKNOWN) or facts.unproved


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


CASES_WITHOUT_DEFAULT = """
    subroutine outer(a, n, kind)
      integer :: n, i, kind
      real :: a(n), s
      do i = 1, n !<
        select case (kind)
        case (1)
          s = a(i)
        case (2)
          s = -a(i)
        end select
        a(i) = 2*s
      end do
    end subroutine
"""


def test_cases_that_are_the_same_for_all_iterations(judge):
    """With another `kind`, every iteration reads `s` from before the loop."""
    assert judge(CASES_WITHOUT_DEFAULT).verdict is Verdict.PARALLEL
    carried = judge(CASES_WITHOUT_DEFAULT.replace("case (kind)", "case (int(a(i)))"))
    assert carried.verdict is Verdict.UNKNOWN
    third = judge(
        CASES_WITHOUT_DEFAULT.replace("end select", "case (3)\n  if (i < 3) s = 0.0\nend select")
    )
    assert third.verdict is Verdict.UNKNOWN or third.unproved


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


WHERE_AND_ELSEWHERE = """
    subroutine outer(a, n, m)
      integer :: n, m, i
      real :: a(n, m), w(m)
      do i = 1, n !<
        where (a(i, :) > 0.0)
          w(:) = a(i, :)
        elsewhere (a(i, :) < -1.0)
          w(:) = 2.0
        elsewhere
          w(:) = 0.0
        end where
        a(i, :) = w(:)
      end do
    end subroutine
"""


def test_where_with_a_last_elsewhere_fills_the_array(judge):
    facts = judge(WHERE_AND_ELSEWHERE)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"i", "w"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("        elsewhere\n", "        elsewhere (a(i, :) < 0.0)\n"),
        ("w(:) = 2.0", "a(i, :) = 2.0"),
        ("w(:) = 0.0", "w(2:m) = a(i, 2:m)"),
        (
            "w(:) = 0.0",
            "where (a(i, :) > -0.5)\n w(:) = 1.0\n elsewhere\n w(:) = 2.0\n end where",
        ),
    ],
)
def test_where_that_leaves_elements_alone_fills_nothing(judge, before, after):
    source = WHERE_AND_ELSEWHERE.replace(before, after)
    assert source != WHERE_AND_ELSEWHERE
    assert judge(source).verdict is not Verdict.PARALLEL


GUARD_BY_ELEMENT = """
    subroutine outer(a, q, n, nk, top)
      integer :: n, nk, i, k, top(nk)
      logical :: flag(n)
      real :: a(n, nk), q(n, nk), w(n), v(n, nk), s
      do k = 1, nk !<
        do i = 1, n
          flag(i) = a(i, k) > 0.0
        end do
        do i = 1, n
          if (flag(i)) w(i) = q(i, k)
        end do
        do i = 1, n
          if (flag(i)) a(i, k) = w(i)
        end do
      end do
    end subroutine
"""


def test_a_guard_repeated_over_several_loops(judge):
    facts = judge(GUARD_BY_ELEMENT)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert set(facts.private) == {"flag", "i", "k", "w"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("if (flag(i)) a(i, k) = w(i)", "a(i, k) = w(i)"),
        ("if (flag(i)) a(i, k) = w(i)", "if (flag(i)) a(i, k) = w(n + 1 - i)"),
        ("if (flag(i)) a(i, k) = w(i)", "if (.not. flag(i)) a(i, k) = w(i)"),
        ("if (flag(i)) w(i) = q(i, k)", "if (i < 3) exit\n if (flag(i)) w(i) = q(i, k)"),
        ("if (flag(i)) w(i) = q(i, k)", "if (flag(i)) w(i) = q(i, k)\n flag(i) = .true."),
        ("if (flag(i)) w(i) = q(i, k)", "if (flag(n + 1 - i)) w(i) = q(i, k)"),
        ("do i = 1, n\n          if (flag(i)) w(i)", "do i = 1, n, 2\n  if (flag(i)) w(i)"),
    ],
)
def test_a_guard_that_does_not_cover_the_element(judge, before, after):
    source = GUARD_BY_ELEMENT.replace(before, after)
    assert source != GUARD_BY_ELEMENT
    facts = judge(source)
    assert "w" not in facts.private
    assert facts.verdict is not Verdict.PARALLEL


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


ONE_CASE_MISSING = """
    subroutine outer(a, b, n, index)
      integer :: n, i, index
      real :: a(n), b(n), s
      do i = 1, n !<
        if (b(i) > 0.0) then
          s = b(i)
        else if (index >= 1) then
          s = 0.0
        end if
        a(i) = s
      end do
    end subroutine
"""


def test_private_in_one_configuration(judge):
    """With index < 1 an iteration may find the `s` of another; whether it is can be checked."""
    facts = judge(ONE_CASE_MISSING)
    assert facts.verdict is Verdict.PARALLEL
    (condition,) = facts.unproved
    assert condition.kind is ConditionKind.CONFIGURED
    assert condition.names == ("0 < index", "s")
    assert set(facts.firstprivate) == {"s"}


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("index >= 1", "b(i) > -1.0"),
        ("a(i) = s", "a(i) = s\n index = i"),
        ("s = 0.0", "if (b(i) < -1.0) s = 0.0"),
        ("end do", "end do\n print *, s"),
        ("end subroutine", "contains\n subroutine inner\n print *, s\n end subroutine\n end"),
    ],
)
def test_private_in_no_configuration(judge, before, after):
    source = ONE_CASE_MISSING.replace(before, after)
    assert source != ONE_CASE_MISSING
    facts = judge(source)
    assert facts.verdict in (Verdict.UNKNOWN, Verdict.SERIAL, Verdict.REWRITE)


def test_a_work_array_that_one_configuration_fills(judge):
    source = """
        subroutine outer(a, n, nk, flag, table)
          integer :: n, nk, i, k, flag, table(4)
          real :: a(n, nk), w(nk)
          do i = 1, n !<
            if (flag == table(2)) then
              do k = 1, nk
                w(k) = a(i, k)
              end do
            end if
            if (a(i, 1) > 0.0) w(1) = 0.0
            do k = 1, nk
              a(i, k) = 2*w(k)
            end do
          end do
        end subroutine
    """
    facts = judge(source)
    assert facts.verdict is Verdict.PARALLEL, facts.obstacles
    assert [c.names for c in facts.unproved] == [("flag == table(2)", "w")]


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
