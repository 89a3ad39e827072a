"""The port with units switched off: do their loops, on the host, leave the same bits?"""

from collections.abc import Iterator
from dataclasses import dataclass

from acclimate.analysis.directives import parse
from acclimate.analysis.switches import VARIABLE, while_on
from acclimate.verifier.building.build import BuildFailure
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.emulated_run import emulate, findings_as_evidence
from acclimate.verifier.measuring.repeats import compared
from acclimate.verifier.running.emulation import POISONS, build_runtime
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build


@dataclass(frozen=True, slots=True)
class _Setting:
    """Which units are off in one run."""

    name: str
    units: tuple[str, ...]
    poison: int

    def __str__(self) -> str:
        return f"with {self.name} off"


@check(cost=32)
def switched_off(subject: Subject) -> Iterator[Evidence]:
    """Bit identity with the run in one memory: all units off, then each half of them by turns.

    In the halves every unit meets neighbours on the other side, whatever the pairs. Asked only of
    ports with switches (`acclimate migrate --switches`).

    Raises:
        Problem: the emulation's runtime cannot be built.
    """
    units = _units(subject)
    if not units:
        return
    made = subject.built(Side.PORT, Build.DISCRETE)
    shared = subject.ran(Side.PORT, Build.HOST, Length.SHORT)
    if isinstance(made, BuildFailure) or isinstance(shared, BuildFailure) or not shared.ok:
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build or run")
        return
    runtime = build_runtime(subject.work)
    for setting in _settings(units):
        emulated = emulate(
            subject,
            runtime,
            made.executable,
            f"off-{setting.name.replace(' ', '-')}",
            setting.poison,
            environment={VARIABLE: ",".join(setting.units)},
        )
        yield from findings_as_evidence("switched_off", emulated.findings)
        if not emulated.run.ok:
            yield _evidence(Outcome.FAILS, f"{setting} the port {emulated.run.ended}")
            return
        found = compared(subject, shared, emulated.run)
        if not found.identical:
            yield _evidence(Outcome.FAILS, f"{setting} {found.findings[0].message}", found.relative)
            return
        launches = sum(summary.host_launches for summary in emulated.summaries)
        if launches == 0:
            yield _evidence(Outcome.INCONCLUSIVE, f"{setting} no kernel ran on the host")
            continue
        text = f"{found.compared} values are the same {setting}, {launches} launches on the host"
        yield _evidence(Outcome.HOLDS, text, found.compared)


def _units(subject: Subject) -> tuple[str, ...]:
    """The units of the port that have a switch."""
    constructs = (parse(d) for file in subject.port_files.values() for d in file.directives)
    return tuple(sorted({unit for unit in map(while_on, constructs) if unit is not None}))


def _settings(units: tuple[str, ...]) -> list[_Setting]:
    whole = _Setting("all units", units, POISONS[0])
    if len(units) == 1:
        return [whole]
    halves = (("every other unit", units[::2]), ("the other units", units[1::2]))
    return [whole, *(_Setting(name, some, POISONS[1]) for name, some in halves)]


def _evidence(outcome: Outcome, message: str, figure: float | None = None) -> Evidence:
    return Evidence("switched_off", Light.DATA, outcome, message, figure=figure, decisive=False)
