"""From text to IR: constructs, declarations, lines, directives; and what damage does."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from acclimate.analysis import ir
from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Apply, Binary, Literal, LiteralKind, Name, Section, Shape, Unary
from acclimate.analysis.project import Project
from acclimate.analysis.reader.reading import read
from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of

CASES = Path(__file__).parent / "cases"


def unit_of(project: Project, name: str = "s") -> ir.Unit:
    return project.units[name]


def statements(body: list[ir.Statement]) -> Iterator[ir.Statement]:
    for statement in body:
        yield statement
        yield from statements(getattr(statement, "body", []))
        for branch in getattr(statement, "branches", ()):
            if isinstance(branch, ir.Branch):
                yield from statements(branch.body)


def number(text: str) -> Literal:
    return Literal(LiteralKind.INTEGER, text)


# --- damage --------------------------------------------------------------------------------------


def test_an_unreadable_statement_is_opaque_where_it_stands(project_of):
    text = "subroutine s\nx = 1\nif (x > 0) then\n  y = = 2\n  z = 3\nend if\nend subroutine\n"
    project = project_of({"s.f90": text})
    branch = unit_of(project).body[1]
    assert isinstance(branch, ir.If)
    bad, good = branch.branches[0].body
    assert isinstance(bad, ir.OpaqueStatement) and isinstance(good, ir.Assignment)
    assert (bad.at, bad.text) == (Lines("s.f90", 4, 4), "y = = 2")
    assert [(str(p.at), p.reason) for p in project.problems] == [
        ("s.f90:4", "syntax not understood")
    ]


def test_an_unreadable_declaration_is_reported_and_no_statement(project_of):
    text = "subroutine s\nreal :: a(3\ninteger :: n\nn = 1\nend subroutine\n"
    project = project_of({"s.f90": text})
    assert [type(s) for s in unit_of(project).body] == [ir.Assignment]
    assert unit_of(project).symbols["n"].type == "integer"
    assert [str(p.at) for p in project.problems] == ["s.f90:2"]


@pytest.mark.parametrize(
    "damaged",
    [
        "if (a >) then\nx = 1\nend if\n",
        "do i = 1 n\nx = 1\nend do\n",
        "do i = 1, 3\nx = 1\n",
        "x = 1\nend if\n",
        "if (a) then\nx = 1\n",
    ],
    ids=["if head", "do head", "no end do", "end if alone", "no end if"],
)
def test_a_damaged_structure_makes_its_unit_opaque_and_no_other(project_of, damaged):
    text = (
        "module m\nreal :: g\ncontains\n"
        f"subroutine bad\n{damaged}end subroutine\n"
        "subroutine good\ng = 1\nend subroutine\nend module\n"
    )
    project = project_of({"m.f90": text})
    assert [type(s) for s in unit_of(project, "m::bad").body] == [ir.OpaqueStatement]
    assert [type(s) for s in unit_of(project, "m::good").body] == [ir.Assignment]
    assert "g" in unit_of(project, "m").symbols
    assert any("'bad'" in p.reason for p in project.problems)


def test_a_file_cut_short_keeps_what_stands_before_the_cut(project_of):
    text = "module m\nreal :: g\ncontains\nsubroutine a\ng = 1\nend subroutine\nsubroutine b\ng = 2"
    project = project_of({"m.f90": text})
    assert set(project.units) == {"m", "m::a", "m::b"}
    assert len(unit_of(project, "m::a").body) == 1


NESTED = 10_000


@pytest.mark.parametrize(
    "body",
    [
        "x = " + "(" * NESTED + "a" + ")" * NESTED,
        "x = " + "(" * NESTED,
        "x = " + "f(" * NESTED + "a" + ")" * NESTED,
        "x = " + "a+" * NESTED + "a",
        "x = " + "a**" * NESTED + "a",
        "x = " + "a%" * NESTED + "a",
        "if (a) then\n" * NESTED + "x = 1\n" + "end if\n" * NESTED,
        "do i = 1, 2\n" * NESTED + "x = 1\n",
        "interface\n" * NESTED,
        "subroutine s\ncontains\n" * 1000,
        "x = 'a" + "&" * 1_000_000,
        "\0" * 100_000,
    ],
    ids=["parentheses", "open", "calls", "sum", "powers", "components", "ifs", "dos", "interfaces",
         "units", "ampersands", "nul"],
)  # fmt: skip
def test_extreme_sources_are_reported_and_never_crash(project_of, body):
    project = project_of({"s.f90": f"subroutine s\n{body}\nend subroutine\n"})
    assert project.problems
    for unit in project.units.values():
        for statement in statements(unit.body):
            assert _depth(getattr(statement, "value", None)) < 500


def _depth(expr: object) -> int:
    deepest, pending = 0, [(expr, 1)]
    while pending:
        current, depth = pending.pop()
        deepest = max(deepest, depth)
        for field in getattr(current, "__slots__", ()):
            value = getattr(current, field)
            pending += [(v, depth + 1) for v in (value if isinstance(value, tuple) else (value,))]
    return deepest


def _damaged(random_: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    kind = random_.randrange(5)
    if kind == 0:
        return data[: random_.randrange(len(data))]
    if kind == 1:
        random_.shuffle(lines)
    elif kind == 2:
        for _ in range(random_.randrange(1, 6)):
            lines.pop(random_.randrange(len(lines)))
    elif kind == 3:
        for _ in range(random_.randrange(1, 6)):
            lines.insert(random_.randrange(len(lines)), random_.choice(lines))
    else:
        flipped = bytearray(data)
        for _ in range(random_.randrange(1, 20)):
            flipped[random_.randrange(len(flipped))] = random_.randrange(256)
        return bytes(flipped)
    return b"\n".join(lines)


@pytest.mark.parametrize("seed", range(150))
def test_damaged_sources_are_read_as_far_as_they_go(seed):
    random_ = random.Random(seed)
    path = random_.choice(sorted(p for p in CASES.iterdir() if p.suffix.lower() in (".f", ".f90")))
    data = _damaged(random_, path.read_bytes())
    manifest = Manifest(root=CASES, name="t", sources=(path.name,))
    found = read(view_of(manifest, path.name, data))
    project = Project(manifest, {path.name: data}, {path.name: found})
    lines = data.count(b"\n") + 1
    for unit in project.units.values():
        for name in unit.mentioned:
            project.resolve(unit, name)
        for statement in statements(unit.body):
            if statement.at.file == path.name:
                assert 1 <= statement.at.first <= statement.at.last <= lines


# --- constructs ----------------------------------------------------------------------------------


def test_do_loops(project_of):
    text = """subroutine s
