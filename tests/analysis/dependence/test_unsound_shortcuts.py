"""Loops that a shortcut in the analysis would call parallel, each with the shortcut named."""

import pytest

from acclimate.analysis.facts import Verdict

PLAIN = (Verdict.PARALLEL, Verdict.REDUCTION)

SEQUENCE_ASSOCIATION = """
    subroutine outer(a, n, m)
      integer :: n, m, j
      real :: a(n, m)
      do j = 1, m - 1 !<
        call fill(a(1, j), 2*n)
      end do
    end subroutine
    subroutine fill(x, n)
      integer :: n, i
      real :: x(n)
      do i = 1, n
        x(i) = x(i) + 1.0
      end do
    end subroutine
"""

ASSUMED_SIZE = """
    subroutine outer(a, n, m)
      integer :: n, m, j
      real :: a(n, m)
      do j = 1, m !<
        call fill(a(1, j), n)
      end do
    end subroutine
    subroutine fill(x, n)
      integer :: n, i
      real :: x(*)
      do i = 1, 2*n
        x(i) = x(i) + 1.0
      end do
    end subroutine
"""

GOTO_IN_CALLEE = """
    subroutine outer(b, n)
      integer :: n, i
      real :: b(n), t
      t = 0.0
      do i = 1, n !<
        call maybe(b(i), t)
        b(i) = t
      end do
    end subroutine
    subroutine maybe(x, t)
      real :: x, t
      if (x > 0.0) goto 10
      t = x
   10 continue
    end subroutine
"""

BACKWARD_GOTO = """
    subroutine outer(b, n)
      integer :: n, i
      real :: b(n)
      i = 0
      do i = 1, n !<
        k = i
     10 k = k + 1
        b(k) = b(i) + 1.0
        if (k < i + 3) goto 10
      end do
    end subroutine
"""

GOTO_OVER_DEFINITION = """
    subroutine outer(a, b, n)
      integer :: n, i
      real :: a(n), b(n), t
      do i = 1, n !<
        if (a(i) > 0.0) goto 10
        t = a(i)
     10 b(i) = t
      end do
    end subroutine
"""

POINTERS = """
    subroutine outer(p, q, n)
      integer :: n, i
      real, pointer :: p(:), q(:)
      do i = 2, n !<
        p(i) = q(i-1)
      end do
    end subroutine
"""

POINTER_COMPONENTS = """
    module m
      type field
        real, pointer :: v(:)
      end type
    contains
      subroutine outer(a, b, n)
        type(field) :: a, b
        integer :: n, i
        do i = 2, n !<
          a%v(i) = b%v(i-1)
        end do
      end subroutine
    end module
"""

ARRAY_OF_POINTERS = """
    module m
      type field
        real, pointer :: v(:)
      end type
    contains
      subroutine outer(f, n)
        integer :: n, i
        type(field) :: f(n)
        do i = 1, n !<
          f(i)%v(1) = f(i)%v(1) + 1.0
        end do
      end subroutine
    end module
"""

TARGET = """
    subroutine outer(n)
      integer :: n, i
      real, target :: a(n)
      real, pointer :: p(:)
      p => a
      do i = 2, n !<
        a(i) = p(i-1)
      end do
    end subroutine
"""

INTENT_LIES = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n), t
      t = 0.0
      do i = 1, n !<
        call get(a(i), t)
        a(i) = t
      end do
    end subroutine
    subroutine get(x, t)
      real, intent(in) :: x
      real, intent(out) :: t
      if (x > 0.0) t = x
    end subroutine
"""

COMMON_RELAYOUT = """
    subroutine outer(n)
      common /blk/ a(10), b(10)
      integer :: n, i
      do i = 1, 9 !<
        a(i) = b(i)
        call touch(i)
      end do
    end subroutine
    subroutine touch(i)
      common /blk/ w(20)
      integer :: i
      w(i+11) = 1.0
    end subroutine
