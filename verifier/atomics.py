"""The variables that a port updates under `atomic`."""

from acclimate.analysis.directives import parse
from acclimate.verifier.governed import GovernedLoop
from acclimate.verifier.source_file import SourceFile


def atomic_targets(file: SourceFile, loop: GovernedLoop) -> frozenset[str]:
    """Names assigned by the statement or block that follows each ATOMIC inside the loop."""
    found: set[str] = set()
    for directive in file.directives:
        if not loop.contains(directive.at.first):
            continue
        construct = parse(directive)
        if not construct.name.startswith("atomic"):
            continue
        is_block = any(clause.name == "capture" for clause in construct.clauses)
        after = [s for s in file.statements if s.at.first > directive.at.last]
        for statement in after[: 2 if is_block else 1]:
            if statement.tokens:
                found.add(statement.tokens[0])
    return frozenset(found)
