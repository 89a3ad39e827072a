"""`acclimate explain FILE:LINE`: the verdict, both references, and what would change it."""

import json

import pytest

from acclimate.workflows._exit import Exit


@pytest.mark.parametrize(
    ("where", "words"),
    [
        ("src/water.f90", "is not FILE:LINE"),
        ("src/water.f90:", "is not FILE:LINE"),
        ("src/water.f90:x", "is not FILE:LINE"),
        ("src/air.f90:3", "there is no file src/air.f90"),
        ("src/water.f90:2", "no loop stands around src/water.f90:2"),
        ("acclimate.toml:2", "is not a source file of the model"),
    ],
)
def test_a_place_without_a_loop_is_misuse(acclimate, pond, where, words):
    run = acclimate("explain", where, cwd=pond)
    assert run.returncode == Exit.MISUSED
    assert words in run.stderr.splitlines()[0]
    assert run.stderr.splitlines()[-1].startswith("hint: ")


def test_a_serial_loop_quotes_the_statement_and_a_remedy(acclimate, pond):
    run = acclimate("explain", "src/water.f90:35", cwd=pond)
    assert run.returncode == Exit.DONE
    lines = run.stdout.splitlines()
    assert lines[:3] == [
        "src/water.f90:34: loop over 'i' in water::smooth: serial",
        "its iterations must run one after another",
        "   src/water.f90 34 |     do i = 2, n",
    ]
    assert (
        "   an iteration reads what the iteration before has written in `level` (flow dependence):"
        in lines
    )
    assert (
        "   src/water.f90 35 |       level(i) = level(i) + 0.01_dp * (level(i - 1) - level(i))"
        in lines
    )
    assert any(line.startswith("   what would change it: ") for line in lines)
    assert not any(line.startswith("clauses it needs") for line in lines)


def test_two_references_are_both_quoted(acclimate, tmp_path):
    source = tmp_path / "two.f90"
    source.write_text(
        "program two\n  integer :: i\n  real :: a(9), b(9)\n  b = 1\n  a = 0\n  do i = 2, 9\n"
        "    b(i) = a(i - 1)\n    a(i) = b(i) * 2\n  end do\n  print *, a\nend program two\n"
    )
    run = acclimate("explain", f"{source}:7")
    assert "two.f90 7 |     b(i) = a(i - 1)" in run.stdout
    assert "two.f90 8 |     a(i) = b(i) * 2" in run.stdout


def test_a_parallel_loop_says_so_with_its_clauses(acclimate, pond):
    run = acclimate("explain", "src/water.f90:44", cwd=pond)
    lines = run.stdout.splitlines()
    assert "its iterations can run at the same time, their partial results combined" in lines
    assert "       !$acc parallel loop private(i) reduction(max:top)" in lines


def test_the_innermost_loop_around_the_line_is_meant(acclimate, tmp_path):
    source = tmp_path / "nest.f90"
    source.write_text(
        "program nest\n  integer :: i, j\n  real :: a(9, 9)\n  do j = 1, 9\n    do i = 1, 9\n"
        "      a(i, j) = i\n    end do\n  end do\n  print *, a\nend program nest\n"
    )
    run = acclimate("explain", f"{source}:6", "--json", "-")
    facts = json.loads(run.stdout)
    assert (facts["schema"], facts["index"], facts["at"]["first"]) == (
        "acclimate/explain/1",
        "i",
        5,
    )


def test_the_model_is_found_upward_and_by_option(acclimate, pond, tmp_path):
    upward = acclimate("explain", "pond/src/pond.f90:11", cwd=tmp_path)
    named = acclimate("explain", "pond/src/pond.f90:11", "--model", "pond", cwd=tmp_path)
    assert upward.stdout == named.stdout
    assert "water::advance" in upward.stdout


def test_a_parallel_loop_may_still_stay_on_the_host(acclimate, pond):
    run = acclimate("explain", "src/water.f90:44", cwd=pond)
    assert run.stdout.splitlines()[-1].startswith("whether it is ported depends on where its data")
    serial = acclimate("explain", "src/water.f90:35", cwd=pond)
    assert "whether it is ported" not in serial.stdout


