"""The variables that a port updates under `atomic`."""

from acclimate.analysis.directives import parse
from acclimate.verifier.texts.governed import GovernedLoop
from acclimate.verifier.texts.source_file import SourceFile


def atomic_targets(file: SourceFile, loop: GovernedLoop) -> frozenset[str]:
    """Names assigned by the statement or block that follows each ATOMIC inside the loop.

    What ATOMIC READ assigns is protected by nothing, and a value that is read by one ATOMIC and
    written by another can be lost in between.
    """
    found: set[str] = set()
    read: set[str] = set()
    written: set[str] = set()
    for directive in file.directives:
        if not loop.contains(directive.at.first):
            continue
        construct = parse(directive)
        if not construct.name.startswith("atomic"):
            continue
        clauses = {clause.name for clause in construct.clauses}
        after = [s for s in file.statements if s.at.first > directive.at.last]
        for statement in after[: 2 if "capture" in clauses else 1]:
            if "read" in clauses:
                read.update(statement.tokens[2:3])
            elif "write" in clauses:
                written.update(statement.tokens[:1])
            else:
                found.update(statement.tokens[:1])
    return frozenset(found | (written - read))
