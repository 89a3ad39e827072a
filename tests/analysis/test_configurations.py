"""Several configurations of one source: a verdict holds only if it holds in each."""

import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

from acclimate.analysis.facts import Verdict
from acclimate.analysis.index import index_project, to_json
from acclimate.analysis.keeping.cache import open_cache
from acclimate.analysis.problems import Problem
from acclimate.analysis.tree.manifest import load_manifest

TOML = """
[model]
name = "m"
sources = ["*.F90"]
defines = ["ORDER=2"]

[[configurations]]
name = "fourth order"
defines = ["ORDER=4"]

[[configurations]]
name = "ensemble"
defines = ["ENSEMBLE"]
"""

SCHEMA = json.loads(
    files("acclimate.analysis").joinpath("schemas/index.schema.json").read_text("utf-8")
)

HEAD = """subroutine s(a, b, n, t)
integer :: n, i
real :: a(n), b(n), t, x
"""


def indexed(tmp_path: Path, body: str, toml: str = TOML, cache=None):
    (tmp_path / "acclimate.toml").write_text(toml)
    (tmp_path / "m.F90").write_text(HEAD + body + "end subroutine\n")
    return index_project(load_manifest(tmp_path), cache=cache)


def test_a_loop_that_one_configuration_makes_serial(tmp_path):
    (loop,) = indexed(
        tmp_path,
        """do i = 2, n
#if ORDER == 4
  a(i) = a(i-1)
#else
  a(i) = b(i)
#endif
end do
""",
    ).loops
    assert loop.verdict is Verdict.SERIAL
    assert loop.reason.endswith("and one writes it (in configuration 'fourth order')")
    assert loop.only_in == ()


def test_the_configuration_that_is_built_refuses(tmp_path):
    (loop,) = indexed(
        tmp_path,
        """do i = 2, n
#ifdef ENSEMBLE
  a(i) = b(i)
#else
  a(i) = a(i-1)
#endif
end do
""",
    ).loops
    assert loop.verdict is Verdict.SERIAL
    assert loop.reason.endswith("(as built, in configuration 'fourth order')")


def test_loops_that_stand_in_some_configurations_only(tmp_path):
    index = indexed(
        tmp_path,
        """#ifdef ENSEMBLE
do i = 1, n
  b(i) = 1.0
end do
#endif
#if ORDER == 2
do i = 1, n
  a(i) = b(i)
end do
#endif
do i = 1, n
  a(i) = 0.0
end do
""",
    )
    assert [(loop.at.first, loop.only_in) for loop in index.loops] == [
        (5, ("ensemble",)),
        (10, ("as built", "ensemble")),
        (14, ()),
    ]
    assert {loop.verdict for loop in index.loops} == {Verdict.PARALLEL}


@pytest.mark.parametrize(
    ("ensemble", "built", "private", "firstprivate"),
    [
        ("x = b(i)", "x = a(i)", ("i", "x"), ()),
        ("x = b(i)", "continue", ("i",), ("x",)),  # there a private copy would be undefined
    ],
)
def test_copies_that_are_right_everywhere(tmp_path, ensemble, built, private, firstprivate):
    (loop,) = indexed(
        tmp_path,
        f"""x = 1.0
do i = 1, n
#ifdef ENSEMBLE
  {ensemble}
#else
  {built}
#endif
  a(i) = x
end do
""",
    ).loops
    assert (loop.verdict, loop.private, loop.firstprivate) == (
        Verdict.PARALLEL,
        private,
        firstprivate,
    )


def test_clauses_that_no_directive_can_join(tmp_path):
    (loop,) = indexed(
        tmp_path,
        """do i = 1, n
#ifdef ENSEMBLE
  t = t + b(i)
#else
  t = max(t, b(i))
#endif
end do
""",
    ).loops
    assert loop.verdict is Verdict.UNKNOWN
    assert loop.reduction == ()
    assert "`t` needs another clause in each configuration" in loop.reason


def test_problems_name_their_configuration(tmp_path):
    index = indexed(tmp_path, "#if ORDER == 4\nx = = 3\n#endif\n")
    assert [problem.reason for problem in index.problems] == [
        "syntax not understood (in configuration 'fourth order')"
    ]


def test_one_configuration_says_what_it_said(tmp_path):
    body = "do i = 1, n\n  a(i) = b(i)\nend do\n"
    alone = indexed(tmp_path, body, TOML.partition("[[")[0])
    every = indexed(tmp_path, body)
    assert (alone.loops, alone.units, alone.procedures) == (
        every.loops,
        every.units,
        every.procedures,
    )
    jsonschema.validate(to_json(every), SCHEMA)


def test_the_same_from_the_cache(tmp_path):
    (tmp_path / "model").mkdir()
    cache = open_cache(tmp_path / "cache")
    body = "do i = 1, n\n#ifdef ENSEMBLE\n  a(i) = t\n  t = b(i)\n#endif\nend do\n"
    cold = indexed(tmp_path / "model", body, cache=cache)
    warm = indexed(tmp_path / "model", body, cache=cache)
    assert to_json(cold) == to_json(warm)
    assert warm.project.units.keys() == {"s"}


@pytest.mark.parametrize(
    ("table", "what"),
    [
        ('defines = ["A"]', "a configuration has no name"),
        ('name = "a"', "configuration 'a' defines nothing"),
        ('name = "ensemble"\ndefines = ["A"]', "two configurations are called 'ensemble'"),
        ('name = "a"\nmacros = ["A"]', "unknown key 'configurations.macros'"),
    ],
)
def test_refused(tmp_path, table, what):
    with pytest.raises(Problem) as refused:
        indexed(tmp_path, "", f"{TOML}\n[[configurations]]\n{table}\n")
    assert refused.value.what == what
