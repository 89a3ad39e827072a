"""The view: joined statements, preprocessing, includes, and the original line of every token."""

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.analysis.source import Lines
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.analysis.view.view import View

CASES = Path(__file__).parents[1] / "cases"


def view(text: str | bytes, file: str = "a.f90", root: Path = Path(), **manifest) -> View:
    data = text if isinstance(text, bytes) else text.encode("latin-1")
    return view_of(Manifest(root=root, name="t", sources=(file,), **manifest), file, data)


def statements(text: str | bytes, file: str = "a.f90", **manifest) -> list[tuple[int, str]]:
    return [(s.at.first, s.text) for s in view(text, file, **manifest).statements]


# --- what cannot be read is reported -------------------------------------------------------------


def test_missing_include_is_reported_and_the_rest_is_read():
    found = view("x = 1\ninclude 'nowhere.inc'\ny = 2\n")
    assert [s.text for s in found.statements] == ["x = 1", "y = 2"]
    assert [(p.at, p.reason) for p in found.problems] == [
        (Lines("a.f90", 2, 2), "include file 'nowhere.inc' was not found")
    ]


def test_include_cycle_is_reported(tmp_path):
    (tmp_path / "one.inc").write_text("x = 1\ninclude 'two.inc'\n")
    (tmp_path / "two.inc").write_text("y = 2\ninclude 'one.inc'\n")
    found = view("include 'one.inc'\nz = 3\n", root=tmp_path)
    assert [s.text for s in found.statements] == ["x = 1", "y = 2", "z = 3"]
    assert [(str(p.at), p.reason) for p in found.problems] == [
        ("two.inc:2", "include file 'one.inc' includes itself")
    ]


def test_include_does_not_leave_the_tree(tmp_path):
    (tmp_path / "secret.inc").write_text("x = 1\n")
    model = tmp_path / "model"
    model.mkdir()
    (model / "link.inc").symlink_to(tmp_path / "secret.inc")
    for name in ("../secret.inc", "link.inc"):
        found = view(f"include '{name}'\n", root=model)
        assert found.statements == ()
        assert "was not found" in found.problems[0].reason


def test_nul_bytes_are_blanks_and_reported():
    found = view(b"x = 1\ny\0= 2\n")
    assert [s.text for s in found.statements] == ["x = 1", "y = 2"]
    assert [str(p.at) for p in found.problems] == ["a.f90:2"]


@pytest.mark.needs("cpp")
def test_missing_cpp_include_is_reported_and_the_rest_is_read():
    text = 'x = 1\n#include "nowhere.h"\ny = 2\n#include "sub/other.h"\nz = 3\n'
    found = view(text, "a.F90")
    assert [(s.at.first, s.text) for s in found.statements] == [
        (1, "x = 1"),
        (3, "y = 2"),
        (5, "z = 3"),
    ]
    assert [(str(p.at), p.reason) for p in found.problems] == [
        ("a.F90:2", "include file 'nowhere.h' was not found"),
        ("a.F90:4", "include file 'sub/other.h' was not found"),
    ]


@pytest.mark.needs("cpp")
def test_preprocessor_error_is_reported_with_its_line():
    found = view("x = 1\n#error no such configuration\ny = 2\n", "a.F90")
    assert [s.text for s in found.statements] == ["x = 1", "y = 2"]
    assert [(str(p.at), p.reason) for p in found.problems] == [
        ("a.F90:2", "the preprocessor says: #error no such configuration")
    ]


# --- free form -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a = 'x & ! y' ! comment\n", [(1, "a = 'x & ! y'")]),
        ("a = 1 + & ! why\n\n! comment\n  2\n", [(1, "a = 1 +  2")]),
        ("call gname(lon&\n   &gitude)\n", [(1, "call gname(longitude)")]),
        ("s = 'ab&\n  &cd'\n", [(1, "s = 'abcd'")]),
        ("s = 'ab&\n! not in the string\n  &cd'\n", [(1, "s = 'abcd'")]),
        ("a = 1; b = ';'; c = 3\n", [(1, "a = 1"), (1, "b = ';'"), (1, "c = 3")]),
        ("a = 1 &\n; b = &\n 2\n", [(1, "a = 1"), (2, "b =  2")]),
        ("a = 1\r\nb = 2\r\n", [(1, "a = 1"), (2, "b = 2")]),
        ("10 continue\n", [(1, "continue")]),
        ("&\n", []),
        ("a = 'not closed\nb = 2\n", [(1, "a = 'not closed"), (2, "b = 2")]),
        ("s = 'it''s' // \"a\"\"b\" ! c\n", [(1, "s = 'it''s' // \"a\"\"b\"")]),
    ],
)
def test_free_form_statements(text, expected):
    assert statements(text) == expected


def test_latin_1_survives():
    assert statements("s = 'Z\xfcrich' ! \xe9\n") == [(1, "s = 'Z\xfcrich'")]


