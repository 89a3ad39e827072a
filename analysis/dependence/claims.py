"""Directives that say the iterations of a loop are independent, held against the analysis.

OpenMP worksharing (`do`, `distribute`, `taskloop`, `simd`), OpenACC `loop` unless `seq` or left to
the compiler, and vendors' ivdep. What a directive names as private, also in the parallel region
around it, is taken as it stands: only what nothing covers is a contradiction.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.dependence.aliasing import shown
from acclimate.analysis.dependence.arrays import DependenceTest
from acclimate.analysis.dependence.records import Access, Record
from acclimate.analysis.dependence.scalars import Clauses
from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.directives import Construct, parse
from acclimate.analysis.facts import Agreement, Claim, Finding, Obstacle, Verdict, Witness
from acclimate.analysis.ir import Continue, Directive, Do, Statement, Symbol, Unit

_SHARING = frozenset({"do", "distribute", "taskloop", "simd", "loop"})
_VENDORS = frozenset({"dir", "dec", "pgi", "nec", "ocl", "ibm"})
_IVDEP = frozenset(
    {"ivdep", "novrec", "norecurrence", "nodep", "nodepchk", "concurrent", "independent"}
)
_COPIES = ("private", "firstprivate", "lastprivate", "linear", "reduction", "in_reduction")
_RACES = frozenset({"array-dependence", "scalar-carried", "array-reduction", "shared-state"})
_ONE_VARIABLE = frozenset(
    {"extremum-location", "component-reduction", "component-private", "induction"}
)


@dataclass(frozen=True, slots=True)
class Judged:
    """What the analysis found of the loop that the directives speak of."""

    unit: Unit
    loop: Do
    record: Record
    clauses: Clauses
    obstacles: tuple[Obstacle, ...]
    threadprivate: frozenset[str]
    test: DependenceTest


def claiming(directives: Iterable[Directive]) -> Iterator[Directive]:
    """Those that say the iterations of the loop behind them are independent."""
    for directive in directives:
        construct = parse(directive)
        words = set(construct.name.split())
        clauses = {clause.name for clause in construct.clauses}
        if directive.sentinel == "omp":
            if words & _SHARING and "end" not in words and not clauses & {"ordered", "bind"}:
                yield directive
        elif directive.sentinel == "acc":
            free = "kernels" not in words or "independent" in clauses
            if "loop" in words and "end" not in words and free and not clauses & {"seq", "auto"}:
                yield directive
        elif directive.sentinel in _VENDORS and directive.text.split()[0] in _IVDEP:
            yield directive


def collapsed(statements: Iterable[Statement]) -> dict[int, tuple[Directive, ...]]:
    """Directives of loops around, by the id of a loop that `collapse` takes in."""
    found: dict[int, tuple[Directive, ...]] = {}
    for statement in inside(statements):
        if not isinstance(statement, Do):
            continue
        for directive in claiming(statement.directives):
            depth = parse(directive).arguments("collapse")
            inner: Do | None = statement
            for _ in range(int(depth[0]) - 1 if depth and depth[0].isdigit() else 0):
                inner = _only_loop(inner.body) if inner is not None else None
                if inner is not None:
                    found[id(inner)] = (*found.get(id(inner), ()), directive)
    return found


def _only_loop(body: Iterable[Statement]) -> Do | None:
    statements = [s for s in body if not isinstance(s, Continue)]
    one = statements[0] if len(statements) == 1 else None
    return one if isinstance(one, Do) else None


def held_against(
    judged: Judged, directives: Sequence[Directive]
) -> tuple[list[Claim], list[Finding]]:
    """Every claim of the loop, and what contradicts one."""
    claims: list[Claim] = []
    findings: list[Finding] = []
    for directive in directives:
        found = list(_Comparison(judged, directive).findings())
        if any(finding.kind != "possible-race" for finding in found):
            agreement = Agreement.CONTRADICTED
        elif found or _open(judged):
            agreement = Agreement.UNDECIDED
        else:
            agreement = Agreement.CONFIRMED
        claims.append(_claim(directive, agreement))
        findings += found
    return claims, findings


def undecided(directives: Iterable[Directive]) -> Iterator[Claim]:
    """The claims of a loop that nothing could be found out about."""
    for directive in directives:
        yield _claim(directive, Agreement.UNDECIDED)


def _claim(directive: Directive, agreement: Agreement) -> Claim:
    return Claim(directive.at, f"{directive.sentinel} {directive.text}", agreement)


def _open(judged: Judged) -> bool:
    """Something that no directive speaks of keeps the analysis from agreeing."""
    unproved = any(condition.promise is None for condition in judged.clauses.conditions)
    return unproved or any(o.verdict is not Verdict.ATOMIC for o in judged.obstacles)


class _Comparison:
    def __init__(self, judged: Judged, directive: Directive) -> None:
        self._judged, self._directive = judged, directive
        self._construct = parse(directive)
        self._region = _region(judged.unit, judged.loop, directive.sentinel)
        self._vendor = directive.sentinel in _VENDORS

    def findings(self) -> Iterator[Finding]:
        copies = self._copies()
        for obstacle in self._judged.obstacles:
            yield from self._obstacle(obstacle, copies)
        if not self._vendor and not copies.everything and self._has_threads():
            yield from self._missing(copies)

    def _has_threads(self) -> bool:
        return self._construct.name != "simd"

    def _copies(self) -> "_Copies":
        constructs = [self._construct, *([self._region] if self._region else [])]
        names = {name for c in constructs for name in c.arguments(*_COPIES)}
        everything = any(
            {"private", "firstprivate"} & set(c.arguments("default")) for c in constructs
        )
        loops = [s for s in inside([self._judged.loop]) if isinstance(s, Do)]
        indices = {loop.index for loop in loops if loop.index}
        for loop in loops[1:]:  # `private` of a loop inside
            for directive in loop.directives:
                names |= set(parse(directive).arguments(*_COPIES))
        return _Copies(frozenset(names) | self._judged.threadprivate | indices, everything)

    def _obstacle(self, obstacle: Obstacle, copies: "_Copies") -> Iterator[Finding]:
        names = {w.variable.partition("%")[0] for w in obstacle.witnesses if w.variable}
        if names and names <= copies.names:
            return
        if obstacle.reason == "array-reduction":
            if not self._is_protected(names):
                yield self._finding("race", f"{obstacle.detail}; no atomic or reduction", obstacle)
            return
        shared = obstacle.reason in _ONE_VARIABLE and not self._is_protected(names)
        if shared or (obstacle.reason in _RACES and obstacle.verdict is Verdict.SERIAL):
            yield self._finding("race", obstacle.detail, obstacle)
        elif obstacle.reason == "scatter":
            yield self._finding("possible-race", obstacle.detail, obstacle)

    def _is_protected(self, names: set[str]) -> bool:
        """Atomic updates, or a critical section somewhere in the loop."""
        quoted = {f"every update of `{name}` is declared atomic" for name in names}
        if quoted & set(self._judged.clauses.notes):
            return True
        loop = self._judged.loop
        return any(
            directive.text.startswith(("critical", "ordered"))
            and directive.at.file == loop.at.file
            and loop.at.first <= directive.at.first <= loop.end.last
            for directive in self._judged.unit.directives
        )

    def _missing(self, copies: "_Copies") -> Iterator[Finding]:
        clauses, judged = self._judged.clauses, self._judged
        for operator, name in sorted(clauses.reduction):
            accesses = self._accesses(name)
            atomic = {a.at for a in accesses if a.write} <= set(judged.record.atomic_lines)
            if name in copies.names or atomic or self._is_protected({name}):
                continue
            detail = f"`{name}` is combined over the iterations with `{operator}`"
            yield self._uncovered("missing-reduction", detail, name, accesses)
        for name in sorted((clauses.private | clauses.firstprivate) - copies.names):
            accesses = self._accesses(name)
            if accesses and not self._is_private_anyway(accesses[0]):
                if self._surely_meet(accesses):
                    kind, what = "missing-private", f"every iteration assigns to `{name}`"
                else:
                    kind, what = (
                        "possible-race",
                        f"iterations may assign to one element of `{name}`",
                    )
                detail = f"{what}, which all of them share"
                yield self._uncovered(kind, detail, name, accesses)

    def _surely_meet(self, accesses: Sequence[Access]) -> bool:
        """Do different iterations refer to one element? They may each keep to their own part."""
        test = self._judged.test
        found = (test.between(one, a) for one in accesses if one.write for a in accesses)
        return any(dependence is not None and dependence.certain for dependence in found)

    def _accesses(self, name: str) -> list[Access]:
        record = self._judged.record
        return [a for a in record.accesses if record.names.get(a.key, shown(a.key)) == name]

    def _is_private_anyway(self, access: Access) -> bool:
        symbol: Symbol = access.symbol
        if self._directive.sentinel == "acc":
            return not symbol.is_array  # a scalar is firstprivate in a compute construct
        alone = self._region is None and "parallel" not in self._construct.name.split()
        local = symbol.owner is self._judged.unit and symbol.name not in self._judged.unit.args
        return alone and local and "save" not in symbol.attributes and symbol.initial is None

    def _uncovered(self, kind: str, detail: str, name: str, accesses: Sequence[Access]) -> Finding:
        write = next(access for access in accesses if access.write)
        other = next((a for a in accesses if not a.write), write)
        witness = Witness(name, "scalar", write.at, other.at)
        directive = self._directive
        text = f"{detail}; the directive does not name it"
        unit = self._judged.unit.qualified_name
        return Finding(directive.at, unit, kind, self._claim(), text, (witness,))

    def _finding(self, kind: str, detail: str, obstacle: Obstacle) -> Finding:
        unit = self._judged.unit.qualified_name
        return Finding(self._directive.at, unit, kind, self._claim(), detail, obstacle.witnesses)

    def _claim(self) -> str:
        return f"{self._directive.sentinel} {self._directive.text}"


@dataclass(frozen=True, slots=True)
class _Copies:
    names: frozenset[str]
    everything: bool  # default(private)


def _region(unit: Unit, loop: Do, sentinel: str) -> Construct | None:
    """The parallel region of the same unit that is open at the loop."""
    opening = {"omp": ("parallel", "teams"), "acc": ("parallel", "kernels", "serial")}
    begins = opening.get(sentinel, ())
    stack: list[Construct] = []
    for directive in sorted(unit.directives, key=lambda d: d.at):
        if directive.sentinel != sentinel or directive.at.file != loop.at.file:
            continue
        if directive.at.first >= loop.at.first:
            break
        construct = parse(directive)
        words = construct.name.split()
        if words[:1] == ["end"] and words[1:2] and words[1] in begins and stack:
            stack.pop()
        elif words[:1] and words[0] in begins and not set(words) & {"do", "loop"}:
            stack.append(construct)
    return stack[-1] if stack else None