outer: do i = 1, n, 2
  do while (x > 1)
    cycle outer
  end do
  do
    exit
  end do
end do outer
do concurrent (i = 1:n, j = 2:m, i /= j)
  a(i, j) = 0
end do
end subroutine
"""
    outer, concurrent = unit_of(project_of({"s.f90": text})).body
    assert isinstance(outer, ir.Do) and isinstance(concurrent, ir.Do)
    assert (outer.name, outer.index, outer.first, outer.last, outer.step) == (
        "outer", "i", number("1"), Name("n"), number("2"),
    )  # fmt: skip
    assert (outer.at, outer.end) == (Lines("s.f90", 2, 2), Lines("s.f90", 9, 9))
    kinds = [s.kind for s in statements([outer]) if isinstance(s, ir.Do)]
    assert kinds == [ir.DoKind.COUNTED, ir.DoKind.WHILE, ir.DoKind.FOREVER]
    inner = concurrent.body[0]
    assert isinstance(inner, ir.Do)
    assert (concurrent.index, concurrent.condition) == ("i", None)
    assert (inner.index, inner.condition) == ("j", Binary("/=", Name("i"), Name("j")))


def test_shared_labels_in_fixed_form(project_of):
    text = (
        "      SUBROUTINE S(A)\n      DIMENSION A(4,3)\n      DO 10 J=1,3\n"
        "      DO 10 I=1,4\n      IF (A(I,J).GT.0) GO TO 10\n   10 A(I,J) = 0\n      END\n"
    )
    (outer,) = unit_of(project_of({"s.f": text})).body
    assert isinstance(outer, ir.Do)
    (inner,) = outer.body
    assert isinstance(inner, ir.Do)
    assert (outer.shared_terminal, outer.after_terminal) == (True, False)
    assert (inner.shared_terminal, inner.after_terminal) == (True, True)
    assert outer.end == inner.end == Lines("s.f", 6, 6)
    jump, terminal = inner.body
    assert isinstance(jump, ir.If) and isinstance(terminal, ir.Assignment)
    assert terminal.label == "10"
    goto = jump.branches[0].body[0]
    assert isinstance(goto, ir.Jump) and goto.targets == ("10",)


def test_select_case_becomes_conditions(project_of):
    text = """subroutine s
