"""Non-blocking receives: their data is valid, and may go to the device, after the wait only."""

from dataclasses import dataclass, field

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.ir import Apply, Call, Component, Expr, Keyword, Name, Statement
from acclimate.porter.names.invocations import invocations
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.residency.host_accesses import Accesses
from acclimate.porter.residency.mpi import BUFFERS, WAITS


@dataclass
class _Pending:
    block: list[Statement]
    buffers: set[Reference] = field(default_factory=set)


class Receives:
    """Follows the receives of one procedure by the name of their request variable."""

    def __init__(self) -> None:
        self._pending: dict[str, _Pending] = {}

    def start(
        self, scope: Scope, statement: Statement, block: list[Statement], found: Accesses
    ) -> None:
        """Take the buffers of receives that begin in a statement out of what it writes."""
        for request, buffer in _begun(scope, statement):
            if buffer in found.writes:
                pending = self._pending.setdefault(request, _Pending(block))
                pending.buffers.add(buffer)
                found.writes.discard(buffer)
                found.fills.discard(buffer)
                found.reads.add(buffer)  # a partial receive must not lose the rest

    def completed(
        self, scope: Scope, statement: Statement, block: list[Statement]
    ) -> list[tuple[Reference, bool]]:
        """Buffers a statement waits for, each with: does its receive stand in the same block?"""
        done: list[tuple[Reference, bool]] = []
        for request in _awaited(scope, statement):
            pending = self._pending.get(request)
            if pending is None:
                continue
            together = pending.block is block
            found = sorted(pending.buffers, key=lambda f: f.designator)
            done += [(buffer, together) for buffer in found]
            if together:
                del self._pending[request]
        return done

    def unfinished(self) -> list[Reference]:
        """Buffers whose wait never came."""
        return sorted(
            (buffer for pending in self._pending.values() for buffer in pending.buffers),
            key=lambda found: found.designator,
        )


def _begun(scope: Scope, statement: Statement) -> list[tuple[str, Reference]]:
    begun: list[tuple[str, Reference]] = []
    for inner in inside([statement]):
        for invocation in invocations(scope, inner) if isinstance(inner, Call) else []:
            use = BUFFERS.get(invocation.name.lower())
            if use is None or use.request is None or len(invocation.args) <= use.request:
                continue
            for position in use.writes:
                buffer = scope.reference(invocation.args[position])
                if buffer is not None:
                    begun.append((_variable(invocation.args[use.request]), buffer))
    return begun


def _awaited(scope: Scope, statement: Statement) -> list[str]:
    awaited: list[str] = []
    for inner in inside([statement]):
        for invocation in invocations(scope, inner) if isinstance(inner, Call) else []:
            position = WAITS.get(invocation.name.lower())
            if position is not None and len(invocation.args) > position:
                awaited.append(_variable(invocation.args[position]))
    return awaited


def _variable(expr: Expr) -> str:
    """The variable at the base of a designator."""
    while not isinstance(expr, Name):
        match expr:
            case Apply(base, _) | Component(base, _):
                expr = base
            case Keyword(_, value):
                expr = value
            case _:
                return ""
    return expr.id
