"""From an index to a plan: drafts until nothing has to be withdrawn any more."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from acclimate.analysis.dependence.statements import inside
from acclimate.analysis.facts import LoopFacts, Verdict
from acclimate.analysis.graph.ranking import rank_procedures
from acclimate.analysis.index import ProjectIndex
from acclimate.analysis.ir import Do
from acclimate.analysis.problems import Problem
from acclimate.analysis.source import Edit, Lines, Span
from acclimate.porter.device.routines import Routines
from acclimate.porter.device.visits import Visits
from acclimate.porter.kernels.joining import Joining
from acclimate.porter.kernels.selection import Kernel, Selection, Selector, judged_loops
from acclimate.porter.loops.rotation import Rotations
from acclimate.porter.names.call_sites import CallSites
from acclimate.porter.names.scope import Scopes
from acclimate.porter.names.shared_arguments import SharedArguments
from acclimate.porter.plan import (
    KernelPlan,
    LoopDecision,
    LoopState,
    PortPlan,
    ResidentClass,
    UnitPlan,
    UnitSwitch,
)
from acclimate.porter.planning.array_kernels import ArrayKernels
from acclimate.porter.planning.draft import Draft, Ground
from acclimate.porter.planning.unit_lines import UnitLines
from acclimate.porter.planning.withdrawals import Withdrawals
from acclimate.porter.residency.allocations import Allocations
from acclimate.porter.residency.roots import Roots
from acclimate.porter.rewrite import Refusal
from acclimate.porter.rule import Offload, Rule
from acclimate.porter.switches.definition import definitions, stands
from acclimate.porter.switches.switching import Switched, Switching
from acclimate.porter.text.margins import Margins
from acclimate.porter.text.placement import Insertion, edits
from acclimate.porter.text.standing_lines import StandingLines


def _clarity(facts: LoopFacts) -> tuple[bool, ...]:
    """What stands against a statement comes last, and so for all statements of its line."""
    return facts.verdict is not Verdict.PARALLEL, facts.is_skipped, bool(facts.unproved)


class Planner:
    """Plans one project; see `engine.plan`."""

    def __init__(
        self,
        index: ProjectIndex,
        rules: Iterable[Rule],
        exclude: frozenset[str],
        switches: bool = False,
    ) -> None:
        self._project = index.project
        self._switches = switches
        self._rules = tuple(rules)
        self._exclude = exclude
        scopes = Scopes(index.project)
        self._ground = Ground(
            scopes=scopes,
            calls=CallSites(scopes),
            roots=Roots(scopes),
            allocations=Allocations(scopes),
            margins=Margins(index.project.texts, index.project.form),
            routines=Routines(scopes, exclude),
            thrifty=len(index.project.manifest.sources) > 1,
        )
        ranks = rank_procedures(index.procedures)
        self._places = {rank.name: place for place, rank in enumerate(ranks)}
        self._rotations = Rotations(index.project)
        self._judged = judged_loops(index)
        arrays = sorted((loop for loop in index.loops if loop.kind == "array"), key=_clarity)
        self._array_facts = {loop.at: loop for loop in arrays}

    def plan(self) -> PortPlan:
        """Draft until every kernel of a draft may stay.

        Raises:
            Problem: a kernel that the model has already uses data that cannot stay on the device.
        """
        withdrawn: dict[Lines, Refusal] = {}
        visits: dict[Lines, Visits] = {}
        while True:
            selections = self._select(withdrawn, visits)
            kernels = [k for name in sorted(selections) for k in selections[name].kernels]
            draft = Draft(self._ground, kernels)
            arrays = ArrayKernels(
                self._rules,
                self._array_facts,
                draft,
                withdrawn | self._excluded_loops,
                visits,
                self._exclude,
            )
            if arrays.kernels:
                draft = Draft(self._ground, kernels + arrays.kernels)
            draft.complete()
            found = Withdrawals(draft)
            standing = {k.offload.at for k in kernels if k.offload.rule == "existing"}
            new = {at: why for at, why in found.found.items() if at not in standing}
            if not new and not found.visits:
                self._keep(found.found)
                return self._finish(draft, selections, arrays)
            withdrawn |= new
            visits |= found.visits

    def _keep(self, impossible: dict[Lines, Refusal]) -> None:
        """Nobody but its author may take a kernel back that stands in the model."""
        for at, refusal in sorted(impossible.items()):
            raise Problem(
                f"the kernel that stands here cannot be kept: {refusal.reason}",
                where=Span(self._project.manifest.root / at.file, at.first),
                hint=f"take its directive out and port again, or {refusal.next_step}",
            )

    def _select(
        self, withdrawn: dict[Lines, Refusal], visits: dict[Lines, Visits]
    ) -> dict[str, Selection]:
        left_out = withdrawn | self._excluded_loops
        return {
            self._project.name_of(unit): self._selector.select(
                self._ground.scopes.of(unit), left_out, visits
            )
            for unit in self._ground.scopes.executable()
        }

    @cached_property
    def _shared(self) -> SharedArguments:
        return SharedArguments(self._ground.calls)

    @cached_property
    def _selector(self) -> Selector:
        ground = self._ground
        return Selector(
            self._rules, self._judged, ground.routines, self._rotations, ground.margins,
            ground.scopes.conditionals,
        )  # fmt: skip

    @cached_property
    def _excluded_loops(self) -> dict[Lines, Refusal]:
        excluded: dict[Lines, Refusal] = {}
        for unit in self._ground.scopes.executable():
            name = self._project.name_of(unit)
            for loop in inside(unit.body):
                if isinstance(loop, Do) and {name, str(loop.at)} & self._exclude:
                    reason = "turned back to its original"
                    excluded[loop.at] = Refusal(loop.at, reason, "see why its port was refused")
        return excluded

    # --- the plan --------------------------------------------------------------------------------

    def _finish(
        self, draft: Draft, selections: dict[str, Selection], arrays: ArrayKernels
    ) -> PortPlan:
        decisions = self._decisions(draft, selections, arrays)
        refused: dict[str, list[Refusal]] = {}
        for decision in decisions:
            if decision.refusal is not None:
                refused.setdefault(decision.unit, []).append(decision.refusal)
        names = self._callees_first()
        offloads = {name: self._offloads(name, draft) for name in names}
        switched = self._switched(draft, offloads)
        under = {name: found for name, found in switched.items() if isinstance(found, Switched)}
        new = definitions(self._project, self._ground.margins, under, self._exclude)
        units = [
            self._unit_plan(name, draft, offloads[name], under.get(name), new.get(name))
            for name in names
        ]
        units = [replace(unit, refusals=tuple(refused.get(unit.unit, ()))) for unit in units]
        return PortPlan(
            units=tuple(units),
            kernels=tuple(self._kernel_plan(draft, kernel) for kernel in draft.kernels),
            routines=draft.routines,
            residency=self._classes(draft),
            updates=tuple(sorted(draft.sites, key=lambda site: (site.at, site.unit))),
            loops=tuple(decisions),
            excluded=tuple(sorted(self._exclude)),
            switches=tuple(
                UnitSwitch(name, found if isinstance(found, Refusal) else None)
                for name, found in sorted(switched.items())
            ),
        )

    def _offloads(self, name: str, draft: Draft) -> list[Offload]:
        """The offloads of a unit as its launches share them."""
        unit = self._project.units[name]
        joining = Joining(
            self._shared,
            self._ground.margins,
            self._ground.scopes.conditionals,
            self._rotations,
            lambda kernel: draft.data[id(kernel)],
        )
        standing = draft.insertions.get(name, ())
        return joining.offloads(unit.body, draft.kernels_of(unit), standing)

    def _switched(
        self, draft: Draft, offloads: Mapping[str, Sequence[Offload]]
    ) -> dict[str, Switched | Refusal]:
        """Units with new kernels, under their switches; empty where none are wanted."""
        if not self._switches:
            return {}
        switching = Switching(
            self._ground.margins,
            self._ground.scopes.conditionals,
            lambda kernel: draft.data[id(kernel)],
            draft.is_resident,
            draft.is_behind,
            stands(self._project, self._ground.margins),
        )
        found: dict[str, Switched | Refusal] = {}
        for unit in self._ground.scopes.executable():
            name, scope = self._project.name_of(unit), self._ground.scopes.of(unit)
            outcome = switching.of(scope, offloads[name], draft.kernels_of(unit))
            if outcome is not None:
                found[name] = outcome
        return found

    def _unit_plan(
        self,
        name: str,
        draft: Draft,
        offloads: Sequence[Offload],
        switched: Switched | None,
        definition: Insertion | None,
    ) -> UnitPlan:
        unit, lines = self._project.units[name], UnitLines(self._ground.margins)
        new = list(draft.insertions.get(name, ()))
        declares: set[str] = set()
        if switched is not None:
            offloads = switched.offloads
            new += switched.updates
            declares |= set(switched.declares)
        new += [definition] if definition is not None else []
        replaced: list[Edit] = []
        offloaded: list[Lines] = []
        indices: set[str] = set()
        for offload in offloads:
            new += lines.loop_directives(offload)
            replaced += offload.replaced
            indices |= set(offload.indices)
            declares |= set(offload.declares)
            if offload.rule != "existing":
                offloaded.append(offload.at)
        if name in draft.routines:
            new.append(lines.routine(unit))
        new += lines.declarations(unit, indices, declares)
        standing = StandingLines(self._ground.margins)
        kept = [insertion for insertion in new if not standing.has(insertion)]
        return UnitPlan(
            unit=name,
            file=unit.at.file,
            edits=edits(kept, replaced),
            offloaded=tuple(sorted(offloaded)),
            refusals=(),
            is_routine=name in draft.routines,
        )

    def _decisions(
        self, draft: Draft, selections: dict[str, Selection], arrays: ArrayKernels
    ) -> list[LoopDecision]:
        decided: dict[Lines, LoopDecision] = {}
        for kernel in draft.kernels:
            unit = self._project.name_of(kernel.scope.unit)
            rule = kernel.offload.rule
            for at in kernel.offload.loops:
                decided[at] = LoopDecision(unit, at, LoopState.IN_KERNEL, rule)
            at = kernel.offload.at
            decided[at] = LoopDecision(unit, at, LoopState.OFFLOADED, rule)
        for name in draft.routines:
            for loop in inside(self._project.units[name].body):
                if isinstance(loop, Do):
                    decided[loop.at] = LoopDecision(name, loop.at, LoopState.IN_ROUTINE)
        for name, selection in selections.items():
            for at, refusal in [*selection.refused, *arrays.refused.get(name, ())]:
                decided.setdefault(at, LoopDecision(name, at, LoopState.REFUSED, refusal=refusal))
        return sorted(decided.values(), key=lambda decision: (decision.at, decision.unit))

    def _kernel_plan(self, draft: Draft, kernel: Kernel) -> KernelPlan:
        data = draft.data[id(kernel)]
        return KernelPlan(
            unit=self._project.name_of(kernel.scope.unit),
            rule=kernel.offload.rule,
            at=kernel.offload.at,
            end=kernel.offload.end,
            routines=kernel.routines,
            reads=tuple(sorted(data.reads)),
            writes=tuple(sorted(data.writes)),
            loops=kernel.offload.loops,
        )

    def _classes(self, draft: Draft) -> tuple[ResidentClass, ...]:
        nodes = {node for data in draft.data.values() for node in data.touched}
        names = sorted({draft.classes.find(node) for node in nodes | set(draft.declared)})
        return tuple(
            ResidentClass(
                name=name,
                members=tuple(draft.classes.members(name)),
                written_by_kernels=draft.is_written(name),
                declared=name in draft.declared,
            )
            for name in names
        )

    def _callees_first(self) -> list[str]:
        """All units, callees before callers; otherwise what gains most from a port comes first."""
        order: list[str] = []
        seen: set[str] = set()
        for root in sorted(self._project.units, key=self._by_worth):
            waiting = [(root, False)]
            while waiting:
                name, done = waiting.pop()
                if done:
                    order.append(name)
                elif name not in seen:
                    seen.add(name)
                    waiting.append((name, True))
                    callees = self._ground.calls.callees(self._project.units[name])
                    names = {self._project.name_of(callee) for callee in callees}
                    last_first = sorted(names, key=self._by_worth, reverse=True)
                    waiting += [(callee, False) for callee in last_first]
        return order

    def _by_worth(self, name: str) -> tuple[int, str]:
        """The place in the portability ranking; modules, which have none, behind all others."""
        return self._places.get(name, len(self._places)), name
