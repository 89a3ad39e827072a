"""A procedure that was rewritten in places: is every place proved to do what stood there?

What is equal token by token needs no proof. Of what is left, each place has to be one of the
rewrites known here, proved to leave every variable that is read later as the original leaves it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from acclimate.analysis.ir import (
    Assignment,
    Associate,
    Component,
    Do,
    Expr,
    Forall,
    If,
    Name,
    Unit,
    UnitKind,
    Where,
)
from acclimate.analysis.ir import Statement as Node
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.rewrites.aliases import Aliases
from acclimate.verifier.structure.rewrites.array_loops import written_out
from acclimate.verifier.structure.rewrites.hoisting import Kept, kept_conditions, unfolded
from acclimate.verifier.structure.rewrites.interchange import interchanged, loops_of
from acclimate.verifier.structure.rewrites.liveness import Level, Place, is_own, names_of
from acclimate.verifier.texts.statements import Statement

_TYPES = (("integer",), ("logical",))
_NOT_READ = ("include", "#include", "#define", "#undef")


@dataclass(frozen=True, slots=True)
class Written:
    """A procedure as read and as written: its own statements, in order."""

    project: Project
    unit: Unit
    statements: tuple[Statement, ...]

    def between(self, first: int, last: int) -> range | None:
        """Positions of the statements on these lines; None where one reaches beyond them."""
        found = [
            n for n, s in enumerate(self.statements) if s.at.first <= last and s.at.last >= first
        ]
        whole = all(first <= self.statements[n].at.first for n in found)
        whole = whole and all(self.statements[n].at.last <= last for n in found)
        return range(found[0], found[-1] + 1) if found and whole else None


@dataclass(frozen=True, slots=True)
class Rewrite:
    """One place where the port differs, and what was done there."""

    at: Lines
    original: Lines
    detail: str


@dataclass
class Rewrites:
    """The places of one procedure that were rewritten; `open` says what is not proved there."""

    was: Written
    now: Written
    proved: list[Rewrite] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    _replaced: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    _kept: dict[str, Kept] = field(default_factory=dict)

    def are_all_proved(self) -> bool:
        """Whether every difference is a rewrite that is proved."""
        was, now = self.was.unit, self.now.unit
        if was.kind not in (UnitKind.SUBROUTINE, UnitKind.FUNCTION, UnitKind.PROGRAM):
            return False
        if any(s.tokens[:1] and s.tokens[0] in _NOT_READ for s in self.was.statements):
            return False
        aliases = Aliases(self.was.project, was)
        self._kept = kept_conditions(self.now.project, was, now, Aliases(self.now.project, now))
        for place, node in self._differing(was.body, now.body, (), None):
            if reason := self._judged(place, node, aliases):
                self.open.append(reason)
                return False
        for kept in self._kept.values():
            self._replaced[1].update(_span(self.now, kept.definition) or ())
        return self._is_rest_equal()

    def _is_rest_equal(self) -> bool:
        """Whether all that was not rewritten is the same, token by token, directives included."""
        fresh = {
            n
            for n, s in enumerate(self.now.statements)
            if self._only_declares(s) or self._only_names(s)
        }
        if not self.proved and not fresh:
            return False
        rest = [
            [(s.label, s.tokens) for n, s in enumerate(side.statements) if n not in gone]
            for side, gone in (
                (self.was, self._replaced[0]),
                (self.now, self._replaced[1] | fresh),
            )
        ]
        return rest[0] == rest[1]

    def _only_declares(self, statement: Statement) -> bool:
        """Whether it declares plain variables that the original does not name."""
        end, words = self.now.unit.specification_end, statement.tokens
        if statement.at.last > end.last or statement.label or words[:1] not in _TYPES:
            return False
        names = words[2::2]
        if words[1:2] != ("::",) or not names or {*words[3::2]} - {","} or len(words) % 2 == 0:
            return False
        old, new = self.was.unit, self.now.unit
        known = {*old.mentioned, *old.symbols, *old.args}
        return all(name not in known and is_own(new, name) for name in names)

    def _only_names(self, statement: Statement) -> bool:
        """Whether it gives a variable of a module a name that the original does not mention."""
        words, unit = statement.tokens, self.was.unit
        if len(words) != 8 or (words[0], *words[2:5], words[6]) != ("use", ",", "only", ":", "=>"):
            return False
        known = {*unit.mentioned, *unit.symbols, *unit.args}
        known |= {name for inner in unit.units.values() for name in inner.mentioned}
        meaning = self.now.project.resolve(self.now.unit, words[5])
        return words[5] not in known and isinstance(meaning, Variable) and not statement.label

    def _judged(self, place: Place, node: Node, aliases: Aliases) -> str:
        level = place[-1]
        old = level.siblings[level.index]
        if isinstance(old, Assignment | Where | Forall) and isinstance(node, Do):
            return self._written_out(old, node, aliases)
        if not isinstance(old, Do) or not isinstance(node, Do):
            return "a statement was changed"
        spans = _span(self.was, old), _span(self.now, node)
        if spans[0] is None or spans[1] is None:
            return "its lines are not its own"
        one, other = _with_directives(self.was, spans[0]), _with_directives(self.now, spans[1])
        before = loops_of([self.was.statements[n] for n in one])
        after = loops_of([self.now.statements[n] for n in other])
        if before is None or after is None:
            return "its loops are not plain ones"
        project, unit = self.was.project, self.was.unit
        reason = interchanged(project, unit, place, before, after, aliases)
        if not reason:
            self._replaced[0].update(one)
            self._replaced[1].update(other)
            text = f"loops interchanged: '{' '.join(after.headers[0])}' is the outermost now"
            self.proved.append(Rewrite(node.at, old.at, text))
        return reason

    def _written_out(self, old: Node, node: Do, aliases: Aliases) -> str:
        one, other = _span(self.was, old), _span(self.now, node)
        if not (one and other and _is_all(self.was, one, old) and _is_all(self.now, other, node)):
            return "its lines are not its own"
        if any(s.text.startswith(("!", "c$", "C$", "*$")) for s in self.was.statements):
            return "OpenMP divides the work"
        was, now = (self.was.project, self.was.unit), (self.now.project, self.now.unit)
        reason = written_out(was, now, old, node, aliases)
        if not reason:
            self._replaced[0].update(one)
            self._replaced[1].update(other)
            text = "an array statement as loops over its elements"
            self.proved.append(Rewrite(node.at, old.at, text))
        return reason

    def _differing(
        self, olds: Sequence[Node], all_new: Sequence[Node], outside: Place, owner: Node | None
    ) -> Iterator[tuple[Place, Node]]:
        """The innermost constructs that differ, each with its place in the original."""
        definitions = {id(kept.definition) for kept in self._kept.values()}
        news = [node for node in all_new if id(node) not in definitions and not self._is_idle(node)]
        if len(olds) != len(news):
            return  # not equal in the end, since nothing is proved here
        for n, (old, new) in enumerate(zip(olds, news, strict=True)):
            place = (*outside, Level(olds, n, owner))
            if _words(self.was, old) == _words(self.now, new):
                continue
            if isinstance(old, Do) and isinstance(new, Do) and self._have_one_head(old, new):
                yield from self._differing(old.body, new.body, place, old)
            elif isinstance(old, If) and isinstance(new, If) and self._have_one_condition(old, new):
                for a, b in zip(old.branches, new.branches, strict=True):
                    yield from self._differing(a.body, b.body, place, old)
            else:
                yield place, new

    def _is_idle(self, node: Node) -> bool:
        """Whether it is an ASSOCIATE of variables with nothing but directives in it."""
        if not isinstance(node, Associate) or node.body:
            return False
        if not all(_is_variable(self.now, selector) for _, selector in node.associations):
            return False
        span = _span(self.now, node)
        if span is None or len(span) != 2 or any(self.now.statements[n].label for n in span):
            return False
        self._replaced[1].update(span)
        return True

    def _have_one_head(self, old: Do, new: Do) -> bool:
        return _head(self.was, old.at) == _head(self.now, new.at) != ()

    def _have_one_condition(self, old: If, new: If) -> bool:
        """Whether the branches ask the same, at once or kept in a variable of the port's."""
        if len(old.branches) != len(new.branches) or not old.is_construct or not new.is_construct:
            return False
        for a, b in zip(old.branches, new.branches, strict=True):
            if _head(self.was, a.at) == _head(self.now, b.at):
                continue
            if a.condition is None or b.condition is None:
                return False
            if not {*names_of(b.condition)} & {*self._kept}:
                return False
            if (
                a.condition != unfolded(b.condition, self._kept)
                or a.at.file != self.was.unit.at.file
            ):
                return False
            was = self.was.between(a.at.first, a.at.last)
            now = self.now.between(b.at.first, b.at.last)
            if not (was and now and _is_one_condition(self.was, was)):
                return False
            if not _is_one_condition(self.now, now):
                return False
            self._replaced[0].update(was)
            self._replaced[1].update(now)
            self.proved.append(Rewrite(b.at, a.at, "the condition is kept in a variable"))
        return True