def test_openmp_conditional_lines_are_code_only_when_the_model_is_built_with_it():
    text = "x = 1\n!$ x = 2\n"
    assert statements(text) == [(1, "x = 1")]
    assert statements(text, flags=("-fopenmp",)) == [(1, "x = 1"), (2, "x = 2")]


# --- fixed form ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("C comment\n* comment\n! comment\nd debug\n      x = 1\n", [(5, "x=1")]),
        ("      x = 1" + " " * 61 + "NOT CODE\n", [(1, "x=1")]),
        ("      x = 1 +\nC between\n\n     & 2\n", [(1, "x=1+2")]),
        ("      call f(a,\n     1           b)\n", [(1, "call f(a,b)")]),
        ("      x = 1 +" + " " * 59 + "&\n     & 2\n", [(1, "x=1+2")]),
        ("\tx = 1 +\n\t1 2\n", [(1, "x=1+2")]),
        ("      DO10I=1.5\n", [(1, "do10i=1.5")]),
        ("      GO TO 10\n", [(1, "go to 10")]),
        ("      GOTO10\n", [(1, "go to 10")]),
        ("      REAL*8 FUNCTION F(X)\n", [(1, "real*8 function f(x)")]),
        ("      DOUBLE PRECISION X, Y\n", [(1, "double precision x,y")]),
        ("      INTEGER*2 I2(3)\n", [(1, "integer*2 i2(3)")]),
        ("      CHARACTER*(*) S\n", [(1, "character*(*) s")]),
        (
            "      IMPLICIT DOUBLE PRECISION (A-H, O-Z)\n",
            [(1, "implicit double precision(a-h,o-z)")],
        ),
        ("      IF (A .GT. 0) GOTO 7\n", [(1, "if(a.gt.0) go to 7")]),
        ("      ELSE IF (A.GT.0) THEN\n", [(1, "else if(a.gt.0) then")]),
        ("      REAL, INTENT(IN) :: X\n", [(1, "real ,intent(in)::x")]),
        ("      IF(3) = 7.0\n", [(1, "if(3)=7.0")]),
        ("      CALL SHOW(4HA!'B)\n", [(1, "call show('A!''B')")]),
        ("      S = 'a  B'\n", [(1, "s='a  B'")]),
        ("      X = 1; Y = 2\n", [(1, "x=1"), (1, "y=2")]),
        ("      ENDDO\n      END IF\n", [(1, "enddo"), (2, "endif")]),
        ("      TYPE(T) X\n      TYPE T\n", [(1, "type(t) x"), (2, "type t")]),
        ("      CASE DEFAULT\n      CASE(1)\n", [(1, "case default"), (2, "case(1)")]),
        ("oops\n      X = 1\nno x = 2\n", [(1, "oops"), (2, "x=1"), (3, "nox=2")]),
        ("      READ_IT: IF (A.EQ.B) THEN\n", [(1, "read_it: if(a.eq.b) then")]),
        ("      ELSE READ_IT\n      ELSEWHERE\n", [(1, "else read_it"), (2, "elsewhere")]),
        (
            "      SELECT TYPE (A => B)\n      CLASS IS (T)\n",
            [(1, "select type (a=>b)"), (2, "class is (t)")],
        ),
    ],
)
def test_fixed_form_statements(text, expected):
    assert statements(text, "a.f") == expected


def test_fixed_form_string_is_padded_to_column_72_when_continued():
    text = "      S = 'ab\n     &cd'\n"
    assert statements(text, "a.f") == [(1, f"s='ab{' ' * 59}cd'")]


def test_fixed_form_width_follows_the_compiler_flag():
    text = "      X = 1" + " " * 70 + "+ 2\n"
    assert statements(text, "a.f", flags=("-ffixed-line-length-132",)) == [(1, "x=1+2")]
    assert statements(text, "a.f", flags=("-ffixed-line-length-none",)) == [(1, "x=1+2")]


def test_d_lines_are_code_when_the_manifest_says_so():
    assert statements("D     X = 1\n", "a.f", d_lines_are_code=True) == [(1, "x=1")]


def test_fixed_form_labels_are_kept():
    found = view("   10 CONTINUE\n 0020 X = 1\n", "a.f")
    assert [(s.label, s.text) for s in found.statements] == [("10", "continue"), ("20", "x=1")]


def test_shared_do_label_gives_each_loop_its_own_end():
    found = view("      DO 10 J=1,3\n      DO 10 I=1,4\n   10 A(I,J)=0\n", "a.f")
    assert [(s.at.first, s.label, s.text, s.shared_terminal, s.after_terminal) for s in
            found.statements] == [
        (1, None, "do j=1,3", True, False),
        (2, None, "do i=1,4", True, True),
        (3, "10", "a(i,j)=0", False, False),
        (3, None, "end do", False, False),
        (3, None, "end do", False, False),
    ]  # fmt: skip


def test_labelled_end_do_stays_a_branch_target():
    found = view("do 10 i = 1, 3\nx = i\n10 end do\n")
    assert [(s.label, s.text) for s in found.statements] == [
        (None, "do i = 1, 3"),
        (None, "x = i"),
        ("10", "continue"),
        (None, "end do"),
    ]