"""

EQUIVALENCE = """
    subroutine outer(n)
      integer :: n, i
      real :: a(10), b(10)
      equivalence (a(1), b(2))
      do i = 2, 9 !<
        a(i) = b(i) + 1.0
      end do
    end subroutine
"""

EQUIVALENT_SCALARS = """
    subroutine outer(x, n)
      integer :: n, i
      real :: x(n), s, t
      equivalence (s, t)
      s = 0.0
      do i = 1, n !<
        x(i) = s
        t = x(i) + 1.0
      end do
    end subroutine
"""

RECURSION = """
    module m
      integer :: total = 0
    contains
      recursive subroutine even(n)
        integer, intent(in) :: n
        if (n > 0) call odd(n - 1)
      end subroutine
      recursive subroutine odd(n)
        integer, intent(in) :: n
        total = total + 1
        if (n > 0) call even(n - 1)
      end subroutine
      subroutine outer(a, n)
        integer :: n, i
        integer :: a(n)
        do i = 1, n !<
          call even(i)
          a(i) = total
        end do
      end subroutine
    end module
"""

LATER_INNER_ELEMENT = """
    subroutine outer(a, b, n, m)
      integer :: n, m, i, k
      real :: a(n, m), b(n, m), w(m)
      w = 0.0
      do i = 1, n !<
        do k = 1, m
          w(k) = a(i, k)
          b(i, k) = w(m - k + 1)
        end do
      end do
    end subroutine
"""

WORK_ARRAY_LIVE = """
    subroutine outer(a, n, m, total)
      integer :: n, m, i, k
      real :: a(n, m), w(m), total
      do i = 1, n !<
        do k = 1, m
          w(k) = a(i, k)
        end do
        a(i, 1) = w(m)
      end do
      total = w(1)
    end subroutine
"""

WORK_ARRAY_DUMMY = """
    subroutine outer(a, w, n, m)
      integer :: n, m, i, k
      real :: a(n, m), w(m)
      do i = 1, n !<
        do k = 1, m
          w(k) = a(i, k)
        end do
        a(i, 1) = w(m)
      end do
    end subroutine
"""

SAVED_LOCAL = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n)
      do i = 1, n !<
        call count(a(i))
      end do
    end subroutine
    subroutine count(x)
      real :: x
      integer, save :: calls = 0
      calls = calls + 1
      x = calls
    end subroutine
"""

INITIALISED_LOCAL = SAVED_LOCAL.replace("integer, save :: calls", "integer :: calls")

MODULE_SCALAR_IN_CALLEE = """
    module m
      real :: c
    contains
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n)
        do i = 1, n !<
          c = a(i)
          a(i) = half()
        end do
      end subroutine
      real function half()
        half = 0.5*c
      end function
    end module
"""

SHADOWED_INTRINSIC = """
    module m
      real :: state = 0.0
    contains
      real function max(a, b)
        real, intent(in) :: a, b
        state = state + a
        max = state + b
      end function
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n), s
        do i = 1, n !<
          a(i) = max(a(i), 1.0)
        end do
      end subroutine
    end module
"""

EXTERNAL_FUNCTION = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n), f
      do i = 1, n !<
        a(i) = f(a(i))
      end do
    end subroutine
"""

CHANGED_BOUND = """
    subroutine outer(a, b, n)
      integer :: n, i, m
      real :: a(n), b(n)
      m = 1
      do i = 1, n !<
        a(m) = b(i)
        m = m + 1
        b(i) = a(m)
      end do
    end subroutine
"""

INDEX_CHANGED = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n)
      do i = 1, n !<
        call skip(i)
        a(i) = 0.0
      end do
    end subroutine
    subroutine skip(i)
      integer :: i
      i = i + 1
    end subroutine
"""

ZERO_TRIP_DEFINITION = """
    subroutine outer(a, m, n)
      integer :: n, i, k, m(n)
      real :: a(n), t
      t = 1.0
      do i = 1, n !<
        do k = 1, m(i)
          t = a(i)*k
        end do
        a(i) = t
      end do
    end subroutine
"""

