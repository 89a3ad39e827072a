"""Which loops run in parallel, how deep, and in which procedures."""

from collections.abc import Iterator
from itertools import islice

from acclimate.analysis.directives import parse
from acclimate.analysis.facts import Verdict
from acclimate.analysis.ir import Directive, Unit
from acclimate.analysis.source import Lines
from acclimate.verifier.mutants.changes import directive_mutant, inserted_directive, replaced
from acclimate.verifier.mutants.directive_text import pieces
from acclimate.verifier.mutants.material import Material
from acclimate.verifier.mutants.mutant import Family, Mutant
from acclimate.verifier.mutants.operators import operator
from acclimate.verifier.texts.governed import COMPUTE, DoLoop, GovernedLoop, do_loop
from acclimate.verifier.texts.statements import tokens

_KEEPING = {"enter data", "data", "declare"}


@operator(Family.DIRECTIVE)
def collapse_deeper(material: Material) -> Iterator[Mutant]:
    """COLLAPSE takes in a loop that was run in order before."""
    for loop in material.governed:
        inner = _next_loop(material, loop)
        if inner is None or not loop.parallel:
            continue
        deeper = ("collapse", str(len(loop.loops) + 1))
        found = [w for w in pieces(loop.directive) if w[0] != "collapse"]
        yield directive_mutant(
            material,
            "collapse_deeper",
            loop.directive,
            (*found, deeper),
            f"the loop over '{inner.index}' is collapsed with those around it",
            loop.unit,
            _independent(material, loop, inner),
        )


@operator(Family.DIRECTIVE)
def collapse_less(material: Material) -> Iterator[Mutant]:
    """COLLAPSE leaves out the innermost loop."""
    for loop in material.governed:
        depth = len(loop.loops)
        for position, word in enumerate(pieces(loop.directive)):
            if word[0] == "collapse" and depth > 1:
                new = (("collapse", str(depth - 1)),) if depth > 2 else ()
                yield directive_mutant(
                    material,
                    "collapse_less",
                    loop.directive,
                    replaced(loop.directive, position, *new),
                    f"the loop over '{loop.loops[-1].index}' is no longer collapsed",
                    loop.unit,
                    "the loop left out runs in order within each iteration",
                )


@operator(Family.DIRECTIVE)
def drop_kernel(material: Material) -> Iterator[Mutant]:
    """A kernel runs on the host, where the fields are not."""
    names = {parse(d).name for _, d in material.directives}
    alone = "" if names & _KEEPING else "no data is on the device but in a kernel: the host has it"
    for loop in material.governed:
        name = " ".join(word for word in loop.construct.name.split())
        if loop.combined and loop.region in COMPUTE and f"end {name}" not in names:
            inner = any(o is not loop and o.file == loop.file and loop.contains(o.line)
                        for o in material.governed)  # fmt: skip
            if not inner:
                yield directive_mutant(
                    material,
                    "drop_kernel",
                    loop.directive,
                    (),
                    "the loop runs on the host",
                    loop.unit,
                    alone,
                )


@operator(Family.DIRECTIVE)
def parallel_on_serial(material: Material) -> Iterator[Mutant]:
    """A loop that carries a dependence is called parallel."""
    governed = {(g.file, each.statement.at.first) for g in material.governed for each in g.loops}
    for (file, line), facts in sorted(material.loops.items()):
        if facts.verdict is not Verdict.SERIAL or (file, line) in governed:
            continue
        if file not in material.files or material.statement(facts.at) is None:
            continue
        around = [g for g in material.governed if g.file == file and g.contains(line)]
        text = "loop vector" if around else "parallel loop"
        yield inserted_directive(
            material,
            "parallel_on_serial",
            facts.at,
            text,
            f"the loop over '{facts.index}' carries a dependence and is called parallel",
            facts.unit,
        )


@operator(Family.DIRECTIVE)
def seq_as_parallel(material: Material) -> Iterator[Mutant]:
    """LOOP SEQ before a loop that carries a dependence becomes LOOP VECTOR."""
    for loop in material.governed:
        facts = material.loops.get((loop.file, loop.line))
        if facts is None or facts.verdict is not Verdict.SERIAL:
            continue
        for position, word in enumerate(pieces(loop.directive)):
            if word == ("seq", None):
                yield directive_mutant(
                    material,
                    "seq_as_parallel",
                    loop.directive,
                    replaced(loop.directive, position, ("vector", None)),
                    f"the loop over '{facts.index}' is no longer sequential",
                    loop.unit,
                )


@operator(Family.DIRECTIVE)
def drop_loop_seq(material: Material) -> Iterator[Mutant]:
    """LOOP SEQ is gone from a loop within a parallel construct."""
    for loop in material.governed:
        names = {clause.name for clause in loop.construct.clauses}
        if loop.construct.name == "loop" and names == {"seq"} and _in_parallel(material, loop):
            yield directive_mutant(
                material,
                "drop_loop_seq",
                loop.directive,
                (),
                "the loop has no directive",
                loop.unit,
                "a loop without a directive in a PARALLEL construct runs in order",
            )


