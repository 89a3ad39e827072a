"""The DO loops that OpenACC directives govern in a port, found in its own text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from acclimate.analysis.directives import Construct, parse, split_arguments
from acclimate.analysis.ir import Directive
from acclimate.analysis.source import Lines
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import Statement

_DO = re.compile(
    r"(?P<head>(?:[a-z]\w*\s*:\s*)?do\b\s*(?:(?P<label>\d+)\s*,?\s*)?)"
    r"(?P<index>[a-z]\w*)\s*=\s*(?P<bounds>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_ANY_DO = re.compile(r"(?:[a-z]\w*\s*:\s*)?do\b(?!\s*=)\s*(?P<label>\d+)?", re.IGNORECASE)
COMPUTE = ("parallel", "serial", "kernels")


@dataclass(frozen=True, slots=True)
class DoLoop:
    """A counted DO statement taken apart; `head` is everything before the index."""

    statement: Statement
    head: str
    index: str
    first: str
    last: str
    step: str  # "" when not written


@dataclass(frozen=True, slots=True)
class GovernedLoop:
    """The loops one `loop` directive speaks of (several with COLLAPSE or TILE), outermost first.

    `region` is the compute construct around it, or "routine" in a procedure compiled for the
    device; `combined` tells `parallel loop` from `loop` inside a construct. `last` is the line of
    the outermost loop's END DO.
    """

    file: str
    directive: Directive
    construct: Construct
    region: str
    combined: bool
    loops: tuple[DoLoop, ...]
    last: int
    enclosing: Construct | None = None  # the compute construct a bare `loop` stands in

    @property
    def line(self) -> int:
        """The line of the outermost DO statement."""
        return self.loops[0].statement.at.first

    @property
    def unit(self) -> str:
        return self.loops[0].statement.unit

    @property
    def parallel(self) -> bool:
        """Whether the iterations may run in any order, by what the directive says."""
        names = {clause.name for clause in self.construct.clauses}
        if "seq" in names or self.region == "serial":
            return False
        return self.region != "kernels" or "independent" in names

    @property
    def reductions(self) -> tuple[tuple[str, str], ...]:
        """(operator, variable) of every REDUCTION clause."""
        return tuple(
            (clause.modifier, variable)
            for clause in self.construct.clauses
            if clause.name == "reduction"
            for variable in clause.args
        )

    def named(self, *clauses: str) -> frozenset[str]:
        """The variables in these clauses, of this directive or of the construct it stands in."""
        around = self.enclosing.arguments(*clauses) if self.enclosing else ()
        return frozenset((*self.construct.arguments(*clauses), *around))

    @property
    def signature(self) -> tuple[str, ...]:
        """What makes two governed loops the same in the original and in the port."""
        headers = [f"{each.index} = {each.first}, {each.last}, {each.step}" for each in self.loops]
        return (self.file, self.unit, self.directive.text, *headers)

    def contains(self, line: int) -> bool:
        return self.line <= line <= self.last

    def spans(self, lines: Lines) -> bool:
        """Whether its directive, its DO loops or what is in them stands on one of these lines."""
        begin = self.directive.at.first
        return self.file == lines.file and begin <= lines.last and lines.first <= self.last


def governed_loops(file: SourceFile) -> tuple[GovernedLoop, ...]:
    """All governed loops of one file, in order; directives without a loop are left out."""
    return tuple(_governed(file))


def compute_constructs(file: SourceFile) -> tuple[Directive, ...]:
    """The directives that begin a compute construct: what may become a kernel."""
    return tuple(d for d in file.directives if (parse(d).name.split() or [""])[0] in COMPUTE)


def _governed(file: SourceFile) -> Iterator[GovernedLoop]:
    region = ""
    enclosing: Construct | None = None
    for directive in file.directives:
        construct = parse(directive)
        words = construct.name.split()
        if not words:
            continue
        if words[0] == "end":
            if words[-1] in COMPUTE:
                region, enclosing = "", None
            continue
        combined = words[0] in COMPUTE and words[-1] == "loop"
        if words[0] in COMPUTE and not combined:
            region, enclosing = words[0], construct
        if words[-1] != "loop":
            continue
        here = words[0] if combined else region or "routine"
        found = _loops(file.statements, directive.at.last, _depth(construct))
        if found:
            last = end_line(file.statements, found[0].statement)
            around = None if combined else enclosing
            yield GovernedLoop(file.name, directive, construct, here, combined, found, last, around)


def _depth(construct: Construct) -> int:
    for clause in construct.clauses:
        if clause.name == "collapse" and clause.args:
            number = clause.args[0].removeprefix("force:")
            return int(number) if number.isdigit() else 1
        if clause.name == "tile":
            return len(clause.args)
    return 1


def _loops(statements: Sequence[Statement], after: int, depth: int) -> tuple[DoLoop, ...]:
    """The `depth` DO statements that follow line `after` with nothing between them."""
    found: list[DoLoop] = []
    for statement in statements:
        if statement.at.first <= after or is_directive(statement):
            continue
        loop = do_loop(statement)
        if loop is None or len(found) == depth:
            break
        found.append(loop)
    return tuple(found)


def is_directive(statement: Statement) -> bool:
    """OpenMP's lines are kept among the statements, and are comments where OpenACC is obeyed."""
    return statement.tokens[0].startswith("!$")


def do_loop(statement: Statement) -> DoLoop | None:
    """Take a counted DO statement apart; None for anything else."""
    match = _DO.match(statement.text)
    if match is None:
        return None
    bounds = split_arguments(match["bounds"])
    if len(bounds) not in (2, 3):
        return None
    return DoLoop(
        statement,
        match["head"],
        match["index"].lower(),
        bounds[0],
        bounds[1],
        bounds[2] if len(bounds) == 3 else "",
    )


def end_label(statement: Statement) -> str:
    """The label that ends a DO loop, empty where END DO does."""
    opened = _ANY_DO.match(statement.text)
    label = opened["label"] if opened else None
    return label.lstrip("0") if label else ""


def end_line(statements: Sequence[Statement], begin: Statement) -> int:
    """The line of the statement that ends the DO loop beginning at `begin`."""
    start = statements.index(begin)
    label = end_label(begin)
    depth = 0
    for statement in statements[start:]:
        if label:
            if statement.label == label:
                return statement.at.last
            continue
        words = statement.tokens
        if words[:2] == ("end", "do") or words[:1] == ("enddo",):
            depth -= 1
            if depth == 0:
                return statement.at.last
        else:
            inner = _ANY_DO.match(statement.text)
            depth += inner is not None and inner["label"] is None
    return begin.at.last