# --- preprocessing, includes ---------------------------------------------------------------------


@pytest.mark.needs("cpp")
def test_preprocessed_lines_keep_their_numbers(tmp_path):
    text = "call f(a, &\n#ifdef WITH\n  b, &\n#endif\n  c)\nx = 1\n"
    assert statements(text, "a.F90") == [(1, "call f(a,  c)"), (6, "x = 1")]
    assert statements(text, "a.F90", defines=("WITH",)) == [(1, "call f(a,  b,  c)"), (6, "x = 1")]


@pytest.mark.needs("cpp")
def test_names_of_this_machine_are_no_macros():
    text = "#define A 1\nlinux = unix + A\n"
    assert statements(text, "a.F90") == [(2, "linux = unix + 1")]
    assert statements("#ifdef _OPENACC\nx = 1\n#endif\ny = 2\n", "a.F90") == [(4, "y = 2")]


@pytest.mark.needs("cpp")
def test_included_lines_belong_to_the_included_file(tmp_path):
    (tmp_path / "inc").mkdir()
    (tmp_path / "inc" / "body.h").write_text("a = 1\n\nb = 2\n")
    (tmp_path / "inc" / "rest.inc").write_text("! comment\nc = 3\n")
    text = "#include \"body.h\"\ninclude 'rest.inc' ! now\nd = 4\n"
    found = view(text, "a.F90", root=tmp_path, include_dirs=("inc",))
    assert [(str(s.at), s.text) for s in found.statements] == [
        ("inc/body.h:1", "a = 1"),
        ("inc/body.h:3", "b = 2"),
        ("inc/rest.inc:2", "c = 3"),
        ("a.F90:3", "d = 4"),
    ]


# --- properties ----------------------------------------------------------------------------------

TOKENS = st.lists(st.sampled_from(["a", "bb", "'s&!'", "+", "(", ")", '"q;"', "12"]), min_size=1)


@st.composite
def free_sources(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """Free-form text, and for each statement its first line, last line and tokens joined."""
    lines: list[str] = []
    expected: list[tuple[int, int, str]] = []
    for tokens in draw(st.lists(TOKENS, max_size=6)):
        lines += draw(st.lists(st.sampled_from(["", "! c & 'x", "  "]), max_size=2))
        tokens = ["x", "=", *tokens]
        first, current = len(lines) + 1, ""
        for token in tokens:
            if current and draw(st.booleans()):
                lines.append(current + draw(st.sampled_from([" &", "& ! why"])))
                lines += draw(st.lists(st.sampled_from(["", ' ! & "', "   "]), max_size=2))
                current = draw(st.sampled_from(["", "& ", "  "]))
            current += token + " "
        lines.append(current + draw(st.sampled_from(["", "! end"])))
        expected.append((first, len(lines), "".join(tokens)))
    return "\n".join(lines) + "\n", expected


@given(free_sources())
def test_every_statement_knows_its_first_and_last_line(source):
    text, expected = source
    found = view(text).statements
    got = [(s.at.first, s.at.last, s.text.replace(" ", "")) for s in found]
    assert got == [(first, last, tokens) for first, last, tokens in expected]


@given(
    st.text(alphabet="ab1 &!;'\"\n\t()=,*/%Cc#$\r\x00", max_size=300),
    st.sampled_from([".f", ".f90"]),
)
def test_any_text_has_a_view_with_lines_that_exist(text, suffix):
    found = view(text, "a" + suffix)
    number = text.count("\n") + 1
    assert all(1 <= s.at.first <= s.at.last <= number for s in found.statements)
    assert all(s.text.strip() == s.text != "" for s in found.statements)


@pytest.mark.gfortran
@pytest.mark.parametrize(
    "case",
    ["01_shared_do.f", "03_amp_in_string.f90", "32_tabs.f", "33_dlines.f", "57_keywords_spaces.f",
     "44_include.f90", "30_cpp_mid_statement.F90", "61_alt_return.f",
     "71_conditional_compile_fixed.f"],
)  # fmt: skip
def test_the_view_is_the_same_program(case, tmp_path):
    manifest = load_manifest(CASES / case)
    shutil.copytree(CASES, tmp_path / "cases")
    text = view_of(manifest, case, (CASES / case).read_bytes()).text
    (tmp_path / "cases" / "view.f90").write_text(text)
    flags = ["-std=legacy", "-ffree-line-length-none", "-fd-lines-as-comments", "-w"]
    printed = []
    for file in (case, "view.f90"):
        own = [f for f in flags if f != "-fd-lines-as-comments" or file == "33_dlines.f"]
        build = ["gfortran", *own, file, "-o", "program"]
        subprocess.run(build, cwd=tmp_path / "cases", check=True, timeout=60)
        run = subprocess.run(
            ["./program"], cwd=tmp_path / "cases", check=True, timeout=60, capture_output=True
        )
        printed.append(run.stdout)
    assert printed[0] == printed[1] != b""