@operator(Family.DIRECTIVE)
def drop_routine(material: Material) -> Iterator[Mutant]:
    """A procedure called in a kernel is not compiled for the device."""
    for unit, directive in material.directives:
        if parse(directive).name == "routine" and _is_called(material, unit):
            yield directive_mutant(
                material,
                "drop_routine",
                directive,
                (),
                f"'{unit.name}' has no acc routine",
                unit.qualified_name,
            )


@operator(Family.DIRECTIVE)
def drop_atomic(material: Material) -> Iterator[Mutant]:
    """An update of an element that iterations share is not protected."""
    bracketed = any(parse(d).name == "end atomic" for _, d in material.directives)
    for unit, directive in () if bracketed else material.directives:
        if parse(directive).name.startswith("atomic"):
            yield directive_mutant(
                material, "drop_atomic", directive, (), "ATOMIC is gone", unit.qualified_name
            )


@operator(Family.DIRECTIVE)
def async_without_wait(material: Material) -> Iterator[Mutant]:
    """A kernel or an update is put on a queue that nothing waits for."""
    for unit, directive in material.directives:
        words = pieces(directive)
        asked = {word for word, _ in words}
        if words[0][0] not in (*COMPUTE, "update") or "async" in asked:
            continue
        yield directive_mutant(
            material,
            "async_without_wait",
            directive,
            (*words, ("async", "7")),
            f"{words[0][0]} is asynchronous, and nothing waits for it",
            unit.qualified_name,
        )


@operator(Family.DIRECTIVE)
def drop_wait(material: Material) -> Iterator[Mutant]:
    """A WAIT for asynchronous work is gone; the next one does for it where nothing is between."""
    found = [(unit, d) for unit, d in material.directives if parse(d).name == "wait"]
    for unit, directive in found:
        equivalent = _again(material, directive, [d for _, d in found])
        yield directive_mutant(
            material, "drop_wait", directive, (), "WAIT is gone", unit.qualified_name, equivalent
        )


def _again(material: Material, directive: Directive, others: list[Directive]) -> str:
    """Whether an equal directive follows with no statement and no directive between."""
    file = material.files[directive.at.file]
    for other in others:
        same = other.text == directive.text and other.at.file == file.name
        if same and other.at.first > directive.at.last:
            between = range(directive.at.last + 1, other.at.first)
            taken = {s.at.first for s in file.statements} | {d.at.first for d in file.directives}
            if not taken & set(between):
                return f"the same WAIT follows at line {other.at.first}"
    return ""


def _is_called(material: Material, unit: Unit) -> bool:
    name = material.index.project.name_of(unit)
    return any(call.callee == name for call in material.index.calls)


def _in_parallel(material: Material, loop: GovernedLoop) -> bool:
    return any(
        other.region == "parallel" and other.file == loop.file and other.contains(loop.line)
        for other in material.governed
        if other is not loop
    )


def _next_loop(material: Material, loop: GovernedLoop) -> DoLoop | None:
    """The DO statement that follows the innermost collapsed one, with nothing between."""
    last = loop.loops[-1].statement
    statements = material.files[loop.file].statements
    position = statements.index(last) + 1
    if position >= len(statements) or not loop.contains(statements[position].at.first):
        return None
    found = do_loop(statements[position])
    between = range(last.at.last, statements[position].at.first)
    directives = {d.at.first for d in material.files[loop.file].directives}
    return None if directives & set(between) else found


def _independent(material: Material, loop: GovernedLoop, inner: DoLoop) -> str:
    """Why the inner loop may be collapsed as well, or nothing."""
    facts = material.loops.get((loop.file, inner.statement.at.first))
    if facts is None or facts.conditions:
        return ""
    safe = facts.verdict is Verdict.ATOMIC and _is_atomic(material, loop, facts.atomic)
    if facts.verdict is not Verdict.PARALLEL and not safe:
        return ""
    bounds = {word for text in (inner.first, inner.last, inner.step) for word in tokens(text)}
    if bounds & {each.index for each in loop.loops}:
        return ""
    if not _ends_together(material, loop, inner, facts.end):
        return ""
    needed = set(facts.private) | set(facts.firstprivate)
    if needed - loop.named("private", "firstprivate") - {inner.index}:
        return ""
    return f"the iterations of the loop over '{inner.index}' are independent as well"


def _is_atomic(material: Material, loop: GovernedLoop, variables: tuple[str, ...]) -> bool:
    """Whether the variables are updated, each time by ATOMIC, and not mentioned otherwise.

    A statement that calls may mention them where it cannot be seen.
    """
    inside = list(material.inside(loop))
    protected: set[int] = set()  # positions
    for directive in material.files[loop.file].directives:
        if parse(directive).name in ("atomic", "atomic update"):
            behind = (n for n, s in enumerate(inside) if s.at.first > directive.at.last)
            protected |= {*islice(behind, 1)} if loop.contains(directive.at.first) else set()
    names = {name.split("%")[0] for name in variables}
    found = [n for n, s in enumerate(inside) if {*names, "call"} & {*s.tokens}]
    return bool(found) and protected.issuperset(found)


def _ends_together(material: Material, loop: GovernedLoop, inner: DoLoop, end: Lines) -> bool:
    """Whether nothing but END DO statements stands behind the inner loop."""
    behind = (s for s in material.inside(loop) if s.at.first > end.last)
    return all(s.tokens in (("end", "do"), ("enddo",)) for s in behind)
