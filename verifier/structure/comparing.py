"""Two versions of a model, procedure by procedure: every difference with its class and answer."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, replace

from acclimate.analysis.ir import Symbol, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines
from acclimate.verifier.structure.admitting import Side, as_written, reasons
from acclimate.verifier.structure.certainty import Doubt, differs
from acclimate.verifier.structure.changes import Answer, Class, Difference
from acclimate.verifier.structure.effects import Effect, Kind
from acclimate.verifier.structure.evaluating import Evaluator, Scope
from acclimate.verifier.structure.ordering import Order, conflicts
from acclimate.verifier.structure.pairing import paired
from acclimate.verifier.structure.rewrites.proving import Rewrites, Written
from acclimate.verifier.structure.walking import behaviour
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statement_change import Rewritten, classify
from acclimate.verifier.texts.statements import statement_at

_CLASSES = {
    Rewritten.GUARD: Class.GUARD_CHANGED,
    Rewritten.GUARD_ADDED: Class.GUARD_ADDED,
    Rewritten.GUARD_DROPPED: Class.GUARD_DROPPED,
    Rewritten.BOUNDS: Class.BOUNDS,
    Rewritten.KIND: Class.KIND,
    Rewritten.WRITE_SET: Class.WRITE_SET,
    Rewritten.OPERATOR: Class.OPERATOR,
    Rewritten.TERM_ADDED: Class.TERM_ADDED,
    Rewritten.TERM_DROPPED: Class.TERM_DROPPED,
    Rewritten.CONSTANT: Class.CONSTANT,
    Rewritten.INDEX: Class.INDEX,
}


@dataclass(frozen=True, slots=True)
class Version:
    """One version of a model: its units, and its files as they are written."""

    project: Project
    files: Mapping[str, SourceFile]

    def words(self, at: Lines) -> tuple[str, ...]:
        """The tokens of the statement that stands there."""
        file = self.files.get(at.file)
        statement = statement_at(file.statements, at.first) if file is not None else None
        return statement.tokens if statement is not None else ()

    def written(self, unit: Unit) -> Written:
        """A procedure with its statements as they stand in its file."""
        file, name = self.files.get(unit.at.file), self.project.name_of(unit)
        found = (s for s in file.told if s.unit == name) if file is not None else ()
        return Written(self.project, unit, tuple(found))


def differences(
    original: Version, port: Version, changed: Set[str]
) -> dict[str, tuple[Difference, ...]]:
    """The differences of the units named; of all units where a name belongs to none.

    A unit that is in one version only is a difference of its own.
    """
    known = list(dict.fromkeys((*original.project.units, *port.project.units)))
    names = [name for name in known if name in changed] if changed <= set(known) else known
    found = {name: tuple(_compared(original, port, name)) for name in names}
    return {name: tuple(_unless_made_up(port, found, name)) for name in names}


# What another procedure may have taken over: a certain defect of the one is none if the other,
# its caller or callee, has gained this.
_MADE_UP = {
    Class.UPDATE_DROPPED: {Class.EFFECT_ADDED, Class.WRITE_SET, Class.PROCEDURE_ADDED},
    Class.GUARD_DROPPED: {Class.GUARD_ADDED, Class.GUARD_CHANGED},
    Class.TERM_DROPPED: {Class.TERM_ADDED, Class.EFFECT_ADDED, Class.PROCEDURE_ADDED},
}


def _unless_made_up(
    port: Version, found: Mapping[str, tuple[Difference, ...]], name: str
) -> Iterator[Difference]:
    units = port.project.units
    near = [
        other
        for other in found
        if other != name and name in units and other in units and _calls(units[name], units[other])
    ]
    gained = {each.kind for other in near for each in found[other]}
    for each in found[name]:
        wrong = each.answer is Answer.WRONG
        if wrong and _MADE_UP.get(each.kind, set()) & gained:
            yield replace(each, answer=Answer.ASKED)
        else:
            yield each


def _calls(one: Unit, other: Unit) -> bool:
    """Whether one of the two may call the other."""
    return other.name in one.applied or one.name in other.applied


def _compared(original: Version, port: Version, name: str) -> Iterator[Difference]:
    old, new = original.project.units.get(name), port.project.units.get(name)
    if old is not None and new is not None:
        rewrites = Rewrites(original.written(old), port.written(new))
        if rewrites.are_all_proved():
            for each in rewrites.proved:
                yield Difference(
                    Class.LOOPS, Answer.PROVED, name, each.at, each.original, each.detail
                )
        else:
            yield from _Comparison(original, port, old, new).differences()
    elif old is not None:
        text = f"'{name}' is gone"
        yield _whole(Class.PROCEDURE_DROPPED, name, old.at, old.at, text)
    elif new is not None:
        text = f"'{name}' is new"
        yield _whole(Class.PROCEDURE_ADDED, name, new.at, None, text)


def _whole(kind: Class, unit: str, at: Lines, original: Lines | None, detail: str) -> Difference:
    return Difference(kind, Answer.ASKED, unit, at, original, detail)


class _Comparison:
    def __init__(self, original: Version, port: Version, old: Unit, new: Unit) -> None:
        self.original, self.port = original, port
        self.old, self.new = old, new
        self.unit = original.project.name_of(old)
        before = behaviour(original.project, old)
        after = behaviour(port.project, new)
        self.before, self.after = before, after
        self.pairing = paired(before.effects, after.effects)
        self.doubt = Doubt(before, after, self.pairing, self._redeclared())

    def differences(self) -> Iterator[Difference]:
        found = list(self._found())
        yield from found
        if all(each.answer is Answer.PROVED for each in found):
            for reason in dict.fromkeys(reasons(self._side(True), self._side(False))):
                yield Difference(
                    Class.UNREAD, Answer.ASKED, self.unit, self.new.at, self.old.at, reason
                )

    def _side(self, is_original: bool) -> Side:
        version = self.original if is_original else self.port
        unit = self.old if is_original else self.new
        statements = [s for f in version.files.values() for s in f.told if s.unit == self.unit]
        resolve = version.project.resolve
        variables = {name for name in unit.applied if isinstance(resolve(unit, name), Variable)}
        done = self.before if is_original else self.after
        return Side(version.project, unit, done, statements, frozenset(variables))

    def _found(self) -> Iterator[Difference]:
        yield from self._declarations()
        for was, now, kind in self.pairing.equal:
            if kind is Class.REARRANGED:
                yield self._made(kind, Answer.ASKED, was, now, "equal but for rounding")
            elif kind is Class.TEMPORARY:
                yield self._made(kind, Answer.PROVED, was, now, "the same value by another name")
            if kind is not Class.REARRANGED and not self._is_as_written(was, now):
                text = f"'{self._now(now)}' is equal but for what was changed before, or for kinds"
                yield self._made(Class.REARRANGED, Answer.ASKED, was, now, text)
        yield from self._order()
        for was, now in self.pairing.alike:
            yield self._alike(was, now)
        for gone in self.pairing.dropped:
            yield self._dropped(gone)
        for effect in self.pairing.added:
            text = f"'{self._now(effect)}' is in the port only"
            yield self._made(Class.EFFECT_ADDED, Answer.ASKED, None, effect, text)

    def _is_as_written(self, was: Effect, now: Effect) -> bool:
        return as_written(was, now, self.original.words(was.at), self.port.words(now.at))

    # --- differences of effects ------------------------------------------------------------------

    def _made(
        self, kind: Class, answer: Answer, was: Effect | None, now: Effect | None, detail: str
    ) -> Difference:
        at = now.at if now is not None else self.new.at
        original = was.at if was is not None else None
        return Difference(kind, answer, self.unit, at, original, detail)

    def _was(self, effect: Effect) -> str:
        return _text(self.original.words(effect.at))

    def _now(self, effect: Effect) -> str:
        return _text(self.port.words(effect.at))

    def _alike(self, was: Effect, now: Effect) -> Difference:
        """Two effects on the same variable that differ in one thing or more."""
        same_value = was.value.number == now.value.number
        same_place = was.place == now.place
        same_guards = was.conditions == now.conditions
        same_loops = was.counters == now.counters
        if same_place and same_guards and same_loops:
            return self._other_value(was, now)
        if same_place and same_loops and same_value:
            return self._other_guard(was, now)
        if same_value and same_guards and same_loops:
            kind = Class.INDEX if was.target == now.target else Class.WRITE_SET
            wrong = kind is Class.INDEX and self.doubt.is_place_wrong(was, now)
            return self._judged(kind, wrong, was, now)
        if not same_loops:
            loops = [loop.at for loop in now.loops if loop.counter not in _counters(was)]
            found = self._judged(Class.BOUNDS, False, was, now)
            return replace(found, at=loops[0]) if loops else found
        kind = Class.GUARD_CHANGED if not same_guards else Class.VALUE
        return self._judged(kind, False, was, now)

    def _judged(self, kind: Class, wrong: bool, was: Effect, now: Effect) -> Difference:
        before, after = self._was(was), self._now(now)
        text = f"'{before}' became '{after}'" if before != after else f"'{after}'"
        answer = Answer.WRONG if wrong else Answer.ASKED
        return self._made(kind, answer, was, now, text)

    def _other_value(self, was: Effect, now: Effect) -> Difference:
        wrong = self.doubt.is_value_wrong(was, now)
        before, after = self.original.words(was.at), self.port.words(now.at)
        if wrong and self.doubt.is_other_age(was, now):
            stale = ", ".join(f"'{name}'" for name in sorted(was.value.stale))
            found = self._judged(Class.OLD_VALUE, wrong, was, now)
            text = f"{found.detail}: the original means {stale} of before its change"
            return replace(found, detail=text)
        if before != after:
            kind = _CLASSES.get(classify(before, after), Class.VALUE)
            return self._judged(kind, wrong, was, now)
        return self._through_temporary(was, now, wrong)

    def _through_temporary(self, was: Effect, now: Effect, wrong: bool) -> Difference:
        """The statement is the same, but a scalar in it was computed in another way."""
        old = [e for e in self.doubt.original.scalars if e.target in was.value.via]
        new = [e for e in self.doubt.port.scalars if e.target in now.value.via]
        for a, b in self._changed_scalars(old, new):
            kind = _CLASSES.get(classify(self.original.words(a.at), self.port.words(b.at)))
            text = f"'{self._was(a)}' became '{self._now(b)}', which '{self._now(now)}' uses"
            answer = Answer.WRONG if wrong else Answer.ASKED
            return self._made(kind or Class.VALUE, answer, a, b, text)
        return self._judged(Class.VALUE, wrong, was, now)

    def _changed_scalars(
        self, old: list[Effect], new: list[Effect]
    ) -> Iterator[tuple[Effect, Effect]]:
        pairing = paired(old, new)
        yield from pairing.alike

    def _other_guard(self, was: Effect, now: Effect) -> Difference:
        lost = [guard for guard in was.guards if guard.key not in now.conditions]
        fresh = now.conditions - was.conditions
        kind = Class.GUARD_ADDED if not lost else Class.GUARD_CHANGED
        if lost and not fresh:
            kind = Class.GUARD_DROPPED
        found = self._judged(kind, self.doubt.is_guard_wrong(was, now), was, now)
        if not lost:
            return found
        guard = _text(self.original.words(lost[0].at))
        text = f"'{self._now(now)}' stood under '{guard}' ({lost[0].at} of the original)"
        return replace(found, detail=text)

    def _dropped(self, gone: Effect) -> Difference:
        is_update = gone.kind is Kind.ASSIGNMENT
        kind = Class.UPDATE_DROPPED if is_update else Class.EFFECT_DROPPED
        wrong = is_update and self.doubt.is_drop_wrong(gone)
        text = f"'{self._was(gone)}' is gone"
        found = self._made(kind, Answer.WRONG if wrong else Answer.ASKED, gone, None, text)
        return replace(found, at=self._where_it_was(gone))

    def _where_it_was(self, gone: Effect) -> Lines:
        """The place in the port behind which the effect was dropped."""
        before = [now for was, now, _ in self.pairing.equal if was.order < gone.order]
        return max(before, key=lambda e: e.order).at if before else self.new.at

    def _order(self) -> Iterator[Difference]:
        pairs = [(was, now) for was, now, _ in self.pairing.equal]
        settled = {now.order for _, now, kind in self.pairing.equal if kind is Class.TEMPORARY}
        found = list(conflicts(pairs, settled))
        said: set[tuple[Lines, str]] = set()
        for conflict in found:
            now = conflict.second[1]
            kind = Class.ORDER if conflict.order is Order.TURNED else Class.LOOPS
            answer = Answer.ASKED
            if conflict.order is Order.TURNED and self._only_order_differs():
                answer = Answer.WRONG
            if (now.at, conflict.name) in said:
                continue
            said.add((now.at, conflict.name))
            with_whom = f"'{self._now(conflict.first[1])}' ({conflict.first[1].at})"
            if conflict.order is Order.TURNED:
                text = (
                    f"'{self._now(now)}' and {with_whom} meet in '{conflict.name}' in another order"
                )
            else:
                about = f" for '{conflict.name}'" if conflict.name else ""
                text = f"whether '{self._now(now)}' and {with_whom} keep their order{about} is open"
            yield self._made(kind, answer, conflict.second[0], now, text)
        if not found:
            yield from self._reordered(pairs)

    def _only_order_differs(self) -> bool:
        plain = self.doubt.original.is_plain and self.doubt.port.is_plain
        return plain and not self.pairing.open_port and not self.pairing.open_original

    def _reordered(self, pairs: list[tuple[Effect, Effect]]) -> Iterator[Difference]:
        """Moves and other loops that no dependence minds."""
        last = -1
        for was, now in sorted(pairs, key=lambda pair: pair[0].order):
            if [(x.counter, x.forward) for x in was.loops] != [
                (x.counter, x.forward) for x in now.loops
            ]:
                text = f"'{self._now(now)}' in other loops, with the same result"
                yield self._made(Class.LOOPS, Answer.PROVED, was, now, text)
            elif now.order < last:
                text = f"'{self._now(now)}' at another place, with the same result"
                yield self._made(Class.MOVED, Answer.PROVED, was, now, text)
            last = max(last, now.order)

    # --- declarations ----------------------------------------------------------------------------

    def _redeclared(self) -> frozenset[str]:
        both = self.old.symbols.keys() & self.new.symbols.keys()
        return frozenset(n for n in both if self._shape(self.old, n) != self._shape(self.new, n))

    def _shape(self, unit: Unit, name: str) -> tuple[object, ...]:
        version = self.original if unit is self.old else self.port
        evaluator = Evaluator(version.project, unit)
        symbol = unit.symbols[name]
        bounds = [
            None if bound is None else evaluator.value(bound, Scope()).number
            for dim in symbol.dims
            for bound in (dim.lower, dim.upper)
        ]
        return symbol.type, symbol.kind, tuple(bounds)

    def _declarations(self) -> Iterator[Difference]:
        for name in sorted(self._redeclared()):
            was, now = self.old.symbols[name], self.new.symbols[name]
            same_type = (was.type, was.kind) == (now.type, now.kind)
            kind = Class.BOUNDS if same_type else Class.KIND
            text = f"'{name}' is declared as '{_text(self.port.words(now.at))}'"
            yield Difference(kind, Answer.ASKED, self.unit, now.at, was.at, text)
        for name in sorted(self.old.symbols.keys() & self.new.symbols.keys()):
            yield from self._constant(self.old.symbols[name], self.new.symbols[name])

    def _constant(self, was: Symbol, now: Symbol) -> Iterator[Difference]:
        if was.initial is None or now.initial is None:
            return
        old = Evaluator(self.original.project, self.old).value(was.initial, Scope())
        new = Evaluator(self.port.project, self.new).value(now.initial, Scope())
        if old.number == new.number:
            return
        wrong = new.names <= old.names and differs(old, new)
        answer = Answer.WRONG if wrong else Answer.ASKED
        text = f"'{now.name}' begins with another value: '{_text(self.port.words(now.at))}'"
        yield Difference(Class.CONSTANT, answer, self.unit, now.at, was.at, text)


def _counters(effect: Effect) -> set[int]:
    return {loop.counter for loop in effect.loops}


def _text(words: tuple[str, ...]) -> str:
    """Tokens as a reader writes them, shortened."""
    text = " ".join(words)
    for old, new in ((" ( ", "("), (" (", "("), ("( ", "("), (" )", ")"), (" , ", ", ")):
        text = text.replace(old, new)
    for sign in ("*", "/", "%", ":"):
        text = text.replace(f" {sign} ", sign)
    return text if len(text) <= 90 else text[:87] + "..."
