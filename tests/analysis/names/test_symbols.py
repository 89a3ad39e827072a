"""What names mean: USE, hosts, generics, implicit typing, storage, type-bound procedures."""

import pytest

from acclimate.analysis.ir import Apply, Call, Component, Literal, LiteralKind, Name
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    Procedures,
    StatementFunction,
    TypeName,
    Unresolved,
    Variable,
)
from acclimate.analysis.project import Project


def owner(project: Project, unit: str, name: str) -> str:
    found = project.resolve(project.units[unit], name)
    assert isinstance(found, Variable), found
    assert found.symbol.owner is not None
    return found.symbol.owner.qualified_name


def called(project: Project, unit: str) -> list[list[str]]:
    """The procedures behind each CALL of a unit."""
    found = []
    for statement in project.units[unit].body:
        if isinstance(statement, Call):
            meaning = project.procedures(project.units[unit], statement.procedure, statement.args)
            if isinstance(meaning, Procedures):
                found.append([project.name_of(unit) for unit in meaning.candidates])
            else:
                found.append([type(meaning).__name__, meaning.name])
    return found


MODULES = """
module a
  implicit none
  private
  real, public :: shown, renamed
  real :: hidden
  integer, parameter, public :: wp = selected_real_kind(13)
  public :: work
contains
  subroutine work(x)
    real, intent(inout) :: x
    x = hidden
  end subroutine
end module
module b
  use a, local => renamed
  implicit none
end module
"""


def test_what_is_private_or_not_in_only_is_not_seen(project_of):
    project = project_of(
        {"m.f90": MODULES + "subroutine s\nuse a, only: shown\nimplicit none\nend subroutine\n"}
    )
    unit = project.units["s"]
    assert project.resolve(unit, "hidden") == Unresolved("hidden")
    assert project.resolve(unit, "renamed") == Unresolved("renamed")
    assert owner(project, "s", "shown") == "a"


def test_renames_pass_through_modules(project_of):
    project = project_of(
        {"m.f90": MODULES + "subroutine s\nuse b\nimplicit none\nend subroutine\n"}
    )
    assert owner(project, "s", "local") == "a"
    assert project.resolve(project.units["s"], "renamed") == Unresolved("renamed")
    assert owner(project, "s", "shown") == "a"
    assert isinstance(project.resolve(project.units["s"], "work"), Procedures)


def test_modules_that_use_each_other_do_not_hang(project_of):
    project = project_of(
        {"m.f90": "module a\nuse b\nend module\nmodule b\nuse a\nreal :: x\nend module\n"}
    )
    assert owner(project, "a", "x") == "b"


def test_names_of_a_module_outside_the_project_stay_open(project_of):
    project = project_of({"m.f90": "subroutine s\nuse mpi\nx = mpi_comm_world\nend subroutine\n"})
    assert project.resolve(project.units["s"], "mpi_comm_world") == Unresolved("mpi_comm_world")


def test_host_association_and_shadowing(project_of):
    project = project_of(
        {
            "m.f90": """
module m
  real :: a, b
contains
  subroutine outer
    real :: a
    call inner
  contains
    subroutine inner
      a = b
      k = 1
    end subroutine
  end subroutine
end module
"""
        }
    )
    assert owner(project, "m::outer::inner", "a") == "m::outer"
    assert owner(project, "m::outer::inner", "b") == "m"
    assert owner(project, "m::outer::inner", "k") == "m::outer::inner"


def test_implicit_variables_of_the_host_are_the_hosts(project_of):
    project = project_of(
        {
            "p.f90": "program p\nk = 1\ncall s\ncontains\nsubroutine s\nk = 2\nj = 3\n"
            "end subroutine\nend\n"
        }
    )
    assert owner(project, "p::s", "k") == "p"
    assert owner(project, "p::s", "j") == "p::s"


