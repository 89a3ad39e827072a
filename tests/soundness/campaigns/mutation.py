"""Seeded changes of one statement in a loop nest, as text of the view (one statement a line)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

# Procedures every module of mutants contains, for the mutation "callee": each does to its first
# argument what the statement did, and something more.
CALLEES = """subroutine oracle_plain(x, y)
real, intent(inout) :: x
real, intent(in) :: y
x = 0.5 * y + 0.1
end subroutine oracle_plain
subroutine oracle_adding(x, y)
real, intent(inout) :: x
real, intent(in) :: y
x = x + y
end subroutine oracle_adding
subroutine oracle_saving(x, y)
real, intent(inout) :: x
real, intent(in) :: y
real, save :: before = 0.0
x = y + before
before = y
end subroutine oracle_saving
subroutine oracle_marking(x, y)
real, intent(inout) :: x
real, intent(in) :: y
oracle_mark = y
x = oracle_mark
end subroutine oracle_marking
"""
TABLE = """integer, private :: oracle_i
integer, public :: oracle_table(-20:99) = [(1 + mod(7 * oracle_i, 5), oracle_i = 1, 120)]
real, public :: oracle_mark = 0.0"""


@dataclass(frozen=True)
class Array:
    name: str
    rank: int
    type: str  # "real", "real(kind_phys)", ...


@dataclass(frozen=True)
class Nest:
    """A loop nest: its statements, the arrays and real scalars in sight, the loops' indices."""

    lines: tuple[str, ...]
    arrays: tuple[Array, ...]
    scalars: tuple[str, ...]
    indices: tuple[str, ...]


@dataclass(frozen=True)
class Reference:
    """An array element on a line: where its argument list stands, and the arguments."""

    array: Array
    line: int
    start: int  # of the name
    end: int  # behind the closing parenthesis
    args: tuple[str, ...]


Mutation = Callable[[Nest, Random], list[str] | None]


def mutants(nest: Nest, random: Random, count: int) -> list[tuple[str, tuple[str, ...]]]:
    """At most `count` different mutants as (kind, lines)."""
    found: dict[tuple[str, ...], str] = {}
    kinds = list(MUTATIONS)
    for _ in range(6 * count):
        if len(found) == count:
            break
        kind = random.choice(kinds)
        changed = MUTATIONS[kind](nest, random)
        if changed is not None and tuple(changed) != nest.lines:
            found.setdefault(tuple(changed), kind)
    return [(kind, lines) for lines, kind in found.items()]


def references(nest: Nest) -> list[Reference]:
    known = {array.name: array for array in nest.arrays}
    return [
        Reference(known[name], number, start, end, args)
        for number, line in enumerate(nest.lines)
        if _is_assignment(line)
        for name, start, end, args in _elements(line, known)
    ]


def _elements(line: str, known: dict[str, Array]) -> list[tuple[str, int, int, tuple[str, ...]]]:
    found = []
    for match in re.finditer(r"(?<![\w%])([a-z_]\w*)\s*\(", line, re.IGNORECASE):
        array = known.get(match[1].lower())
        if array is None:
            continue
        end, args = _arguments(line, match.end() - 1)
        if len(args) == array.rank and not any(":" in arg for arg in args):
            found.append((array.name, match.start(), end, args))
    return found


def _arguments(line: str, opening: int) -> tuple[int, tuple[str, ...]]:
    depth, start, args = 0, opening + 1, []
    for at in range(opening, len(line)):
        if line[at] == "(":
            depth += 1
        elif line[at] == ")":
            depth -= 1
            if depth == 0:
                return at + 1, (*args, line[start:at].strip())
        elif line[at] == "," and depth == 1:
            args.append(line[start:at].strip())
            start = at + 1
    return len(line), ()


_ASSIGNMENT = re.compile(r"[a-z_]\w*\s*(\(.*\))?\s*=[^=]", re.IGNORECASE)


def _is_assignment(line: str) -> bool:
    text = re.sub(r"(?i)^if\s*\(.*?\)\s*(?=[a-z])", "", line)
    return _ASSIGNMENT.match(text) is not None and not re.match(r"(?i)(do|if|call)\b", text)


def _replaced(nest: Nest, at: Reference, name: str, args: Sequence[str]) -> list[str]:
    lines = list(nest.lines)
    line = lines[at.line]
    lines[at.line] = f"{line[: at.start]}{name}({','.join(args)}){line[at.end :]}"
    return lines


def _is_real(array: Array) -> bool:
    return array.type.startswith("real")


