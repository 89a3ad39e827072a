"""A DO loop seen as a candidate kernel: its tight nest, its clauses, what forbids it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard

from acclimate.analysis.dependence.statements import inside, own_expressions
from acclimate.analysis.directives import parse
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.ir import (
    Continue,
    Do,
    DoKind,
    Jump,
    Shape,
    Statement,
    Symbol,
)
from acclimate.analysis.source import Lines
from acclimate.porter.device.device_code import (
    calls_in,
    has_constant_shape,
    references_in,
    refusal_in,
    table_lookup_in,
)
from acclimate.porter.device.routines import Routines, copied_actual
from acclimate.porter.device.visits import NO_VISITS, Visits
from acclimate.porter.loops.last_indices import index_statements
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.constants import integer_value
from acclimate.porter.names.scope import Reference, Scope
from acclimate.porter.names.traversal import names_in
from acclimate.porter.rewrite import Refusal
from acclimate.porter.text.directives_text import clause
from acclimate.porter.text.fortran_text import statement_lines
from acclimate.porter.text.margins import Margins

PARALLEL = frozenset({Verdict.PARALLEL, Verdict.REDUCTION})
Judged = Mapping[tuple[str, int, str], LoopFacts]
"""Facts by file, line of the DO statement, and index."""


@dataclass(frozen=True, eq=False)
class Nest:
    """A loop in its unit, with everything a rule may ask about it."""

    scope: Scope
    loop: Do
    judged: Judged
    routines: Routines
    rotations: Rotations
    margins: Margins
    first_on_line: bool  # no other statement begins before it on its line
    visits: Visits = NO_VISITS

    def facts(self, loop: Do) -> LoopFacts | None:
        return self.judged.get((loop.at.file, loop.at.first, loop.index or ""))

    def is_parallel(self, loop: Do) -> bool:
        facts = self.facts(loop)
        return may_run_in_any_order(facts) and not facts.last_values

    def tight(self) -> tuple[Do, ...]:
        """The loop and those tightly nested in it that may be collapsed with it."""
        return self.tight_from(self.loop)

    def tight_from(self, loop: Do) -> tuple[Do, ...]:
        chain, indices = [loop], {loop.index}
        outer = self.facts(loop)
        while (inner := only_loop(chain[-1].body)) is not None:
            facts = self.facts(inner)
            if outer is None or not may_run_in_any_order(facts):
                break
            if not set(facts.last_values) <= {*outer.private, *outer.firstprivate}:
                break
            if not set(facts.reduction) <= set(outer.reduction):
                break
            if any(names_in(bound) & indices for bound in own_expressions(inner)):
                break
            chain.append(inner)
            indices.add(inner.index)
        return tuple(chain)

    def refusal(self, verdicts: frozenset[Verdict] = PARALLEL) -> Refusal | None:
        """Why the loop with all in it cannot be one kernel as it stands."""
        return self._not_parallel(verdicts) or self.body_refusal()

    def body_refusal(self) -> Refusal | None:
        """Why the loop cannot run on the device, whatever its dependences."""
        loop = self.loop
        left_alone = self._left_alone()
        if left_alone is not None:
            return left_alone
        if loop.at.file != self.scope.unit.at.file:
            return Refusal(loop.at, "the loop stands in an include file", "move it into the unit")
        if not self.first_on_line:
            return Refusal(loop.at, "the DO statement does not begin its line", "give it a line")
        if loop.kind is not DoKind.COUNTED:
            return Refusal(loop.at, f"DO {loop.kind.value.upper()}", "write it as a counted loop")
        return (
            refusal_in(self.scope, [loop])
            or table_lookup_in(self.scope, [loop])
            or self._jumps()
            or self._private_arrays()
            or self._associated()
            or self._calls()
        )

    def last_indices(self) -> tuple[str, ...]:
        """Lines behind the nest that give the indices which are read there their last values."""
        facts = self.facts(self.loop)
        form, margin = self.margins.form(self.loop.at.file), self.margins.of(*self._first())
        statements = [
            statement
            for name in (facts.last_values if facts is not None else ())
            for statement in self._last_index(name) or ()
        ]
        return tuple(line for text in statements for line in _laid_out(text, margin, form))

    def _last_index(self, name: str) -> tuple[str, ...] | None:
        if any(
            outer is not self.loop and outer.end == self.loop.end
            for outer in inside(self.scope.unit.body)
            if isinstance(outer, Do) and any(s is self.loop for s in inside(outer.body))
        ):
            return None  # there is no place behind a terminal statement that loops share
        return index_statements(self.scope, self.loop, name)

    def _first(self) -> tuple[str, int]:
        return self.loop.at.file, self.loop.at.first

    def _left_alone(self) -> Refusal | None:
        """A hint asks to leave a loop of the nest, or one around it, as it is."""
        for statement in inside([self.loop]):
            facts = self.facts(statement) if isinstance(statement, Do) else None
            if facts is not None and facts.is_skipped:
                return skipped(facts)
        return None

    def all_loops(self) -> tuple[Lines, ...]:
        """Every DO statement of the nest."""
        return tuple(s.at for s in inside([self.loop]) if isinstance(s, Do))

    def words(self, chain: Sequence[Do], levels: str, private: Iterable[str]) -> tuple[str, ...]:
        """Directive and clauses for `chain`, whose outermost loop carries the facts."""
        facts = self.facts(chain[0])
        if facts is None:
            raise ValueError(f"{chain[0].at} has not been judged")
        is_region = levels.startswith(("parallel", "serial"))
        return (
            levels,
            f"collapse({len(chain)})" if len(chain) > 1 else "",
            "default(present)" if is_region else "",
            clause("present", self.sections()) if is_region else "",
            *(self.visits.words() if is_region else ()),
            clause("private", private),
            clause("firstprivate", sorted(facts.firstprivate)),
            *reductions(facts),
        )

    def sections(self) -> tuple[str, ...]:
        """Dummies of which the nest touches constant last subscripts only.

        Such a dummy may be declared larger than the storage that is passed, so only the part
        that is used may be asked for.
        """
        used: dict[str, list[Reference]] = {}
        for statement in inside([self.loop]):
            for found in references_in(self.scope, statement):
                if found.is_array and found.root.name in self.scope.unit.args:
                    used.setdefault(found.designator, []).append(found)
        sections = (self._section(name, found) for name, found in sorted(used.items()))
        return tuple(section for section in sections if section)

    def _section(self, name: str, found: list[Reference]) -> str:
        dims = found[0].symbol.dims
        if len(dims) < 3 or dims[-1].shape is not Shape.EXPLICIT or found[0].is_component:
            return ""
        upper = dims[-1].upper
        if upper is None or integer_value(self.scope, upper) is not None:
            return ""
        if any(not reference.subscripts for reference in found):
            return ""
        last = [integer_value(self.scope, (f.subscripts or ())[-1]) for f in found]
        known = [value for value in last if value is not None]
        if len(known) < len(last):
            return ""
        return f"{name}({':, ' * (len(dims) - 1)}{min(known)}:{max(known)})".replace(", ", ",")

    def _not_parallel(self, verdicts: frozenset[Verdict]) -> Refusal | None:
        loop = self.loop
        if loop.kind is not DoKind.COUNTED:
            return Refusal(loop.at, f"DO {loop.kind.value.upper()}", "write it as a counted loop")
        facts = self.facts(loop)
        if facts is None:
            return Refusal(loop.at, "the analysis has no verdict on this loop", "")
        if facts.verdict not in verdicts:
            remedy = next((o.remedy for o in facts.obstacles if o.remedy), "")
            return Refusal(loop.at, f"{facts.verdict.value}: {facts.reason}", remedy)
        if facts.unproved:
            return unproved(facts)
        lost = [name for name in facts.last_values if self._last_index(name) is None]
        if lost:
            return Refusal(
                loop.at, f"the last value of {', '.join(lost)} is used after the loop",
                "set it explicitly after the loop",
            )  # fmt: skip
        if any(note.startswith("same-value") for note in facts.notes):
            return Refusal(
                loop.at, "every iteration stores the same value in one place",
                "move the store out of the loop",
            )  # fmt: skip
        return None

    def _jumps(self) -> Refusal | None:
        innermost = self.tight()[-1]
        labels = {s.label for s in inside(innermost.body) if s.label}
        named = {d.name for d in self.tight()[:-1] if d.name}
        for statement in inside([self.loop]):
            if not isinstance(statement, Jump):
                continue
            leaves = statement.keyword == "return" or not set(statement.targets) <= labels
            if leaves or (statement.construct in named and statement.construct is not None):
                return Refusal(
                    statement.at, f"{statement.keyword.upper()} leaves the loop nest",
                    "replace the jump by a condition",
                )  # fmt: skip
        return None

    def private_arrays(self) -> list[Symbol]:
        facts = self.facts(self.loop)
        symbols = [self.scope.symbol(name) for name in facts.private] if facts else []
        return [symbol for symbol in symbols if symbol is not None and symbol.is_array]

    def _private_arrays(self) -> Refusal | None:
        for symbol in self.private_arrays():
            in_unit = symbol.owner is self.scope.unit and symbol.common is None
            if not in_unit or symbol.name in self.scope.unit.args:
                return Refusal(
                    self.loop.at,
                    f"each iteration needs its own copy of '{symbol.name}', which is not local",
                    "use a local work array",
                )
            if not has_constant_shape(self.scope, symbol):
                return Refusal(
                    self.loop.at,
                    f"each iteration needs its own copy of '{symbol.name}', "
                    "whose size is known at run time only",
                    "give the array a constant size or a dimension over the loop",
                )
        return None

    def _associated(self) -> Refusal | None:
        for statement in inside([self.loop]):
            for expr in own_expressions(statement):
                aliases = sorted(names_in(expr) & set(self.scope.associated))
                if aliases:
                    return Refusal(
                        statement.at, f"'{aliases[0]}' is an ASSOCIATE name",
                        "name the object itself",
                    )  # fmt: skip
        return None

    def _calls(self) -> Refusal | None:
        for statement, call in calls_in(self.scope, [self.loop]):
            callee = call.candidates[0]
            if self._has_deeper_loops(call.name):
                return Refusal(
                    statement.at,
                    f"'{callee.name}' offers more parallelism than this loop",
                    "none needed: the loops of the called procedure are offloaded themselves",
                )
            inner = self.routines.refusal(callee)
            if inner is not None:
                reason = f"calls '{callee.name}', which cannot run on the device: {inner.reason}"
                return Refusal(statement.at, f"{reason} ({inner.at})", inner.next_step)
            copied = copied_actual(self.scope, callee, call.bindings(callee))
            if copied:
                return Refusal(statement.at, copied, "pass a contiguous part of the array")
        return None

    def _has_deeper_loops(self, callee: str) -> bool:
        """Some nest of the procedure, or of one it calls, offers more parallelism than this one.

        Where both offer the same, an OpenMP directive of the model's author decides.
        """
        units = (self.scope.project.units[name] for name in self.routines.closure([callee]))
        loops = (s for unit in units for s in inside(unit.body) if isinstance(s, Do))
        here = len(self.tight())
        return any(
            len(self.tight_from(d)) + _is_shared_out(d) > here for d in loops if self.is_parallel(d)
        )


def _is_shared_out(loop: Do) -> bool:
    """OpenMP distributes the loop over threads."""
    return any(
        d.sentinel == "omp" and parse(d).name in ("do", "parallel do") for d in loop.directives
    )


def _laid_out(statement: str, margin: int, form: str) -> tuple[str, ...]:
    indent = len(statement) - len(statement.lstrip())
    return statement_lines(statement.lstrip(), margin + indent, form)


def only_loop(body: Iterable[Statement]) -> Do | None:
    """The counted loop that is the only statement of a block, if it is."""
    statements = [s for s in body if not isinstance(s, Continue)]
    if len(statements) != 1 or not isinstance(statements[0], Do):
        return None
    return statements[0] if statements[0].kind is DoKind.COUNTED else None


def reductions(facts: LoopFacts) -> list[str]:
    """Reduction clauses, one per operator, sorted."""
    by_operator: dict[str, list[str]] = {}
    for reduction in facts.reduction:
        by_operator.setdefault(reduction.op, []).append(reduction.var)
    return [clause("reduction", sorted(names), op) for op, names in sorted(by_operator.items())]


def serial_inside(nest: Nest, chain: Sequence[Do]) -> list[Do]:
    """Loops inside a kernel that carry a dependence and must say so.

    A loop that is left by a jump stays bare: no `loop` directive may stand on it.
    """
    return [
        statement
        for statement in inside(chain[-1].body)
        if isinstance(statement, Do)
        and statement.kind is DoKind.COUNTED
        and not may_run_in_any_order(nest.facts(statement))
        and not _is_left_early(statement)
    ]


def _is_left_early(loop: Do) -> bool:
    """By EXIT, any jump that may, or CYCLE of a loop around it."""
    names = {s.name for s in inside([loop]) if isinstance(s, Do)} | {None}
    jumps = [s for s in inside(loop.body) if isinstance(s, Jump)]
    return any(jump.keyword != "cycle" or jump.construct not in names for jump in jumps)


def may_run_in_any_order(facts: LoopFacts | None) -> TypeGuard[LoopFacts]:
    """Parallel as it stands, under no condition but those that a hint promises."""
    return facts is not None and facts.verdict in PARALLEL and not facts.unproved


def unproved(facts: LoopFacts) -> Refusal:
    """A condition that nothing proves or promises."""
    condition = facts.unproved[0]
    others = ", ".join(dict.fromkeys(str(at) for at in condition.references))
    return Refusal(
        facts.at,
        f"{facts.verdict.value} only if {condition.detail} ({others}), which nothing proves",
        f"promise it before the loop: {condition.hint}",
    )


def skipped(facts: LoopFacts) -> Refusal:
    at = next(hint.at for hint in facts.hints if hint.word == "skip")
    return Refusal(facts.at, f"the hint at {at} asks to leave the loop alone", "take the hint out")