@pytest.mark.parametrize(
    ("statement", "name", "expected"),
    [
        ("", "x", ("real", None)),
        ("", "n", ("integer", None)),
        ("implicit real*8 (a-h, o-z)", "x", ("real", "8")),
        ("implicit double precision (a-h)", "d", ("real", "kind(1d0)")),
        ("implicit double precision (a-h)", "x", ("real", None)),
        ("implicit complex*16 (z), logical (l)", "z", ("complex", "8")),
        ("implicit complex*16 (z), logical (l)", "l", ("logical", None)),
        ("implicit character(len=3) (c)", "c", ("character", "len=3")),
    ],
)
def test_implicit_types(project_of, statement, name, expected):
    project = project_of({"s.f90": f"subroutine s\n{statement}\n{name} = {name}\nend subroutine\n"})
    found = project.resolve(project.units["s"], name)
    assert isinstance(found, Variable)
    assert (found.symbol.type, found.symbol.kind) == expected
    assert project.resolve(project.units["s"], name) is found


GENERIC = """
module g
  implicit none
  integer, parameter :: sp = 4, dp = kind(1.0d0)
  interface run
    module procedure one_r4, one_r8, two_r8, array_r8
  end interface
contains
  subroutine one_r4(x)
    real(sp) :: x
  end subroutine
  subroutine one_r8(x)
    real(dp) :: x
  end subroutine
  subroutine two_r8(x, y)
    real(dp) :: x
    real(dp), optional :: y
    integer :: z
  end subroutine
  subroutine array_r8(x)
    real(dp) :: x(:)
  end subroutine
end module
subroutine s(u)
  use g
  implicit none
  real :: a
  real*8 :: b, c(3), d(2,2)
  external :: u
  call run(a)
  call run(c)
  call run(b, y=b)
  call run(d(:,1))
  call run(c(2))
  call run(b, q=b)
  call u(a)
  call nobody(a)
end subroutine
"""


def test_generics_are_narrowed_by_number_keyword_rank_and_kind(project_of):
    project = project_of({"g.f90": GENERIC})
    assert called(project, "s") == [
        ["g::one_r4"],
        ["g::array_r8"],
        ["g::two_r8"],
        ["g::array_r8"],
        ["g::one_r8", "g::two_r8"],
        ["g::one_r4", "g::one_r8", "g::two_r8", "g::array_r8"],
        ["DummyProcedure", "u"],
        ["External", "nobody"],
    ]


TYPES = """
module t
  implicit none
  type :: base
    real :: w(3)
  contains
    procedure :: step => base_step
    procedure :: add_i, add_r
    generic :: add => add_i, add_r
  end type
  type, extends(base) :: child
    type(base), pointer :: next
    procedure(base_step), pointer, nopass :: hook
  contains
    procedure :: step => child_step
  end type
contains
  subroutine base_step(self)
    class(base) :: self
  end subroutine
  subroutine child_step(self)
    class(child) :: self
  end subroutine
  subroutine add_i(self, n)
    class(base) :: self
    integer :: n
  end subroutine
  subroutine add_r(self, x)
    class(base) :: self
    real :: x
  end subroutine
end module
subroutine s(p, q)
  use t
  class(base) :: p
  type(child) :: q
  call p%step()
  call q%step()
  call q%add(1)
  call q%next%add(1.0)
  call q%hook()
  call q%nothing()
end subroutine
"""


def test_type_bound_calls(project_of):
    project = project_of({"t.f90": TYPES})
    assert called(project, "s") == [
        ["t::base_step", "t::child_step"],
        ["t::child_step"],
        ["t::add_i"],
        ["t::add_r"],
        ["DummyProcedure", "hook"],
        ["Unresolved", "nothing"],
    ]


def test_components_and_ranks(project_of):
    project = project_of({"t.f90": TYPES})
    unit = project.units["s"]
    q = Name("q")
    inherited = project.component(unit, Component(q, "w"))
    assert inherited is not None and inherited.is_array
    assert project.component(unit, Component(q, "step")) is None
    assert project.component(unit, Component(Name("unknown"), "w")) is None
    assert project.rank(unit, Component(Component(q, "next"), "w")) == 1
    one = Literal(LiteralKind.INTEGER, "1")
    assert project.rank(unit, Apply(Component(q, "w"), (one,))) == 0
    assert isinstance(project.resolve(unit, "child"), TypeName)


def test_names_before_arguments_are_functions_unless_they_are_arrays(project_of):
    project = project_of(
        {
            "s.f90": """
subroutine s(a, f)
  implicit none
  real :: a(3), f, g, sin, x
  character(8) :: c, h
  x = a(1) + f(x) + g(x) + sin(x) + max(x, x)
  c = c(1:2) // h(x)
end subroutine
function g(x)
  real :: g, x
  g = x
end function
"""
        }
    )
    unit = project.units["s"]
    meanings = {name: type(project.resolve(unit, name)).__name__ for name in unit.mentioned}
    assert meanings == {
        "a": "Variable",
        "f": "DummyProcedure",
        "g": "Procedures",
        "sin": "Intrinsic",
        "max": "Intrinsic",
        "x": "Variable",
        "c": "Variable",
        "h": "External",
    }