MANY = """program many
  integer :: i
  real :: a(9), b(9), c(9), d(9), e(9), f(9), g(9)
  do i = 2, 9
    call step()
  end do
contains
  subroutine step()
    a(i) = a(i - 1)
    b(i) = b(i - 1)
    c(i) = c(i - 1)
    d(i) = d(i - 1)
    e(i) = e(i - 1)
    f(i) = f(i - 1)
    print *, g(i)
  end subroutine step
end program many
"""


def test_a_loop_of_calls_has_few_reasons_of_every_kind_unless_all_are_asked_for(
    acclimate, tmp_path
):
    source = tmp_path / "many.f90"
    source.write_text(MANY)
    short = acclimate("explain", f"{source}:5").stdout
    everything = acclimate("explain", f"{source}:5", "--all").stdout
    assert "this loop calls 1 procedure; " in short
    assert "5. " in short
    assert "6. " not in short
    assert "more reasons (--all)" in short
    assert "[io, host]" in short
    assert "7. " in everything
    assert "more reasons" not in everything


def test_a_line_that_could_not_be_read_is_named_by_its_problem(acclimate, tmp_path):
    source = tmp_path / "odd.f90"
    source.write_text("program odd\n  real :: a(9)\n  a(1) = = 2\n  print *, a\nend program odd\n")
    run = acclimate("explain", f"{source}:3")
    assert run.returncode == Exit.MISUSED
    assert run.stderr.splitlines()[0].startswith(f"{source}:3:1: error: line 3 could not be read")


POINTERS = """\
subroutine shift(p, q, n)
  integer :: n, i
  real, pointer :: p(:), q(:)
  {hint}
  !$omp parallel do
  do i = 2, n
    p(i) = q(i-1)
  end do
end subroutine shift
"""


def test_a_condition_is_told_with_its_references_and_the_hint(acclimate, tmp_path):
    source = tmp_path / "shift.f90"
    source.write_text(POINTERS.format(hint=""))
    lines = acclimate("explain", f"{source}:7").stdout.splitlines()
    assert "only if `p` and `q` do not share storage, which nothing proves:" in lines
    assert "   shift.f90 7 |     p(i) = q(i-1)" in lines
    assert "     !$acclimate noalias(p, q)" in lines


def test_a_promise_is_told_with_its_place(acclimate, tmp_path):
    source = tmp_path / "shift.f90"
    source.write_text(POINTERS.format(hint="!$acclimate noalias(p, q)"))
    lines = acclimate("explain", f"{source}:7").stdout.splitlines()
    assert "it rests on a promise at shift.f90:4: `p` and `q` do not share storage" in lines
    assert "hint at shift.f90:4: noalias(p, q)" in lines


def test_a_contradicted_directive_is_told(acclimate, tmp_path):
    source = tmp_path / "shift.f90"
    source.write_text(POINTERS.format(hint="").replace("q(i-1)", "p(i-1)"))
    text = acclimate("explain", f"{source}:7").stdout
    assert "`omp parallel do` at shift.f90:5 is contradicted: iterations 1 apart" in text


def test_a_wrong_hint_is_misuse(acclimate, tmp_path):
    source = tmp_path / "shift.f90"
    source.write_text(POINTERS.format(hint="!$acclimate noalais(p, q)"))
    run = acclimate("explain", f"{source}:7")
    assert run.returncode == Exit.MISUSED
    assert "shift.f90:4:1: error: 'noalais' is not a hint" in run.stderr
    assert "hint: did you mean 'noalias'?" in run.stderr


def test_the_configuration_that_refuses_is_named(acclimate, tmp_path):
    (tmp_path / "acclimate.toml").write_text(
        """[model]
sources = ["*.F90"]
[[configurations]]
name = "seidel"
defines = ["SEIDEL"]
"""
    )
    (tmp_path / "m.F90").write_text(
        """subroutine s(a, b, n)
integer :: n, i
real :: a(n), b(n)
do i = 2, n
#ifdef SEIDEL
  a(i) = a(i-1)
#else
  a(i) = b(i-1)
#endif
end do
end subroutine
"""
    )
    done = acclimate("explain", tmp_path / "m.F90:4")
    assert "serial" in done.stdout
    assert "(in configuration 'seidel')" in " ".join(done.stdout.split())