EXIT_BEFORE_DEFINITION = """
    subroutine outer(a, m, n)
      integer :: n, i, k, m(n)
      real :: a(n), t
      t = 1.0
      do i = 1, n !<
        do k = 1, 3
          if (a(i) > k) exit
          t = a(i)*k
        end do
        a(i) = t
      end do
    end subroutine
"""

CYCLE_INSIDE_IF = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n), t, last
      last = 0.0
      do i = 1, n !<
        if (a(i) > 1.0) then
          if (a(i) > 2.0) cycle
          t = 1.0
        end if
        last = a(i)
      end do
      a(1) = last
    end subroutine
"""

STRUCT_COPY = """
    module m
      type cell
        real :: t, q
      end type
    contains
      subroutine outer(c, n)
        integer :: n, i
        type(cell) :: c(n)
        do i = 2, n !<
          c(i) = c(i-1)
          c(i)%t = 1.0
        end do
      end subroutine
    end module
"""

NAN_GUARD = """
    subroutine outer(a, b, n)
      integer :: n, i
      real :: a(n), b(n), t
      t = 0.0
      do i = 1, n !<
        if (a(i) < 0.0) then
          t = 1.0
        end if
        if (a(i) >= 0.0) then
          t = 2.0
        end if
        b(i) = t
      end do
    end subroutine
"""

STALE_GUARD = """
    subroutine outer(a, b, n)
      integer :: n, i, k
      real :: a(n), b(n), t
      k = 0
      t = 0.0
      do i = 1, n !<
        if (k > 0) t = a(i)
        k = k + int(a(i))
        if (k > 0) b(i) = t
      end do
    end subroutine
"""

COMPUTED_GOTO_EXIT = """
    subroutine outer(a, n, m)
      integer :: n, i, m
      real :: a(n)
      do i = 1, n !<
        a(i) = 1.0
        goto (20, 30), m
     20 continue
      end do
   30 continue
    end subroutine
"""

OPAQUE_VALUE_IN_BOTH = """
    subroutine outer(a, idx, n)
      integer :: n, i, k, idx(n)
      real :: a(n)
      do i = 1, n !<
        k = idx(i)
        a(k) = i
      end do
    end subroutine
"""

ADDRESS_TAKEN_BY_UNKNOWN = """
    subroutine outer(a, n)
      integer :: n, i
      real :: a(n)
      external :: elsewhere
      do i = 1, n !<
        call elsewhere(a(i))
      end do
    end subroutine
"""

DEFINED_OPERATOR = """
    module m
      integer :: uses = 0
      interface operator(.plus.)
        module procedure add
      end interface
    contains
      real function add(a, b)
        real, intent(in) :: a, b
        uses = uses + 1
        add = a + b*uses
      end function
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n)
        do i = 1, n !<
          a(i) = a(i) .plus. 1.0
        end do
      end subroutine
    end module
"""

OVERLOADED_PLUS = """
    module m
      integer :: uses = 0
      type box
        real :: v
      end type
      interface operator(+)
        module procedure add
      end interface
    contains
      type(box) function add(a, b)
        type(box), intent(in) :: a, b
        uses = uses + 1
        add%v = a%v + b%v*uses
      end function
      subroutine outer(a, n)
        integer :: n, i
        type(box) :: a(n)
        do i = 1, n !<
          a(i) = a(i) + a(i)
        end do
      end subroutine
    end module
"""

SHIFTED_SECTION = """
    subroutine outer(a, n)
      integer :: n, j
      real :: a(n, n)
      do j = 2, n !<
        call copy(a(:, j-1:j))
      end do
    end subroutine
    subroutine copy(x)
      real :: x(:, :)
      x(:, 2) = x(:, 1)
    end subroutine
"""

REDUCTION_READ_BACK = """
    subroutine outer(a, n, s)
      integer :: n, i
      real :: a(n), s
      do i = 1, n !<
        s = s + a(i)
        a(i) = s
      end do
    end subroutine
