"""Operators and assignments that procedures stand behind, chosen by the types of the operands.

Loops carry what they are in a comment; `uses` counts the calls of the procedures that are impure.
"""

from pathlib import Path
from textwrap import dedent

import pytest

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import load_manifest

TYPES = """
    module types
      implicit none
      private
      public :: operator(-), operator( .eq. ), operator(*), operator(.dot.), assignment(=)
      public :: vec, base
      type vec
        real :: x
      end type
      type base
        real :: x
      contains
        procedure :: plus
        generic :: operator(+) => plus
        procedure :: set
        generic :: assignment(=) => set
      end type
      type, public :: holder
        type(base) :: inner
      end type
      integer, public :: uses = 0
      interface operator(-)
        module procedure minus
      end interface
      interface operator(.eq.)
        module procedure same
      end interface
      interface operator(*)
        module procedure matrix_vector
      end interface
      interface operator(.dot.)
        module procedure dotted
      end interface
      interface assignment(=)
        module procedure to_real, from_real
      end interface
    contains
      function minus(a, b) result(c)
        type(vec), intent(in) :: a, b
        type(vec) :: c
        uses = uses + 1
        c%x = a%x - b%x*uses
      end function
      function same(a, b) result(c)
        type(vec), intent(in) :: a, b
        logical :: c
        uses = uses + 1
        c = a%x == b%x*uses
      end function
      function matrix_vector(a, b) result(c)
        real, intent(in) :: a(:,:), b(:)
        real :: c(size(a, 1))
        uses = uses + 1
        c = matmul(a, b)*uses
      end function
      pure function dotted(a, b) result(c)
        real, intent(in) :: a(:), b(:)
        real :: c
        c = sum(a*b)
      end function
      subroutine to_real(r, v)
        real, intent(out) :: r
        type(vec), intent(in) :: v
        uses = uses + 1
        r = v%x*uses
      end subroutine
      elemental subroutine from_real(v, r)
        type(vec), intent(out) :: v
        real, intent(in) :: r
        v%x = r
      end subroutine
      function plus(a, b) result(c)
        class(base), intent(in) :: a
        real, intent(in) :: b
        real :: c
        uses = uses + 1
        c = a%x + b*uses
      end function
      elemental subroutine set(a, b)
        class(base), intent(inout) :: a
        real, intent(in) :: b
        a%x = b
      end subroutine
    end module
    """
LOOPS = """
    subroutine work(a, b, r, m, v, w, box, any_box, held, n)
      use types, only: operator(-), operator(.eq.), operator(*), operator(.dot.), assignment(=)
      use types, only: own => vec, base, holder
      implicit none
      integer, intent(in) :: n
      type(own) :: a(n), b(n)
      real :: r(n), m(3,3,n), v(3,n), w(3,n), s, t, q(n)
      type(base) :: box(n)
      class(base) :: any_box(n)
      type(holder) :: held(n)
      integer :: k
      do k = 2, n                                     ! parallel
        r(k) = v(1, k - 1)*2 - v(2, k)*s
      end do
      do k = 2, n                                     ! parallel
        w(:,k) = s*v(:, k - 1) - v(:,k)
      end do
      do k = 1, n                                     ! parallel
        r(k) = v(:,k) .dot. v(:,k)
      end do
      do k = 2, n                                     ! parallel
        a(k) = r(k)
      end do
      do k = 2, n                                     ! parallel
        a(k) = b(k - 1)
      end do
      a = r                                           ! parallel
      do k = 2, n                                     ! parallel
        box(k) = r(k - 1)
      end do
      do k = 2, n                                     ! parallel
        if (k == n) box(k)%x = r(k) - 1.0
      end do
      do k = 2, n                                     ! serial
        a(k) = b(k) - b(k - 1)
      end do
      do k = 2, n                                     ! serial
        r(k) = b(k)
      end do
      do k = 2, n                                     ! serial
        if (a(k) == b(k)) r(k) = 1.0
      end do
      do k = 1, n                                     ! serial
        w(:,k) = matrix(k)*v(:,k)
      end do
      do k = 1, n                                     ! serial
        w(:,k) = m(:,:,k)*v(:,k)
      end do
      do k = 1, n                                     ! serial
        r(k) = box(k) + r(k)
      end do
      do k = 1, n                                     ! serial
        s = s + (box(k) + 1.0)
      end do
      do k = 1, n                                     ! host
        r(k) = any_box(k) + 1.0
      end do
      do k = 1, n                                     ! host
        held(k) = held(1)
      end do
      associate (q => box, r => b)
        do k = 1, n                                   ! serial
          s = q(k) + 1.0
          w(1,k) = s
        end do
        do k = 1, n                                   ! serial
          s = r(k)
          w(1,k) = s
        end do
        do k = 1, n                                   ! serial
          t = q(k) + t
        end do
      end associate
    contains
      function matrix(k) result(c)
        integer, intent(in) :: k
        real :: c(3,3)
        c = m(:,:,k)
      end function
    end subroutine
    """