def _is_one_condition(side: Written, span: range) -> bool:
    """Whether it is one IF THEN or ELSE IF THEN without a name."""
    if len(span) != 1:
        return False
    statement = side.statements[span.start]
    opens = statement.tokens[:1] in (("if",), ("elseif",)) or statement.tokens[:2] == ("else", "if")
    return opens and statement.tokens[-1:] == ("then",) and statement.label is None


def _span(side: Written, node: Node) -> range | None:
    if node.at.file != side.unit.at.file:
        return None
    return side.between(node.at.first, getattr(node, "end", node.at).last)


def _with_directives(side: Written, span: range) -> range:
    """With the directives of OpenMP that stand directly before and behind a loop."""
    first, last = span.start, span.stop
    if first and side.statements[first - 1].tokens[:2] == ("!$omp", "do"):
        first -= 1
        if last < len(side.statements) and _ends_omp_do(side.statements[last]):
            last += 1
    return range(first, last)


def _ends_omp_do(statement: Statement) -> bool:
    return statement.tokens[:2] == ("!$omp", "enddo") or statement.tokens[:3] == (
        "!$omp",
        "end",
        "do",
    )


def _words(side: Written, node: Node) -> list[tuple[str | None, tuple[str, ...]]]:
    span = _span(side, node) or range(0)
    found = [side.statements[n] for n in span]
    return [(s.label, s.tokens) for s in found if s.tokens[:1] != ("!$omp",)]


