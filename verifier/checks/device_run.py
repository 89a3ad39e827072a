"""The port on a real device, where there is one."""

import re
from collections.abc import Iterator
from pathlib import Path

from acclimate.verifier.building.build import BuildFailure, device_target
from acclimate.verifier.checks import check
from acclimate.verifier.evidence import Evidence, Light, Outcome
from acclimate.verifier.measuring.repeats import compared
from acclimate.verifier.subject import Length, Side, Subject
from acclimate.verifier.toolchains import Build, Capability

_DEVICES = (Path("/dev/nvidia0"), Path("/dev/nvidiactl"))
_NOT_THERE = re.compile(r"device type \S+ not supported|no device|plugin", re.IGNORECASE)
# Fused multiply-add and another mathematical library change single operations by an ulp or two;
# this is what some thousand of them may add up to relative to the largest value of a field.
_ROUNDING = 1e-11
# Up to here rounding may have grown in a sensitive model: no power to tell it from a defect.
_GROWN = 1e-4


@check(cost=60)
def device_run(subject: Subject) -> Iterator[Evidence]:
    """Bit identity with the host run, or within rounding; grey without a device."""
    tool = subject.toolchain
    if Capability.OFFLOAD not in tool.capabilities or not any(p.exists() for p in _DEVICES):
        yield _evidence(Outcome.INCONCLUSIVE, "there is no GPU on this machine: nothing was run")
        return
    if device_target(tool, subject.work) is None:
        yield _evidence(Outcome.INCONCLUSIVE, f"{tool.name} here makes no device code")
        return
    made = subject.built(Side.PORT, Build.OFFLOAD)
    host = subject.ran(Side.PORT, Build.HOST, Length.SHORT)
    if isinstance(made, BuildFailure) or isinstance(host, BuildFailure) or not host.ok:
        yield _evidence(Outcome.INCONCLUSIVE, "the port does not build or run")
        return
    environment = {"ACC_DEVICE_TYPE": "nvidia"}
    run = subject.run(made.executable, "port-device", Length.SHORT, environment=environment)
    if not run.ok:
        words = run.finished.stderr.decode("utf-8", "replace")
        outcome = Outcome.INCONCLUSIVE if _NOT_THERE.search(words) else Outcome.FAILS
        yield _evidence(outcome, f"on the device the port {run.ended}")
        return
    found = compared(subject, host, run)
    if found.identical:
        text = f"{found.compared} values are bit-identical to the host's"
        yield _evidence(Outcome.HOLDS, text, 0.0)
    elif not found.structural and found.relative <= _ROUNDING:
        text = f"{found.compared} values agree with the host's within rounding"
        yield _evidence(Outcome.HOLDS, text, found.relative)
    else:
        beyond = found.structural or found.relative > _GROWN
        outcome = Outcome.FAILS if beyond else Outcome.INCONCLUSIVE
        yield _evidence(outcome, found.findings[0].message, found.relative)


def _evidence(outcome: Outcome, message: str, figure: float | None = None) -> Evidence:
    limit = None if figure is None else _ROUNDING
    return Evidence(
        "device_run", Light.DEVICE, outcome, message, figure=figure, limit=limit, unit="1"
    )