select case (k)
case default
  x = 0
case (1, 3:5)
  x = 1
case (:-1)
  x = 2
end select
select case (l)
case (.true.)
  x = 3
end select
end subroutine
"""
    integer, logical = unit_of(project_of({"s.f90": text})).body
    assert isinstance(integer, ir.If) and isinstance(logical, ir.If)
    k = Name("k")
    span = Binary(".and.", Binary(">=", k, number("3")), Binary("<=", k, number("5")))
    assert [b.condition for b in integer.branches] == [
        Binary(".or.", Binary("==", k, number("1")), span),
        Binary("<=", k, Unary("-", number("1"))),
        None,
    ]
    assert [b.at.first for b in integer.branches] == [5, 7, 3]
    true = Literal(LiteralKind.LOGICAL, ".true.")
    assert logical.branches[0].condition == Binary(".eqv.", Name("l"), true)


def test_select_type_is_a_choice_that_nobody_follows(project_of):
    text = """subroutine s(p)
class(*) :: p
q: select type (a => p)
class default
  x = 1
type is (real)
  x = 2
class is (t) q
  do i = 1, 2
    x = 3
  end do
end select q
select type (p)
type is (integer(8))
  x = 4
end select
end subroutine
"""
    project = project_of({"s.f90": text})
    named, bare = unit_of(project).body
    assert isinstance(named, ir.Associate) and isinstance(bare, ir.If)
    assert named.associations == (("a", Name("p")),)
    assert (named.at, named.end) == (Lines("s.f90", 3, 3), Lines("s.f90", 12, 12))
    (choice,) = named.body
    assert isinstance(choice, ir.If)
    assert [(b.condition, b.at.first, len(b.body)) for b in choice.branches] == [
        (ir.Unreadable("type is (real)"), 6, 1),
        (ir.Unreadable("class is (t) q"), 8, 1),
        (None, 4, 1),
    ]
    assert [b.condition for b in bare.branches] == [ir.Unreadable("type is (integer(8))")]
    assert project.problems == ()


def test_loops_in_a_guard_are_judged_and_loops_around_select_type_are_not(project_of):
    text = """subroutine s(p, x)
class(*) :: p
real :: x(9)
do i = 1, 9
  select type (p)
  type is (real)
    x(i) = p
  end select
end do
select type (p)
type is (real)
  do i = 1, 9
    x(i) = i
  end do
end select
end subroutine
"""
    around, inside = judge_loops(project_of({"s.f90": text}))
    assert (around.verdict, inside.verdict) == (Verdict.UNKNOWN, Verdict.PARALLEL)


def test_where_forall_associate(project_of):
    text = """subroutine s
where (m > 0) a = 1
forall (i = 1:n, j = 1:i, b(i, j) > 0) a(i, j) = 0
forall (i = 1:n:2)
  c(i) = 0
  d(i) = 1
end forall
associate (u => t%a(1), v => w)
  u = v
end associate
end subroutine
"""
    where, one, many, associate = unit_of(project_of({"s.f90": text})).body
    assert isinstance(where, ir.Where) and not where.is_construct
    assert isinstance(one, ir.Forall) and isinstance(many, ir.Forall)
    assert [i.index for i in one.indices] == ["i", "j"] and one.mask is not None
    assert len(one.body) == 1 and len(many.body) == 2 and many.end == Lines("s.f90", 7, 7)
    assert isinstance(associate, ir.Associate)
    assert [name for name, _ in associate.associations] == ["u", "v"]
    assert len(associate.body) == 1


def test_jumps(project_of):
    text = """subroutine s(*, x)