def _is_variable(side: Written, expr: Expr) -> bool:
    """Whether it is a variable, or a component of one, that is there without a pointer."""
    if isinstance(expr, Component):
        symbol = side.project.component(side.unit, expr)
        if not _is_variable(side, expr.base):
            return False
    else:
        meaning = side.project.resolve(side.unit, expr.id) if isinstance(expr, Name) else None
        symbol = meaning.symbol if isinstance(meaning, Variable) else None
    return symbol is not None and not symbol.attributes & {"pointer", "optional"}


def _is_all(side: Written, span: range, node: Node) -> bool:
    """Whether the statements of a construct, without labels, are all there is on its lines."""
    found = [side.statements[n] for n in span]
    plain = all(s.label is None and not s.text.startswith(("#", "!")) for s in found)
    return plain and len(found) == _count(node)


def _count(node: Node) -> int:
    """How many statements a construct of assignments has; 0 is none of them."""
    match node:
        case Assignment():
            return 1
        case Do():
            return 2 + sum(map(_count, node.body))
        case If() | Where() if not node.is_construct:
            return 1
        case If() | Where():
            inner = sum(_count(each) for branch in node.branches for each in branch.body)
            return 1 + len(node.branches) + inner
        case Forall():
            return 1 if node.end == node.at else 2 + sum(map(_count, node.body))
    return 0


def _head(side: Written, at: Lines) -> tuple[str, ...]:
    span = side.between(at.first, at.last) if at.file == side.unit.at.file else None
    return side.statements[span.start].tokens if span else ()
