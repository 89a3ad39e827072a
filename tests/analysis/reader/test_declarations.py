"""Declarations as they stand in the IR."""

import pytest

from acclimate.analysis import ir
from acclimate.analysis.ir import Literal, LiteralKind, Name, Shape
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines


def unit_of(project: Project, name: str = "s") -> ir.Unit:
    return project.units[name]


def number(text: str) -> Literal:
    return Literal(LiteralKind.INTEGER, text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("real x", ("real", None)),
        ("real*8 x", ("real", "8")),
        ("real(kind=8) :: x", ("real", "8")),
        ("real(wp) :: x", ("real", "wp")),
        ("double precision x", ("real", "kind(1d0)")),
        ("complex*16 x", ("complex", "8")),
        ("character(len=*) :: x", ("character", "len=*")),
        ("character*10 x", ("character", "10")),
        ("character*(*) x", ("character", "*")),
        ("character x*5", ("character", "5")),
        ("type(state_t) :: x", ("type(state_t)", None)),
        ("class(*), pointer :: x", ("class(*)", None)),
        ("procedure(f), pointer :: x", ("procedure(f)", None)),
        ("integer x\nsave x", ("integer", None)),
    ],
)
def test_types(project_of, text, expected):
    symbol = unit_of(project_of({"s.f90": f"subroutine s\n{text}\nend\n"})).symbols["x"]
    assert (symbol.type, symbol.kind) == expected


@pytest.mark.parametrize(
    ("text", "shape", "bounds"),
    [
        ("real x(n)", Shape.EXPLICIT, (None, Name("n"))),
        ("real, dimension(0:n) :: x", Shape.EXPLICIT, (number("0"), Name("n"))),
        ("real x\ndimension x(n)", Shape.EXPLICIT, (None, Name("n"))),
        ("common /c/ x(n)", Shape.EXPLICIT, (None, Name("n"))),
        ("real x(*)", Shape.ASSUMED_SIZE, (None, None)),
        ("real x(0:*)", Shape.ASSUMED_SIZE, (number("0"), None)),
        ("real x(:)", Shape.ASSUMED, (None, None)),
        ("real x(0:)", Shape.ASSUMED, (number("0"), None)),
        ("real, allocatable :: x(:)", Shape.DEFERRED, (None, None)),
        ("real x(:)\npointer x", Shape.DEFERRED, (None, None)),
        ("real x\nallocatable x(:)", Shape.DEFERRED, (None, None)),
    ],
)
def test_shapes(project_of, text, shape, bounds):
    symbol = unit_of(project_of({"s.f90": f"subroutine s(x)\n{text}\nend\n"})).symbols["x"]
    (dimension,) = symbol.dims
    assert (dimension.shape, (dimension.lower, dimension.upper)) == (shape, bounds)


def test_attributes_in_all_their_places(project_of):
    text = """subroutine s(a, b)
implicit none
integer, parameter :: n = 3
real, intent(in), target :: a
real b, c, d, e, f, g
intent(out) b
optional b
parameter (c = 1.0)
save d
data e, (h(i), i = 1, 3) /1.0, 3*0.0/, f /2.0/
namelist /nl/ a, b /other/ d
real :: h(3)
real :: k = 1.0
common // g
external u
a = b
end subroutine
"""
    project = project_of({"s.f90": text})
    unit = unit_of(project)
    symbols = unit.symbols
    assert symbols["n"].is_parameter and symbols["n"].initial == number("3")
    assert (symbols["a"].intent, "target" in symbols["a"].attributes) == ("in", True)
    assert (symbols["b"].intent, "optional" in symbols["b"].attributes) == ("out", True)
    assert symbols["c"].is_parameter
    assert all("save" in symbols[name].attributes for name in "defhk")
    assert symbols["g"].common == "" and symbols["h"].is_array
    assert "external" in symbols["u"].attributes
    assert unit.namelists == {"nl": ("a", "b"), "other": ("d",)}
    assert unit.implicit_none and len(unit.body) == 1
    assert unit.specification_end == Lines("s.f90", 15, 15)
    assert project.problems == ()


def test_the_specification_ends_with_the_include_line(project_of):
    text = "subroutine s\nreal a\ninclude 'd.inc'\n\n! why\na = b\nend subroutine\n"
    project = project_of({"s.f90": text, "d.inc": "real b\nreal c\n"})
    assert unit_of(project).specification_end == Lines("s.f90", 3, 3)
    assert unit_of(project).symbols["c"].at == Lines("d.inc", 2, 2)


def test_a_data_statement_among_executables_spoils_nothing(project_of):
    text = "subroutine s\nx = 1\ndata y /1.0/\nz = 2\nend\n"
    project = project_of({"s.f90": text})
    assert [type(s) for s in unit_of(project).body] == [ir.Assignment, ir.Assignment]
    assert "save" in unit_of(project).symbols["y"].attributes
    assert project.problems == ()


def test_procedures_and_their_headers(project_of):
    text = """module m
contains
  pure elemental real(8) function f(x, y) result(r)
    r = x
  end function
  recursive subroutine s
  end subroutine s
  integer function g()
    g = 1
  contains
    subroutine inner
    end subroutine
  end function g
end module m
x = 1
end
block data
end block data
"""
    project = project_of({"m.f90": text})
    assert list(project.units) == ["m", "m::f", "m::s", "m::g", "m::g::inner", "main__",
                                   "block_data__"]  # fmt: skip
    f = unit_of(project, "m::f")
    assert (f.prefixes, f.args, f.result) == ({"pure", "elemental"}, ["x", "y"], "r")
    assert (f.symbols["r"].type, f.symbols["r"].kind) == ("real", "8")
    assert (f.at, f.end) == (Lines("m.f90", 3, 3), Lines("m.f90", 5, 5))
    assert unit_of(project, "m::g").symbols["g"].type == "integer"
    assert unit_of(project, "main__").at == Lines("m.f90", 15, 15)


def test_interfaces_and_derived_types(project_of):
    text = """module m
  type, extends(base) :: t
    real, allocatable :: a(:, :)
    type(u), pointer :: next => null()
  contains
    procedure :: get => get_t
    generic :: operator(+) => get, set
  end type
  interface gen
    module procedure p1, p2
    subroutine outside(x)
      real x
    end subroutine
  end interface
  interface operator(.add.)
    module procedure p3
  end interface
  interface assignment(=)
    module procedure p4
  end interface
end module
"""
    unit = unit_of(project_of({"m.f90": text}), "m")
    derived = unit.types["t"]
    assert (derived.extends, derived.bindings) == ("base", {"get": "get_t"})
    assert derived.generic_bindings == {"operator(+)": ("get", "set")}
    assert derived.components["a"].dims[0].shape is Shape.DEFERRED
    assert "pointer" in derived.components["next"].attributes
    assert unit.generics == {
        "gen": ["p1", "p2", "outside"], "operator(.add.)": ["p3"], "assignment(=)": ["p4"],
    }  # fmt: skip
    assert unit.interfaces["outside"].kind is ir.UnitKind.INTERFACE_BODY
