"""Perfectly nested loops in another order: the same, if no dependence is turned round."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from acclimate.analysis.ir import Binary, Do, DoKind, Expr, Literal, Name, Unary, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.verifier.structure.rewrites.aliases import Aliases
from acclimate.verifier.structure.rewrites.directions import Nest, carried, turned
from acclimate.verifier.structure.rewrites.liveness import (
    Flow,
    Place,
    first_use,
    is_live_after,
    names_of,
)
from acclimate.verifier.structure.rewrites.references import NotUnderstood, Reader, Reference
from acclimate.verifier.texts.statements import Statement

_ENDS = (("end", "do"), ("enddo",))


@dataclass(frozen=True, slots=True)
class Loops:
    """A nest as written: headers, statements in the innermost loop, and OpenMP's directives.

    `shared` is the index of the loop whose iterations OpenMP divides, if there is one.
    """

    headers: tuple[tuple[str, ...], ...]
    body: tuple[tuple[str, ...], ...]
    directives: tuple[tuple[str, ...], ...]
    shared: str | None


def interchanged(
    project: Project, unit: Unit, place: Place, was: Loops, now: Loops, aliases: Aliases
) -> str:
    """Why loops of the original at `place` may do something else in another order; "" if not.

    Bounds are the same for all iterations, cost nothing and cannot fail; the body only assigns,
    branches and loops; scalars in it are set before they are read in every iteration, and either
    set by the last one or not used behind the loops; of arrays, no two references are turned round.
    """
    if was.body != now.body or Counter(was.headers) != Counter(now.headers):
        return "the statements in the loops differ"
    if was.directives != now.directives or was.shared != now.shared:
        return "OpenMP divides another loop"
    chain = _chain(place, len(was.headers))
    if chain is None or tuple(loop.index for loop in chain) != tuple(
        _index(h) for h in was.headers
    ):
        return "the loops are not perfectly nested"
    try:
        return _Interchange(project, unit, place, chain, aliases).reason(now)
    except NotUnderstood as error:
        return str(error)


def loops_of(statements: Sequence[Statement]) -> Loops | None:
    """The statements of one nest, with the directives of OpenMP around one of its loops."""
    plain: list[tuple[str, ...]] = []
    directives: list[tuple[str, ...]] = []
    shared: str | None = None
    waiting = False
    for statement in statements:
        words = statement.tokens
        if words[:1] == ("!$omp",):
            directives.append(words)
            waiting = words[1:2] == ("do",)
            continue
        if statement.label is not None or statement.text.startswith(("#", "!")):
            return None
        if waiting:
            shared, waiting = _index(words), False
        plain.append(words)
    depth = 0
    while depth < len(plain) and _index(plain[depth]) is not None:
        depth += 1
    ends = plain[len(plain) - depth :]
    if not depth or len(plain) < 2 * depth or any(words not in _ENDS for words in ends):
        return None
    if directives and not _divides_one_loop(directives):
        return None
    headers, body = tuple(plain[:depth]), tuple(plain[depth : len(plain) - depth])
    return Loops(headers, body, tuple(directives), shared)


def _index(words: Sequence[str]) -> str | None:
    return words[1] if len(words) > 3 and words[0] == "do" and words[2] == "=" else None


def _divides_one_loop(directives: Sequence[tuple[str, ...]]) -> bool:
    """`omp do`, with clauses that only say how and what each thread has of its own."""
    if len(directives) != 2 or directives[1] not in (("!$omp", "end", "do"), ("!$omp", "enddo")):
        return False
    depth, clauses = 0, []
    for word in directives[0][2:]:
        if not depth and word not in "(),":
            clauses.append(word)
        depth += (word == "(") - (word == ")")
    return directives[0][1] == "do" and {*clauses} <= {"schedule", "private"}


def _chain(place: Place, depth: int) -> tuple[Do, ...] | None:
    level = place[-1]
    statement = level.siblings[level.index]
    chain: list[Do] = []
    while isinstance(statement, Do) and len(chain) < depth:
        chain.append(statement)
        if len(statement.body) != 1:
            break
        statement = statement.body[0]
    return tuple(chain) if len(chain) == depth else None


@dataclass(frozen=True, slots=True)
class _Interchange:
    project: Project
    unit: Unit
    place: Place
    chain: tuple[Do, ...]
    aliases: Aliases

    def reason(self, now: Loops) -> str:
        body = self.chain[-1].body
        references = list(Reader(self.project, self.unit).statements(body))
        written = frozenset(r.base for r in references if r.is_write)
        indices = tuple(loop.index or "" for loop in self.chain)
        order = tuple(_index(header) or "" for header in now.headers)
        if len({*indices}) != len(indices) or written & {*indices}:
            return "an index is assigned in the loops"
        return (
            self._headers(written, indices)
            or self._indices(indices)
            or self._scalars(references)
            or self._arrays(references, indices, order, now.shared, written)
        )

    # --- loops -----------------------------------------------------------------------------------

    def _headers(self, written: frozenset[str], indices: Sequence[str]) -> str:
        for loop in self.chain:
            if loop.kind is not DoKind.COUNTED or loop.name or loop.label or loop.shared_terminal:
                return "a loop has a name or a label"
            if loop.step is not None and _step(loop.step) is None:
                return f"which way '{loop.index}' counts is not known"
            for bound in (loop.first, loop.last):
                if bound is None or not self._is_simple(bound):
                    return f"the bounds of '{loop.index}' are no sums of variables and constants"
                if {*names_of(bound)} & (written | {*indices}):
                    return f"the bounds of '{loop.index}' change in the loops"
        return ""

    def _is_simple(self, bound: Expr) -> bool:
        """Whether it may be evaluated where the original does not evaluate it."""
        match bound:
            case Literal():
                return bound.value is not None
            case Unary(op="+" | "-"):
                return self._is_simple(bound.operand)
            case Binary(op="+" | "-" | "*"):
                return self._is_simple(bound.left) and self._is_simple(bound.right)
            case Name():
                list(Reader(self.project, self.unit).value(bound))
                meaning = self.project.resolve(self.unit, bound.id)
                if not isinstance(meaning, Variable) or meaning.symbol.is_array:
                    return False
                attributes = meaning.symbol.attributes & {"optional", "allocatable"}
                return meaning.symbol.type == "integer" and not attributes
        return False

    def _indices(self, indices: Sequence[str]) -> str:
        """Where one of the loops does not run, the indices of others stay what they were."""
        for index in indices:
            symbol = self.unit.symbols.get(index)
            if symbol is None or symbol.type != "integer":
                return f"'{index}' is no integer of the procedure's own"
            if is_live_after(self.unit, self.place, index):
                return f"the value that is left in '{index}' may be read"
        return ""

    # --- what the body writes --------------------------------------------------------------------

    def _scalars(self, references: Sequence[Reference]) -> str:
        body = self.chain[-1].body
        for name in sorted({r.path for r in references if r.is_write and r.subscripts == ()}):
            if "%" in name:
                return f"'{name}' is assigned in every iteration"
            use = first_use(body, name)
            if use is Flow.READ:
                return f"'{name}' is carried from one iteration to the next"
            if use is Flow.UNTOUCHED and is_live_after(self.unit, self.place, name):
                return f"which iteration sets '{name}' last depends on the order of the loops"
        return ""

    def _arrays(
        self,
        references: Sequence[Reference],
        indices: tuple[str, ...],
        order: tuple[str, ...],
        shared: str | None,
        written: frozenset[str],
    ) -> str:
        arrays = [r for r in references if r.subscripts != ()]
        names = {r.base for r in references} | self._in_bounds()
        if pair := self.aliases.pair(names, written):
            return f"'{pair[0]}' and '{pair[1]}' may be one variable"
        forward = {
            loop.index or "": loop.step is None or (_step(loop.step) or 1) > 0
            for loop in self.chain
        }
        nest = Nest(indices, forward, written)
        if name := turned(nest, order, arrays):
            return f"iterations that meet in '{name}' may change their order"
        if shared is not None and (name := carried(nest, shared, arrays)):
            return f"threads may meet in '{name}'"
        return ""

    def _in_bounds(self) -> frozenset[str]:
        bounds = (b for loop in self.chain for b in (loop.first, loop.last) if b is not None)
        return frozenset(name for bound in bounds for name in names_of(bound))


def _step(expr: Expr) -> int | None:
    """The step of a loop where it is a constant, and not zero."""
    match expr:
        case Literal():
            return expr.value or None
        case Unary(op="-", operand=Literal() as operand):
            return -operand.value if operand.value else None
    return None