10 if (x) 10, 20, 30
20 go to (10, 20), k
30 goto 10
call t(x, *10, *20)
entry e(x)
return 1
stop 'no'
error stop
end subroutine
"""
    project = project_of({"s.f90": text})
    body = unit_of(project).body
    jumps = [s for s in body if isinstance(s, ir.Jump)]
    assert [(j.keyword, j.targets) for j in jumps] == [
        ("arithmetic-if", ("10", "20", "30")),
        ("goto", ("10", "20")),
        ("goto", ("10",)),
        ("entry", ()),
        ("return", ()),
        ("stop", ()),
        ("stop", ()),
    ]
    assert [s.label for s in body[:3]] == ["10", "20", "30"]
    call = body[3]
    assert isinstance(call, ir.Call)
    assert call.args[1:] == (ir.Keyword("*", number("10")), ir.Keyword("*", number("20")))
    assert unit_of(project).args == ["*", "x"]
    assert project.problems == ()


def test_input_output(project_of):
    text = """subroutine s(text)
character(8) :: text
integer :: u, n, ios
write (u, '(i4)', iostat=ios, err=10) n
write (text, *) n
read (text, *) n
read (5, nml=group)
write (*, *) (x(i), i = 1, n)
inquire (file='f', exist=there)
rewind u
write (u, 10) n
10 format (2x, -2p, f8.3)
end subroutine
"""
    project = project_of({"s.f90": text})
    outer, internal, back, namelist, implied, inquire, rewind, labelled, form = unit_of(
        project
    ).body
    assert isinstance(outer, ir.InputOutput)
    assert (outer.keyword, outer.writes, outer.branches) == ("write", (Name("ios"),), ("10",))
    assert outer.reads == (Name("u"), Name("n"))
    assert isinstance(internal, ir.InputOutput) and internal.writes == (Name("text"),)
    assert isinstance(back, ir.InputOutput)
    assert (back.reads, back.writes) == ((Name("text"),), (Name("n"),))
    assert isinstance(namelist, ir.InputOutput) and namelist.namelist == "group"
    assert isinstance(implied, ir.InputOutput) and isinstance(implied.reads[0], ir.ImpliedDo)
    assert isinstance(inquire, ir.InputOutput) and inquire.writes == (Name("there"),)
    assert isinstance(rewind, ir.InputOutput) and rewind.keyword == "rewind"
    assert isinstance(labelled, ir.InputOutput) and labelled.reads == (Name("u"), Name("n"))
    assert isinstance(form, ir.Continue) and form.label == "10"
    assert project.problems == ()


def test_allocate(project_of):
    text = (
        "subroutine s\nallocate (a(n, 0:m), b, stat=ierr)\nallocate (t :: p)\n"
        "deallocate (a, stat=ierr)\nnullify (p, q%r)\nend\n"
    )
    allocate, typed, deallocate, nullify = unit_of(project_of({"s.f90": text})).body
    assert isinstance(allocate, ir.Allocate) and isinstance(typed, ir.Allocate)
    extents = (Name("n"), Section(number("0"), Name("m")))
    assert allocate.objects == (Apply(Name("a"), extents), Name("b"))
    assert [o.name for o in allocate.options] == ["stat"]
    assert typed.objects == (Name("p"),)
    assert isinstance(deallocate, ir.Deallocate) and not deallocate.nullify
    assert isinstance(nullify, ir.Deallocate) and nullify.nullify and len(nullify.objects) == 2


# --- declarations --------------------------------------------------------------------------------


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


# --- directives ----------------------------------------------------------------------------------


def test_directives_are_attached_by_position(project_of):
    text = """module m
!$acc declare create(a)
contains
subroutine s
real :: x
!$omp parallel
!$omp do private(i, &
!$omp&           j)
do i = 1, n
  x = 1
  !$acc loop seq
  do j = 1, n
    x = 2
  end do
end do
!$omp end do
if (x > 1) then
  y = 1
  !$omp end parallel
end if
end subroutine
end module
"""
    project = project_of({"m.f90": text})
    unit = unit_of(project, "m::s")
    loops = [s for s in statements(unit.body) if isinstance(s, ir.Do)]
    assert [[d.text for d in loop.directives] for loop in loops] == [
        ["parallel", "do private(i, j)"],
        ["loop seq"],
    ]
    assert loops[0].directives[1].at == Lines("m.f90", 7, 8)
    assert [d.text for d in unit.directives] == [
        "parallel", "do private(i, j)", "loop seq", "end do", "end parallel",
    ]  # fmt: skip
    assert [d.text for d in unit_of(project, "m").directives] == ["declare create(a)"]