"""

TWO_OPERATORS = """
    subroutine outer(a, n, s)
      integer :: n, i
      real :: a(n), s
      do i = 1, n !<
        s = s + a(i)
        s = s*2.0
      end do
    end subroutine
"""

ATOMIC_DIRECTIVE_ON_STORE = """
    subroutine outer(own, idx, n)
      integer :: n, i, idx(n), own(n)
      !$acc parallel loop
      do i = 1, n !<
        !$acc atomic write
        own(idx(i)) = i
      end do
    end subroutine
"""

ASSOCIATED_NAME_MOVES = """
    subroutine outer(a, n)
      integer :: n, i, k
      real :: a(n)
      do i = 1, n !<
        k = i
        associate (x => a(k))
          k = 1
          x = a(k) + 1.0
        end associate
      end do
    end subroutine
"""

CALLEE_CHANGES_INDEXING = """
    module m
      integer :: k
    contains
      subroutine outer(a, n)
        integer :: n, i
        real :: a(n)
        do i = 1, n !<
          k = i
          call reset()
          a(k) = i
        end do
      end subroutine
      subroutine reset()
        k = 1
      end subroutine
    end module
"""

INNER_INDEX_READ_FIRST = """
    subroutine outer(a, n)
      integer :: n, i, k
      real :: a(n)
      k = 0
      do i = 1, n !<
        a(i) = k
        do k = 1, i
          a(i) = a(i) + 1.0
        end do
      end do
    end subroutine
"""

INDEX_READ_BY_CALLEE = """
    module m
      integer :: i
    contains
      subroutine outer(a, n)
        integer :: n
        real :: a(n)
        do i = 1, n !<
          a(i) = where_am_i()
        end do
      end subroutine
      integer function where_am_i()
        where_am_i = i
      end function
    end module
"""

CONDITION_WITH_SIDE_EFFECT = """
    module m
    contains
      subroutine outer(a, b, n)
        integer :: n, i, k
        real :: a(n), b(n)
        do i = 1, n !<
          k = i
          if (next(k) > 3) then
            a(k) = b(i)
          else
            a(k) = 0.0
          end if
        end do
      end subroutine
      integer function next(k)
        integer :: k
        k = k/2 + 1
        next = k
      end function
    end module
"""

NAMELIST_READ = """
    subroutine outer(a, n)
      integer :: n, i, k
      real :: a(n)
      namelist /settings/ k
      do i = 1, n !<
        k = i
        read (10, nml=settings)
        a(k) = 1.0
      end do
    end subroutine
"""

FORTRAN_66_SIZE = """
    subroutine outer(a, w, n)
      integer :: n, i
      real :: a(n), v(10)
      do i = 1, n !<
        call fill(v)
        a(i) = v(2)
        v(2) = a(i) + 1.0
      end do
    end subroutine
    subroutine fill(x)
      real :: x(1)
      x(1) = 0.0
    end subroutine
"""

SAME_VALUE = """
    subroutine outer(a, x, n)
      integer :: n, i
      real :: a(n), x
      do i = 1, n !<
        a(1) = x
      end do
    end subroutine