@pytest.fixture(scope="module")
def index(tmp_path_factory):
    file: Path = tmp_path_factory.mktemp("operations") / "model.f90"
    file.write_text(dedent(TYPES) + dedent(LOOPS))
    return index_project(load_manifest(file))


def marked(index):
    lines = index.texts["model.f90"].decode().splitlines()
    words = {number: line.rpartition("! ")[2] for number, line in enumerate(lines, 1)}
    return {n: word for n, word in words.items() if word in ("parallel", "serial", "host")}


def test_an_operation_is_what_the_types_of_its_operands_make_it(index):
    judged = {loop.at.first: loop.verdict.value for loop in index.loops}
    wanted = marked(index)
    assert len(wanted) == 20
    assert {line: judged[line] for line in wanted} == wanted


def test_what_stands_behind_operations_is_called(index):
    lines = index.texts["model.f90"].decode().splitlines()
    called = {(lines[c.at.first - 1].strip(), c.callee) for c in index.calls if c.caller == "work"}
    assert called == {
        ("r(k) = v(:,k) .dot. v(:,k)", "types::dotted"),
        ("a(k) = r(k)", "types::from_real"),
        ("a = r                                           ! parallel", "types::from_real"),
        ("box(k) = r(k - 1)", "types::set"),
        ("a(k) = b(k) - b(k - 1)", "types::minus"),
        ("r(k) = b(k)", "types::to_real"),
        ("if (a(k) == b(k)) r(k) = 1.0", "types::same"),
        ("w(:,k) = matrix(k)*v(:,k)", "types::matrix_vector"),
        ("w(:,k) = matrix(k)*v(:,k)", "work::matrix"),
        ("w(:,k) = m(:,:,k)*v(:,k)", "types::matrix_vector"),
        ("r(k) = box(k) + r(k)", "types::plus"),
        ("s = s + (box(k) + 1.0)", "types::plus"),
        ("r(k) = any_box(k) + 1.0", "types::plus"),
        ("s = q(k) + 1.0", "types::plus"),
        ("s = r(k)", "types::to_real"),
        ("t = q(k) + t", "types::plus"),
    }


def test_an_operator_of_a_module_that_is_not_read_stays_open(judge):
    facts = judge("""
        module m
          interface operator(.x.)
            module procedure cross
          end interface
        contains
          pure real function cross(a, b)
            real, intent(in) :: a, b
            cross = a*b
          end function
        end module
        subroutine s(a, n)
          use elsewhere, only: operator(.x.)
          integer :: n, i
          real :: a(n)
          do i = 1, n !<
            a(i) = a(i) .x. a(i)
          end do
        end subroutine
        """)
    assert facts.verdict.value == "unknown"


def test_a_dummy_of_any_type_takes_objects_of_every_type(judge):
    """The other procedure of the generic used to be the one that is called."""
    facts = judge("""
        module m
          integer :: uses = 0
          interface show
            module procedure show_any, show_two
          end interface
        contains
          subroutine show_any(a)
            class(*) :: a
            uses = uses + 1
          end subroutine
          subroutine show_two(a, b)
            real :: a, b
          end subroutine
          subroutine s(a, n)
            integer :: n, i
            real :: a(n)
            do i = 1, n !<
              call show(a(i))
              a(i) = uses
            end do
          end subroutine
        end module
        """)
    assert facts.verdict.value == "serial"
