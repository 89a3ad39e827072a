from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from acclimate.verifier.texts.statements import opens_unit, read_statements, tokens


def units(text: str) -> list[str]:
    return [s.unit for s in read_statements(text.encode(), "a.f90", "free")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1.eq.2 .and. x", ["1", ".eq.", "2", ".and.", "x"]),
        ("a = 1.e5 + 2.d0_wp", ["a", "=", "1.e5", "+", "2.d0_wp"]),
        ("b%c**2 // 'It''s'", ["b", "%", "c", "**", "2", "//", "'It''s'"]),
        ("p => q", ["p", "=>", "q"]),
    ],
)
def test_tokens(text, expected):
    assert list(tokens(text)) == expected


def test_units_nest_and_end():
    text = "module m\ncontains\npure real function f(x)\nf = x\nend function\nend module\nx = 1\n"
    assert units(text) == ["m", "m", "m::f", "m::f", "m::f", "m", ""]


def test_declarations_of_functions_and_types_open_no_unit():
    text = "subroutine s\nmodule procedure t\nreal :: function_value\nend\n"
    assert units(text) == ["s", "s", "s", "s"]


@given(st.text(max_size=200))
def test_nothing_in_a_file_can_make_reading_fail(text):
    for form in ("free", "fixed"):
        read_statements(text.encode("latin-1", "replace"), "a.f90", form)


def test_own_sources_are_read():
    here = Path(__file__).parents[1] / "column"
    for path in here.glob("*.f90"):
        found = read_statements(path.read_bytes(), path.name, "free")
        assert found[-1].tokens[0] == "end"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("elemental type(budget_t) function joined(a, b)", "joined"),
        ("real(kind=8) function f(x)", "f"),
        ("pure recursive integer(kind=selected_int_kind(9)) function g(n) result(r)", "g"),
        ("module subroutine s", "s"),
        ("submodule (m) n", "n"),
        ("submodule(3) = 4", None),
        ("module = 3", None),
        ("a(subroutine) = f", None),
        ("if (x) function f", None),
        ("end function f", None),
    ],
)
def test_statements_that_begin_a_procedure_name_it(text, name):
    assert opens_unit(tokens(text)) == name