def test_statement_functions_are_no_arrays(project_of):
    text = "subroutine s(a)\nreal a(3)\nf(t) = t + b\na(i) = f(1.0)\nend\n"
    project = project_of({"s.f90": text})
    unit = project.units["s"]
    assert isinstance(project.resolve(unit, "f"), StatementFunction)
    assert len(unit.body) == 1
    inherited = (
        "module m\nreal :: a(3)\ncontains\nsubroutine s(i)\na(i) = 1\nend subroutine\nend module\n"
    )
    unit = project_of({"s.f90": inherited}).units["m::s"]
    assert unit.statement_functions == {} and len(unit.body) == 1


def test_entry_points_lead_to_their_procedure(project_of):
    text = "subroutine s(x)\nx = 1\nentry other(x)\nx = 2\nend\nsubroutine t\ncall other(y)\nend\n"
    assert called(project_of({"s.f90": text}), "t") == [["s"]]


def test_separate_module_procedures(project_of):
    parent = """
module m
  interface
    module subroutine work(x)
      real, intent(inout) :: x
    end subroutine
  end interface
end module
"""
    child = """
submodule (m) sub
  real :: own
contains
  module procedure work
    x = own
  end procedure
end submodule
"""
    user = "subroutine s(y)\nuse m\ncall work(y)\nend subroutine\n"
    project = project_of({"a.f90": parent, "b.f90": child, "c.f90": user})
    assert called(project, "s") == [["sub::work"]]
    assert project.units["sub::work"].args == ["x"]
    assert owner(project, "sub::work", "own") == "sub"


def test_storage_keys(project_of):
    text = """
module m
  real :: shared
end module
subroutine s
  use m, only: mine => shared
  common /blk/ a, b(3)
  common z
  equivalence (c, d(2)), (d(1), e)
  equivalence (b(1), f)
  real :: d(2), local
end subroutine
"""
    project = project_of({"s.f90": text})
    unit = project.units["s"]

    def key(name: str) -> str:
        found = project.resolve(unit, name)
        assert isinstance(found, Variable)
        return project.storage_key(unit, found.symbol)

    assert key("mine") == "m::shared"
    assert key("local") == "s::local"
    assert {key("a"), key("b"), key("f")} == {"common:blk"}
    assert key("z") == "common:"
    assert key("c") == key("d") == key("e") == "s::c"


def test_a_unit_defined_twice_is_kept_and_reported(project_of):
    text = "module m\nend module\n"
    project = project_of({"a.f90": text, "b.f90": text})
    assert list(project.units) == ["m", "m@b.f90"]
    assert [(str(p.at), p.reason) for p in project.problems] == [
        ("b.f90:1", "module 'm' is defined again (first at a.f90:1)")
    ]


def test_dummy_procedures(project_of):
    text = "subroutine s(f, g)\nexternal f\ncall f(1)\ncall g(2)\nend\n"
    project = project_of({"s.f90": text})
    assert called(project, "s") == [["DummyProcedure", "f"], ["DummyProcedure", "g"]]
    assert project.resolve(project.units["s"], "f") == DummyProcedure("f")


def test_a_type_is_found_whatever_number_of_ways_lead_to_it(project_of):
    """Each of forty modules uses the two before it: more than 10**8 ways to the first one."""
    first = "module m0\ntype t\nreal :: v(3)\nend type\nend module\nmodule m1\nuse m0\nend module\n"
    ladder = "".join(f"module m{n}\nuse m{n - 1}\nuse m{n - 2}\nend module\n" for n in range(2, 40))
    last = "subroutine s\nuse m39\nuse m38\ntype(t) :: x\ntype(u) :: y\nx%v = y%v\nend subroutine\n"
    project = project_of({"m.f90": first + ladder + last})
    unit = project.units["s"]
    assert project.type_of(unit, Component(Name("x"), "v")) == "real"
    assert project.type_of(unit, Component(Name("y"), "v")) is None