"""

CASES = {
    name.lower(): text
    for name, text in list(globals().items())
    if name.isupper() and isinstance(text, str)
}


@pytest.mark.parametrize("source", CASES.values(), ids=CASES)
def test_not_plainly_parallel(judge, source):
    facts = judge(source)
    assert facts.verdict not in PLAIN or facts.unproved, facts
    assert facts.obstacles or facts.unproved
    assert facts.reason


def test_a_component_changes_with_its_structure(judge):
    """`s%n` was taken to be the same in all iterations over `k`, so `w` was called private."""
    source = """
        module m
          type cell
            integer :: n
            real :: x
          end type
        contains
          subroutine outer(a, t, n, nk)
            integer :: n, nk, i, k
            type(cell) :: s, t(nk)
            real :: a(n), w(99)
            do i = 1, n !<
              s = t(i)
              do k = 1, nk
                if (k > 1) a(i) = w(s%n)
                w(s%n) = k
                s = t(k)
              end do
            end do
          end subroutine
        end module
    """
    assert judge(source).verdict is Verdict.UNKNOWN
    assert judge(source.replace("s = t(k)", "")).verdict is Verdict.PARALLEL


def test_equal_names_of_constant_arrays_are_not_equal_arrays(judge):
    """The table of the callee and that of the caller were one table by their name."""
    source = """
        module tables
          integer, parameter :: order(2) = [1, 2]
        contains
          subroutine fill(w, k)
            real :: w(2)
            integer :: k
            w(order(k)) = 1.0
          end subroutine
        end module
        subroutine outer(a, n, k)
          use tables, only: fill
          integer, parameter :: order(2) = [2, 1]
          integer :: n, i, k
          real :: a(n), w(2)
          do i = 1, n !<
            call fill(w, k)
            a(i) = w(order(k))
            w(order(k)) = 2.0
          end do
        end subroutine
    """
    assert judge(source).verdict is not Verdict.PARALLEL
    same = source.replace("          integer, parameter :: order(2) = [2, 1]\n", "")
    assert judge(same.replace("only: fill", "only: fill, order")).verdict is Verdict.PARALLEL


# Every shortcut that a throw-away prototype of the analysis took, with the loop it got wrong, and
# how it called that loop.
SHORTCUTS = {
    "an element passed stays in its column": ("sequence_association", "parallel"),
    "an assumed-size dummy stays in its column": ("assumed_size", "parallel"),
    "a callee with GOTO runs from top to bottom": ("goto_in_callee", "parallel private(t)"),
    "a loop with GOTO runs from top to bottom": ("goto_over_definition", "parallel private(t)"),
    "pointers of different names are distinct": ("pointers", "parallel"),
    "pointer components are distinct": ("pointer_components", "parallel"),
    "pointer components of elements are distinct": ("array_of_pointers", "parallel"),
    "no pointer points to a named target": ("target", "parallel"),
    "INTENT(OUT) means surely written": ("intent_lies", "parallel private(t)"),
    "COMMON is told by names": ("common_relayout", "parallel"),
    "EQUIVALENCE is told by names": ("equivalence", "parallel"),
    "a cycle of calls is read half-finished": ("recursion", "parallel private(total)"),
    "a local array is dead after the loop": ("work_array_live", "parallel private(w)"),
    "an array whose reads are covered is dead": ("work_array_dummy", "parallel private(w)"),
    "stores of one value to one place are harmless": ("same_value", "parallel"),
}


@pytest.mark.parametrize("shortcut", SHORTCUTS)
def test_the_wrong_verdict_is_not_given_again(judge, shortcut):
    case, wrong = SHORTCUTS[shortcut]
    facts = judge(CASES[case])
    given = facts.verdict.value + "".join(f" private({v})" for v in facts.private if v != "i")
    assert given != wrong or facts.unproved
    if facts.verdict in PLAIN:
        assert "do not share storage" in facts.reason


def test_the_index_is_live_after_the_loop(judge):
    """It used to be dead: `parallel` without a last value to restore."""
    facts = judge("""
        subroutine outer(a, n, last)
          integer :: n, i, last
          real :: a(n)
          do i = 1, n !<
            a(i) = 0.0
          end do
          last = i
        end subroutine
    """)
    assert facts.last_values == ("i",)


def test_liveness_behind_a_goto(judge):
    """It used to be switched off in units with GOTO: `parallel private(t)` without last value."""
    facts = judge("""
        subroutine outer(a, n, last)
          integer :: n, i
          real :: a(n), t, last
          if (n < 0) goto 20
          do i = 1, n !<
            t = a(i)
            a(i) = 2.0*t
          end do
       20 last = t
        end subroutine
    """)
    assert facts.last_values == ("t",)
