"""Damaged and hostile sources through the whole analysis: no crash, no hang, no silent loss.

Every source is made from a seed. A few hundred run always, five thousand with the slow tests.
"""

import os
import random
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

import pytest

from acclimate.analysis.index import index_project, to_json
from acclimate.analysis.problems import Problem
from acclimate.analysis.reader import parsing
from acclimate.analysis.tree.manifest import Manifest, load_manifest
from acclimate.analysis.view import includes, preprocessing
from acclimate.analysis.view.regular_files import MOST_BYTES

CASES = Path(__file__).parent / "cases"
SOURCES = sorted(p for p in CASES.iterdir() if p.suffix.lower() in (".f", ".f90"))
SECONDS = 60.0  # of processor time for the worst source
NESTED = 10_000

# --- seeded damage -------------------------------------------------------------------------------


def cut(random_: random.Random, data: bytes) -> bytes:
    return data[: random_.randrange(len(data))]


def flipped(random_: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(random_.randrange(1, 30)):
        changed[random_.randrange(len(changed))] = random_.randrange(256)
    return bytes(changed)


def shuffled(random_: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    random_.shuffle(lines)
    return b"\n".join(lines)


def thinned(random_: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(min(random_.randrange(1, 8), len(lines) - 1)):
        lines.pop(random_.randrange(len(lines)))
    return b"\n".join(lines)


def repeated(random_: random.Random, data: bytes) -> bytes:
    lines = data.split(b"\n")
    for _ in range(random_.randrange(1, 8)):
        lines.insert(random_.randrange(len(lines)), random_.choice(lines))
    return b"\n".join(lines)


def spliced(random_: random.Random, data: bytes) -> bytes:
    other = random_.choice(SOURCES).read_bytes()
    return data[: random_.randrange(len(data))] + other[random_.randrange(len(other)) :]


def token_swapped(random_: random.Random, data: bytes) -> bytes:
    """Words in each other's places: still words, seldom Fortran."""
    words = data.split(b" ")
    for _ in range(random_.randrange(1, 20)):
        first, second = random_.randrange(len(words)), random_.randrange(len(words))
        words[first], words[second] = words[second], words[first]
    return b" ".join(words)


def sprinkled(random_: random.Random, data: bytes) -> bytes:
    """Signs that open something."""
    changed = bytearray(data)
    for _ in range(random_.randrange(1, 12)):
        sign = random_.choice([b"(", b")", b"'", b'"', b"&", b";", b"!", b"\0", b"\r", b"#", b"\t"])
        place = random_.randrange(len(changed))
        changed[place:place] = sign
    return bytes(changed)


DAMAGES: tuple[Callable[[random.Random, bytes], bytes], ...] = (
    cut, flipped, shuffled, thinned, repeated, spliced, token_swapped, sprinkled,
)  # fmt: skip


def survive(folder: Path, seed: int) -> None:
    random_ = random.Random(seed)
    path = random_.choice(SOURCES)
    data = path.read_bytes()
    for _ in range(random_.randrange(1, 4)):
        data = random_.choice(DAMAGES)(random_, data) or b"\n"
    (folder / path.name).write_bytes(data)
    analysed(folder, path.name)


def analysed(folder: Path, *files: str) -> dict[str, object]:
    """The whole analysis of some files; lines must exist, and nothing may be written."""
    before = sorted(folder.rglob("*"))
    began = process_time()
    index = index_project(Manifest(root=folder, name="t", sources=files))
    assert process_time() - began < SECONDS
    assert sorted(folder.rglob("*")) == before
    for loop in index.loops:
        assert 1 <= loop.at.first <= loop.end.last
        assert (folder / loop.at.file).is_file()
    return to_json(index)


@pytest.mark.parametrize("start", range(0, 320, 40))
def test_damaged_sources_never_crash_the_analysis(tmp_path, start):
    for seed in range(start, start + 40):
        survive(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("start", range(320, 5000, 180))
def test_five_thousand_damaged_sources_never_crash_the_analysis(tmp_path, start):
    for seed in range(start, start + 180):
        survive(tmp_path, seed)


# --- extremes ------------------------------------------------------------------------------------


def in_a_loop(text: str) -> str:
    return f"subroutine s(x)\nreal :: x(9)\ndo i = 1, 9\n{text}\nend do\nend subroutine\n"


def chain_of(count: int, each: str, last: str = "") -> str:
    return "".join(each.format(i, i + 1) for i in range(count)) + last.format(count)


def sum_of_sums() -> str:
    expression = "a"
    for _ in range(90):
        expression = f"({expression}{'+b' * 190})"
    return f"x(i) = {expression}"


EXTREMES = {
    "parentheses": in_a_loop("x = " + "(" * NESTED + "a" + ")" * NESTED),
    "calls": in_a_loop("x = " + "f(" * NESTED + "a" + ")" * NESTED),
    "sum": in_a_loop("x = " + "a+" * NESTED + "a"),
    "powers": in_a_loop("x = " + "a**" * NESTED + "a"),
    "components": in_a_loop("x = " + "a%" * NESTED + "a"),
    "nots": in_a_loop("x = " + ".not." * NESTED + "a"),
    "minus": in_a_loop("x = " + "-(" * NESTED + "a" + ")" * NESTED),
    "strings joined": in_a_loop("x = " + "a//" * NESTED + "a"),
    "ands": in_a_loop("x = " + "a.and." * NESTED + "a"),
    "sums of sums": in_a_loop(sum_of_sums()),
    "long sum": in_a_loop("x(i) = " + "a+" * 190 + "a"),
    "ifs": in_a_loop("if (a) then\n" * NESTED + "x = 1\n" + "end if\n" * NESTED),
    "dos": in_a_loop("do j = 1, 2\n" * NESTED + "x = 1\n" + "end do\n" * NESTED),
    "dos left open": in_a_loop("do j = 1, 2\n" * NESTED),
    "associates": in_a_loop("associate (a => b)\n" * NESTED + "end associate\n" * NESTED),
    "else ifs": in_a_loop(
        "if (i < 0) then\n" + chain_of(100, "else if (i == {}) then\nx({}) = 1\n") + "endif"
    ),
    "interfaces": in_a_loop("interface\n" * 2000),
    "units in units": "subroutine s\ncontains\n" * 500,
    "ampersands": in_a_loop("x = 'a" + "&" * 200_000),
    "continuations": in_a_loop("x = 1 &\n" + "+ 1 &\n" * 20_000 + "+ 1"),
    "long string": in_a_loop("x = '" + "a" * 1_000_000 + "'"),
    "long line": in_a_loop("x = " + "a b " * 100_000),
    "long data": "block data\ninteger d(100000)\ndata d/" + "1," * 99_999 + "1/\nend\n",
    "quotes": in_a_loop("x = " + "'\"" * 50_001),
    "semicolons": ";" * 100_000,
    "blank lines": "\n" * 100_000,
    "chain of calls": chain_of(
        1000,
        "subroutine s{}(x)\nreal x(9)\ndo k = 1, 9\nx(k) = 1\nend do\ncall s{}(x)\nend\n",
        "subroutine s{}(x)\nreal x(9)\nx(1) = 2\nend\n",
    ),
    "chain of modules": chain_of(
        700, "module m{}\nuse m{}\nend module\n", "module m{}\nreal :: x(9)\nend module\n"
    )
    + "subroutine t\nuse m0\ndo i = 1, 3\nx(i) = x(i) + i\nend do\nend\n",
    "chain of parameters": "subroutine s\ninteger, parameter :: p0 = 1\n"
    + chain_of(700, "integer, parameter :: p{1} = p{0} + 1\n")
    + "real a(p700)\ndo i = 1, p700\na(i) = 1\nend do\nend\n",
    "chain of types": "module m\ntype t0\nreal x\nend type\n"
    + chain_of(700, "type, extends(t{}) :: t{}\nend type\n")
    + "contains\nsubroutine s(a)\ntype(t700) a(9)\ndo i = 1, 9\na(i)%x = 1\nend do\n"
    "end subroutine\nend module\n",
    "chain of statement functions": "subroutine s(y)\nreal y(9)\nf0(x) = x\n"
    + chain_of(700, "f{1}(x) = f{0}(x) + 1\n")
    + "do i = 1, 9\ny(i) = f700(1.)\nend do\nend\n",
    "chain of components": "module m\ntype t\ntype(t), allocatable :: c(:)\nreal x\nend type\n"
    "contains\nsubroutine s(a)\ntype(t) a(9)\ndo i = 1, 9\na(i)" + "%c(1)" * 150 + "%x = 1\n"
    "end do\nend subroutine\nend module\n",
    "chain of equivalences": "subroutine s\n"
    + chain_of(200, "equivalence (e{}, e{})\n")
    + "do i = 1, 2\ne0 = e1\nend do\nend\n",
    "circle of modules": "module a\nuse b\nend module\nmodule b\nuse a\nend module\n"
    "subroutine s\nuse a\nx = y\nend\n",
    "circle of types": "module m\ntype, extends(b) :: a\nend type\n"
    "type, extends(a) :: b\nend type\ncontains\nsubroutine s(x)\ntype(a) x(9)\n"
    "do i = 1, 9\nx(i)%y = 1\nend do\n"
    "end subroutine\nend module\n",
    "circle of parameters": "subroutine s\ninteger, parameter :: p = q, q = p\nreal a(p)\n"
    "do i = 1, p\na(i) = 1\nend do\nend\n",
    "circle of statement functions": "subroutine s(y)\nreal y(9)\nf(x) = g(x)\ng(x) = f(x)\n"
    "do i = 1, 9\ny(i) = f(1.)\nend do\nend\n",
    "circle of submodules": "submodule (a) b\nend submodule\nsubmodule (b) a\ncontains\n"
    "subroutine s\nx = y\nend subroutine\nend submodule\n",
}  # fmt: skip


@pytest.mark.parametrize("name", EXTREMES)
@pytest.mark.parametrize("suffix", [".f90", ".f"])
def test_extreme_sources_are_analysed_or_reported(tmp_path, name, suffix):
    text = EXTREMES[name]
    if suffix == ".f":
        text = "".join(f"      {line}\n" for line in text.split("\n"))
    (tmp_path / f"a{suffix}").write_text(text)
    limit = sys.getrecursionlimit()
    analysed(tmp_path, f"a{suffix}")
    assert sys.getrecursionlimit() == limit


@pytest.mark.parametrize("data", [b"", b"\0" * 100_000, bytes(range(256)) * 400, b"\x7fELF\1\1\1"])
@pytest.mark.parametrize("suffix", [".f90", ".F90", ".f"])
def test_what_is_no_text_is_no_model(tmp_path, data, suffix):
    (tmp_path / f"a{suffix}").write_bytes(data)
    found = analysed(tmp_path, f"a{suffix}")
    assert found["loops"] == []
    assert bool(found["problems"]) == bool(data)


# --- files ---------------------------------------------------------------------------------------


def reasons(found: dict[str, object]) -> list[str]:
    problems = found["problems"]
    assert isinstance(problems, list)
    return [f"{p['file']}:{p['line']} {p['reason']}" for p in problems]


def test_pipes_devices_folders_and_giants_are_reported_and_never_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.f90")
    (tmp_path / "zero.f90").symlink_to("/dev/zero")
    (tmp_path / "folder.f90").mkdir()
    (tmp_path / "gone.f90").symlink_to("nowhere")
    (tmp_path / "loop.f90").symlink_to("loop.f90")
    with (tmp_path / "giant.f90").open("wb") as giant:
        giant.truncate(MOST_BYTES + 1)
    (tmp_path / "good.f90").write_text(in_a_loop("x(i) = i"))
    names = [f"{n}.f90" for n in ("pipe", "zero", "folder", "gone", "loop", "giant", "good")]
    found = analysed(tmp_path, *names)
    assert [reason.split(":")[0] for reason in reasons(found)] == sorted(names[:-1])
    assert all("cannot be read" in reason for reason in reasons(found))
    loops = found["loops"]
    assert isinstance(loops, list) and [loop["verdict"] for loop in loops] == ["parallel"]


def test_includes_of_pipes_circles_and_endless_names_are_reported(tmp_path):
    os.mkfifo(tmp_path / "pipe.inc")
    (tmp_path / "loop.inc").symlink_to("loop.inc")
    (tmp_path / "a.inc").write_text("include 'b.inc'\n")
    (tmp_path / "b.inc").write_text("include 'a.inc'\n")
    names = ["pipe.inc", "loop.inc", "a.inc", "n" * 5000, "/etc/passwd", "../../../etc/passwd"]
    lines = "".join(f"include '{name}'\n" for name in names)
    (tmp_path / "a.f90").write_text(f"subroutine s\n{lines}x = 1\nend subroutine\n")
    told = reasons(analysed(tmp_path, "a.f90"))
    assert [reason.split(" ")[0] for reason in told] == [
        "a.f90:2", "a.f90:3", "a.f90:5", "a.f90:6", "a.f90:7", "b.inc:1",
    ]  # fmt: skip
    assert told[-1].endswith("includes itself")


def test_includes_that_multiply_are_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(includes, "MOST_LINES", 5000)
    for level in range(40):
        (tmp_path / f"{level}.inc").write_text(f"include '{level + 1}.inc'\n" * 2)
    (tmp_path / "40.inc").write_text("x = 1\n" * 100)
    (tmp_path / "a.f90").write_text("subroutine s\ninclude '25.inc'\nend subroutine\n")
    assert any("is left out behind" in reason for reason in reasons(analysed(tmp_path, "a.f90")))


@pytest.mark.needs("cpp")
def test_preprocessor_includes_that_multiply_or_circle_are_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(preprocessing, "_OUTPUT", 1 << 20)
    for level in range(40):
        (tmp_path / f"{level}.h").write_text(f'#include "{level + 1}.h"\n' * 2)
    (tmp_path / "40.h").write_text("x = 1\n" * 10_000)
    (tmp_path / "self.h").write_text('x = 2\n#include "self.h"\n')
    for name in ("25.h", "self.h", "n" * 5000 + ".h"):
        (tmp_path / "a.F90").write_text(f'subroutine s\n#include "{name}"\nend subroutine\n')
        assert any("the preprocessor says" in r for r in reasons(analysed(tmp_path, "a.F90")))


def test_a_file_over_its_time_is_reported_and_the_others_are_used(tmp_path, monkeypatch):
    monkeypatch.setattr(parsing, "SECONDS", -1.0)
    (tmp_path / "a.f90").write_text(in_a_loop("x(i) = i"))
    assert reasons(analysed(tmp_path, "a.f90")) == [
        "a.f90:1 the structure of subroutine 's' was not understood before the time for one file"
        " was up"
    ]


def test_trees_with_links_in_circles_are_walked_once(tmp_path):
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (inner / "back").symlink_to(tmp_path)
    (inner / "self").symlink_to("self")
    (tmp_path / "out").symlink_to("/usr")
    os.mkfifo(inner / "pipe.f90")
    (inner / "x.f90").write_text("program p\nopen (1, file='" + "n" * 5000 + "')\nend program\n")
    (inner / "loop.f90").symlink_to("loop.f90")
    assert load_manifest(tmp_path).sources == ("a/b/x.f90",)
    (tmp_path / "acclimate.toml").write_text('[model]\nsources = ["**/*.f90"]\n')
    assert load_manifest(tmp_path).sources == ("a/b/x.f90",)


def test_a_tree_of_nothing_but_pipes_is_no_model(tmp_path):
    os.mkfifo(tmp_path / "pipe.f90")
    with pytest.raises(Problem, match="no Fortran source"):
        load_manifest(tmp_path)
