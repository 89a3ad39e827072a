"""Asynchronous work followed through a procedure: what uses its results before a WAIT.

Only what runs behind the work for certain is judged: following ends where a branch is left, at a
jump, a label and a call, behind which anything may have been waited for.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.verifier.texts.governed import COMPUTE, GovernedLoop, governed_loops
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement

ANY = "*"  # all queues, or one that only a run knows
_TO_HOST = ("self", "host")
_ELSEWHERE = ("else", "elseif", "case", "return", "stop", "goto", "go", "cycle", "exit", "call")


@dataclass(frozen=True, slots=True)
class TooEarly:
    """`variable` is used at `at`, while the work of `directive` on it may still go on."""

    variable: str
    at: Lines
    directive: Directive


def queue_of(construct: Construct) -> str | None:
    """The number in ASYNC, empty without one; `ANY` where it is no number, None without ASYNC."""
    for clause in construct.clauses:
        if clause.name == "async":
            number = clause.args[0] if clause.args else ""
            return number if number.isdigit() or not number else ANY
    return None


def waited(construct: Construct) -> Iterator[str]:
    """The queues that a WAIT directive or clause waits for."""
    named = [clause for clause in construct.clauses if clause.name == "wait"]
    if construct.name == "wait" and not named or any(not clause.args for clause in named):
        yield ANY
    for clause in named:
        for queue in clause.args:
            yield queue if queue.isdigit() else ANY


def used_too_early(file: SourceFile) -> Iterator[TooEarly]:
    """Uses of results that nothing has waited for, by the host or by another queue."""
    yield from _Walk(file).run() if any(_is_asynchronous(d) for d in file.directives) else ()


def _is_asynchronous(directive: Directive) -> bool:
    return queue_of(parse(directive)) is not None


@dataclass(frozen=True, slots=True)
class _Work:
    """What a queue is doing to a variable; `brings`: the host gets its value by it."""

    queue: str
    directive: Directive
    brings: bool


class _Walk:
    def __init__(self, file: SourceFile) -> None:
        self.file = file
        self.kernels = [g for g in governed_loops(file) if g.region in COMPUTE]
        self.pending: dict[str, _Work] = {}
        self.unit = ""

    def run(self) -> Iterator[TooEarly]:
        both: list[Directive | Statement] = [*self.file.directives, *self.file.statements]
        for each in sorted(both, key=lambda e: (e.at.first, isinstance(e, Statement))):
            if isinstance(each, Directive):
                yield from self._directive(each)
            else:
                yield from self._statement(each)

    def _statement(self, statement: Statement) -> Iterator[TooEarly]:
        if any(kernel.contains(statement.at.first) for kernel in self.kernels):
            return
        words = statement.tokens
        left = statement.unit != self.unit or statement.label or words[:1] and words[0][0] == "#"
        if left or set(words[:1]) & set(_ELSEWHERE) or "call" in words or "goto" in words:
            self.pending, self.unit = {}, statement.unit
            return
        for name in _names(statement) & self.pending.keys():
            if self.pending[name].brings:
                yield TooEarly(name, statement.at, self.pending.pop(name).directive)

    def _directive(self, directive: Directive) -> Iterator[TooEarly]:
        construct = parse(directive)
        self._wait(set(waited(construct)))
        first = (construct.name.split() or [""])[0]
        if first not in (*COMPUTE, "update"):
            return
        kernels = [k for k in self.kernels if k.directive.at == directive.at]
        used = _updated(construct) if first == "update" else self._named(kernels)
        queue = queue_of(construct)
        for name in used & self.pending.keys():
            if self.pending[name].queue != queue:
                yield TooEarly(name, directive.at, self.pending.pop(name).directive)
        if queue is None or queue == ANY:
            return
        changed = used if first == "update" else self._written(kernels)
        brings = bool(construct.arguments(*_TO_HOST))
        self.pending |= {name: _Work(queue, directive, brings) for name in changed}

    def _wait(self, queues: set[str]) -> None:
        if queues:
            self.pending = {
                name: work
                for name, work in self.pending.items()
                if ANY not in queues and work.queue not in queues
            }

    def _inside(self, kernels: list[GovernedLoop]) -> Iterator[Statement]:
        for statement in self.file.statements:
            if any(kernel.contains(statement.at.first) for kernel in kernels):
                yield statement

    def _named(self, kernels: list[GovernedLoop]) -> set[str]:
        return {name for statement in self._inside(kernels) for name in _names(statement)}

    def _written(self, kernels: list[GovernedLoop]) -> set[str]:
        """Arrays and components that a kernel assigns."""
        return {
            statement.tokens[0]
            for statement in self._inside(kernels)
            if "=" in statement.tokens and statement.tokens[1] in ("(", "%")
        }


def _names(statement: Statement) -> set[str]:
    """Its words but for those of components."""
    before = ("", *statement.tokens)
    return {word for word, last in zip(statement.tokens, before, strict=False) if last != "%"}


def _updated(construct: Construct) -> set[str]:
    named = construct.arguments(*_TO_HOST, "device")
    return {argument.split("(")[0].split("%")[0] for argument in named}
