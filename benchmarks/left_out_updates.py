"""Which updates of a port are missed when they are forgotten, by shadow validity alone?

    python benchmarks/left_out_updates.py PORT [--work FOLDER] [--count N] [--seed N]

PORT is a tree with an `acclimate.toml`, several ranks by `[run] launcher`. It is built once, its
accesses logged; every update that brings other bytes is left out of a run of its own, variable by
variable. Printed is what each of these runs reads stale. Where none reads anything stale, poison in
place of what the update brings shows whether anything depends on it. Ends with 1 where something
does and nothing was reported, or where something is reported of the whole port.
"""

import argparse
import random
import sys
from collections import Counter
from pathlib import Path

from acclimate.analysis.tree.manifest import load_manifest
from acclimate.verifier.mutants.left_out import LoggedPort, Role, logged_port
from acclimate.verifier.mutants.single_updates import Update
from acclimate.verifier.running.emulation import POISONS
from acclimate.verifier.subject import Subject
from acclimate.verifier.toolchains import toolchain


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("port", type=Path)
    arguments.add_argument("--work", type=Path, default=Path("build/left_out"))
    arguments.add_argument("--count", type=int, default=0, help="a random sample (0: all)")
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    manifest = load_manifest(chosen.port)
    port = logged_port(Subject(None, manifest, toolchain("gfortran"), chosen.work))
    for finding in port.findings:
        print(f"the whole port: {finding.kind} at {finding.at}: {finding.message}")
    ranks = {len(run.summaries) for run in port.whole.values()}
    roles = Counter(found.role.value for found in port.copies.values())
    print(f"{max(ranks)} processes, {len(port.copies)} updates of variables: {dict(roles)}")
    bring = sorted(u for u, found in port.copies.items() if found.role is Role.BRINGS)
    if chosen.count:
        bring = random.Random(chosen.seed).sample(bring, min(chosen.count, len(bring)))
    fates = Counter(fate(port, update) for update in bring)
    print(f"left out one by one: {dict(fates)}")
    return 1 if fates["missed"] or port.findings else 0


def fate(port: LoggedPort, update: Update) -> str:
    """What a run without the update shows: reported, missed, or unused."""
    without = port.without([update], POISONS[0])
    place = f"{update.at} {update.side}({update.variable})"
    if without.findings:
        first = without.findings[0]
        print(f"{place}: reported: {first.kind} at {first.at}", flush=True)
        return "reported"
    found = "unused" if port.brings_unused([update]) else "missed"
    print(f"{place}: {found}: {without.difference or 'all bits are the same'}", flush=True)
    return found


if __name__ == "__main__":
    sys.exit(main())
