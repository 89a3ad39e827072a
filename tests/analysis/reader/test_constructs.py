"""Constructs as they stand in the IR, and the directives among them."""

from collections.abc import Iterator

from acclimate.analysis import ir
from acclimate.analysis.dependence.judging import judge_loops
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Apply, Binary, Literal, LiteralKind, Name, Section, Unary
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines


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