def _on_argument(change: Callable[[str, Random], str]) -> Mutation:
    def mutate(nest: Nest, random: Random) -> list[str] | None:
        places = references(nest)
        if not places:
            return None
        at = random.choice(places)
        args = list(at.args)
        which = random.randrange(len(args))
        args[which] = change(args[which], random)
        return _replaced(nest, at, at.array.name, args)

    return mutate


def _swapped_subscripts(nest: Nest, random: Random) -> list[str] | None:
    places = [at for at in references(nest) if len(at.args) > 1]
    if not places:
        return None
    at = random.choice(places)
    args = list(at.args)
    first, second = random.sample(range(len(args)), 2)
    args[first], args[second] = args[second], args[first]
    return _replaced(nest, at, at.array.name, args)


def _renamed(nest: Nest, random: Random) -> list[str] | None:
    places = references(nest)
    if not places:
        return None
    at = random.choice(places)
    same = [a for a in nest.arrays if (a.rank, a.type) == (at.array.rank, at.array.type)]
    return _replaced(nest, at, random.choice(same).name, at.args)


def _simple(nest: Nest) -> list[int]:
    return [number for number, line in enumerate(nest.lines) if _is_assignment(line)]


def _deleted(nest: Nest, random: Random) -> list[str] | None:
    places = _simple(nest)
    if len(places) < 2:
        return None
    lines = list(nest.lines)
    lines[random.choice(places)] = "continue"
    return lines


def _swapped_statements(nest: Nest, random: Random) -> list[str] | None:
    places = _simple(nest)
    pairs = [(a, b) for a in places for b in places if a < b <= a + 6]
    if not pairs:
        return None
    first, second = random.choice(pairs)
    lines = list(nest.lines)
    lines[first], lines[second] = lines[second], lines[first]
    return lines


def _guarded(nest: Nest, random: Random) -> list[str] | None:
    places = [n for n in _simple(nest) if not nest.lines[n].lower().startswith("if")]
    if not places or not nest.indices:
        return None
    lines = list(nest.lines)
    number = random.choice(places)
    index = random.choice(nest.indices)
    guards = [f"mod({index},2)==0", f"{index}>2"]
    values = [at for at in references(nest) if at.line == number and _is_real(at.array)]
    if values:
        at = random.choice(values)
        guards.append(f"{at.array.name}({','.join(at.args)})>0.9")
    lines[number] = f"if ({random.choice(guards)}) {lines[number]}"
    return lines


_DO = re.compile(r"(?i)^((?:\w+\s*:\s*)?do\s+\w+\s*=\s*)([^,]+),([^,]+)$")


def _bounds(nest: Nest, random: Random) -> list[str] | None:
    places = [n for n, line in enumerate(nest.lines) if _DO.match(line)]
    if not places:
        return None
    number = random.choice(places)
    found = _DO.match(nest.lines[number])
    assert found is not None
    head, first, last = found.groups()
    bounds = random.choice(
        [f"{first}+1,{last}", f"{first},{last}-1", f"{first},{last},2", f"{last},{first},-1"]
    )
    lines = list(nest.lines)
    lines[number] = head + bounds
    return lines


def _to_scalar(nest: Nest, random: Random) -> list[str] | None:
    """An element becomes a scalar, read or written."""
    places = [at for at in references(nest) if _is_real(at.array)]
    if not places or not nest.scalars:
        return None
    at = random.choice(places)
    lines = list(nest.lines)
    line = lines[at.line]
    lines[at.line] = line[: at.start] + random.choice(nest.scalars) + line[at.end :]
    return lines


def _callee(nest: Nest, random: Random) -> list[str] | None:
    places = [at for at in references(nest) if at.array.type == "real"]
    targets = [at for at in places if nest.lines[at.line][: at.start].strip() == ""]
    if not targets:
        return None
    at, value = random.choice(targets), random.choice(places)
    name = random.choice(["plain", "adding", "saving", "marking"])
    first = f"{at.array.name}({','.join(at.args)})"
    second = f"{value.array.name}({','.join(value.args)})"
    lines = list(nest.lines)
    lines[at.line] = f"call oracle_{name}({first},{second})"
    return lines


MUTATIONS: dict[str, Mutation] = {
    "shift": _on_argument(lambda arg, random: arg + random.choice(["+1", "-1", "-1", "+2"])),
    "constant": _on_argument(lambda arg, random: random.choice(["1", "2", "3"])),
    "indirect": _on_argument(lambda arg, random: f"oracle_table({arg})"),
    "swap-subscripts": _swapped_subscripts,
    "rename": _renamed,
    "delete": _deleted,
    "swap-statements": _swapped_statements,
    "guard": _guarded,
    "bounds": _bounds,
    "scalar": _to_scalar,
    "callee": _callee,
}
