"""What keeps a procedure from being proved the same by reading, whatever its effects look like.

The effects say what was read of a procedure; here stands what they leave out. A reason here is no
defect: the runs have to answer then.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Do, Symbol, Unit, UnitKind
from acclimate.analysis.names.resolution import Intrinsic, Variable
from acclimate.analysis.project import Project
from acclimate.analysis.switches import FUNCTION
from acclimate.verifier.structure.effects import Around, Behaviour, Effect, Kind
from acclimate.verifier.structure.evaluations import left_in, read_by_functions
from acclimate.verifier.structure.rewrites.aliases import Aliases
from acclimate.verifier.structure.written import own_variables, written_in
from acclimate.verifier.texts.statements import Statement

_TYPES = frozenset({"integer", "real", "logical", "complex", "doubleprecision", "double"})
_TELLING = frozenset(
    {  # fmt: skip
        "save",
        "pointer",
        "target",
        "parameter",
        "intent",
        "optional",
        "value",
        "external",
        "volatile",
        "allocatable",
        "=",
        "/",
    }
)
_ALWAYS = frozenset({"format", "data", "entry", "namelist", "include", "save"})


@dataclass(frozen=True, slots=True)
class Side:
    """One version of a procedure: as read, what it does, and its statements as written."""

    project: Project
    unit: Unit
    behaviour: Behaviour
    statements: Sequence[Statement]
    variables: frozenset[str]  # of the names with parentheses behind them


def reasons(old: Side, new: Side) -> Iterator[str]:
    """Why equal effects do not prove the two the same."""
    yield from _unread(old, new)
    yield from _declared(old, new)
    if old.behaviour.reallocated != new.behaviour.reallocated:
        yield "an allocatable array is assigned as a whole in one of the two only"
    if old.behaviour.unending != new.behaviour.unending:
        yield "a loop that may not end, or by a step that may be zero, is in one of the two only"
    if not _are_evaluated(new.behaviour.evaluated, old.behaviour.evaluated):
        yield "what may fail is evaluated where the original does not evaluate it"
    if left_in(old.unit, _watched(old)) != left_in(new.unit, _watched(new)):
        yield "a loop counts in a variable that others see"
    if _called(old) != _called(new):
        yield "functions are called at other places or another number of times"


def _unread(old: Side, new: Side) -> Iterator[str]:
    if not (old.behaviour.is_plain and new.behaviour.is_plain):
        yield "a statement in it was not read, or jumps"
    for side in (old, new):
        if any(_is_variable(side, name) for name in read_by_functions(side.unit)):
            yield "a statement function reads variables besides its arguments"
        if side.unit.equivalences or side.behaviour.pointing:
            yield "it has pointers, targets or EQUIVALENCE: two names may mean one variable"
        written = {name.split("%", maxsplit=1)[0] for name in written_in(side.unit.body)}
        if pair := Aliases(side.project, side.unit).pair(side.unit.mentioned, written):
            yield f"a call may make '{pair[0]}' and '{pair[1]}' one variable"
        if any(s.text.lstrip().startswith(("!$", "C$", "c$", "*$")) for s in _behind(side)):
            yield "OpenMP divides its loops: what threads share is not compared"


def _is_variable(side: Side, name: str) -> bool:
    meaning = side.project.resolve(side.unit, name)
    return isinstance(meaning, Variable) and not meaning.symbol.is_parameter


def _are_evaluated(now: Collection[tuple[int, Around]], was: Iterable[tuple[int, Around]]) -> bool:
    """Whether the original evaluates all that may fail wherever the port does."""
    known: dict[int, list[Around]] = {}
    for number, around in was:
        known.setdefault(number, []).append(around)
    return all(any(each <= around for each in known.get(number, ())) for number, around in now)


def _watched(side: Side) -> frozenset[str]:
    """Indices whose value behind a loop is seen by something that does not name them there."""
    indices = {s.index for s in inside(side.unit.body) if isinstance(s, Do) and s.index is not None}
    listed = {name for group in side.unit.namelists.values() for name in group}
    return frozenset(indices - (_unseen(side.unit) - listed))


def _called(side: Side) -> Counter[str]:
    """How often each procedure or array that may be a function is applied."""
    words = [statement.tokens for statement in _behind(side)]
    functions = side.unit.applied - side.variables
    return Counter(
        word
        for tokens in words
        for word, behind in zip(tokens, tokens[1:], strict=False)
        if behind == "(" and word in functions and not _is_intrinsic(side, word)
    )


def _is_intrinsic(side: Side, word: str) -> bool:
    """One of those that change nothing, and no procedure of that name."""
    return word in _PURE and isinstance(side.project.resolve(side.unit, word), Intrinsic)


_PURE = frozenset(
    {  # fmt: skip
        "abs",
        "sqrt",
        "exp",
        "log",
        "sin",
        "cos",
        "tan",
        "min",
        "max",
        "mod",
        "real",
        "dble",
        "int",
        "nint",
        "sum",
        "lbound",
        "ubound",
        "size",
        "sign",
        "merge",
        "any",
        "all",
        "minval",
        "maxval",
        "floor",
        "ceiling",
        "present",
        "atan",
        "atan2",
    }
)


def _specification(side: Side) -> list[Statement]:
    end = side.unit.specification_end
    return [s for s in side.statements if s.at.file == end.file and s.at.last <= end.last]


def _behind(side: Side) -> list[Statement]:
    end = side.unit.specification_end
    return [s for s in side.statements if s.at.file != end.file or s.at.last > end.last]


def _declared(old: Side, new: Side) -> Iterator[str]:
    was = Counter(_key(s) for s in _specification(old))
    now = Counter(_key(s) for s in _specification(new))
    if old.unit.kind is UnitKind.MODULE and was != now:
        yield "the module's declarations differ"
        return
    for _, tokens in (was - now) + (now - was):
        if not _is_plain(tokens):
            yield f"a declaration differs: '{' '.join(tokens)[:60]}'"
    for one, other in ((old, new), (new, old)):
        own = _unseen(one.unit)
        for name, symbol in one.unit.symbols.items():
            if name == FUNCTION and not any(FUNCTION in s.tokens for s in one.statements):
                continue  # directives alone ask it
            twin = other.unit.symbols.get(name)
            if twin is None and (name in other.unit.mentioned or name not in own):
                yield f"'{name}' is declared in one of the two only"
            elif twin is not None and _meaning(symbol) != _meaning(twin):
                yield f"'{name}' is declared in another way"
    for part in ("args", "result", "prefixes", "statement_functions", "implicit", "entries"):
        if repr(getattr(old.unit, part)) != repr(getattr(new.unit, part)):
            yield f"its {part.replace('_', ' ')} differ"
    if [s.tokens for s in _behind(old) if _tells(s)] != [
        s.tokens for s in _behind(new) if _tells(s)
    ]:
        yield "a FORMAT, DATA or the like differs"


def _unseen(unit: Unit) -> set[str]:
    """Variables that no other procedure, contained ones included, can mean by their name."""
    own = own_variables(replace(unit, kind=UnitKind.SUBROUTINE))
    inner = unit.units.values()
    return {n for n in own if not any(n in one.mentioned - set(one.symbols) for one in inner)}


def _key(statement: Statement) -> tuple[str | None, tuple[str, ...]]:
    return statement.label, statement.tokens


def _is_plain(tokens: tuple[str, ...]) -> bool:
    return bool(tokens) and tokens[0] in _TYPES and not _TELLING & set(tokens)


def _tells(statement: Statement) -> bool:
    is_directive = statement.text.lstrip().startswith(("!", "$", "#"))
    return is_directive or (bool(statement.tokens) and statement.tokens[0] in _ALWAYS)


def _meaning(symbol: Symbol) -> tuple[object, ...]:
    return (
        symbol.type,
        symbol.kind,
        repr(symbol.dims),
        symbol.attributes,
        symbol.intent,
        symbol.common,
        repr(symbol.initial),
    )


def as_written(was: Effect, now: Effect, before: Sequence[str], after: Sequence[str]) -> bool:
    """Whether two effects that seem equal are so in what their values leave out."""
    if was.proof != now.proof:
        return False
    if (was.value.stale or now.value.stale) and was.versioned.exact != now.versioned.exact:
        return False
    if was.kind is Kind.ASSIGNMENT and not was.acts and not now.acts:
        return True
    return tuple(before) == tuple(after)
