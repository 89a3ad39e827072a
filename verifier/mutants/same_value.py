"""Does a changed condition or assignment ever have another value where a run comes to it?

Before the statement the port asks whether both versions agree, and stops where they do not. While
they agree, what follows is the same in both, so a run that is not stopped is the changed port's.
Where an assignment is left out, a first value may be what the memory happened to hold: that is
asked only of variables whose memory is poisoned before anybody sets it, or that have an initial
value. Of others, those of modules and COMMON among them, a run cannot tell.
"""

from acclimate.analysis.dependence.lifetimes import is_private_to
from acclimate.analysis.ir import Expr, Literal, Name, Unit
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.project import Project
from acclimate.analysis.source import Edit, apply_edits
from acclimate.verifier.building.build import BuildFailure, Extra, build
from acclimate.verifier.building.variant import variant_tree
from acclimate.verifier.comparing.comparison import compare
from acclimate.verifier.mutants.mutant import Mutant
from acclimate.verifier.subject import Length, Subject
from acclimate.verifier.texts.source_file import SourceFile
from acclimate.verifier.texts.statements import (
    Statement,
    read_statements,
    source_lines,
    token_spans,
)
from acclimate.verifier.toolchains import Build
from acclimate.verifier.trials.shaking import UNSET

_INTRINSIC = frozenset({"integer", "real", "double precision", "complex", "logical", "character"})
_OTHER_HEADS = frozenset({"if", "where", "forall", "elseif", "else"})
# glibc fills fresh memory with the complement of this byte, but for what its caches hand out.
_UNSET_HEAP = {"MALLOC_PERTURB_": "165", "GLIBC_TUNABLES": "glibc.malloc.tcache_count=0"}


def has_same_value(base: Subject, mutant: Mutant) -> bool:
    """Whether the short run of the port shows it. False also where it cannot be asked."""
    file = base.port_files[mutant.at.file]
    question, is_left_out = _question(file, mutant)
    if not question or is_left_out and not _starts_as_poison(base, mutant):
        return False
    poison = Extra(files=frozenset(base.port.sources), flags=UNSET) if is_left_out else Extra()
    asked = source_lines(f"if ({question}) error stop 97", file.form)
    edit = Edit(file.name, mutant.at.first, mutant.at.first - 1, tuple(asked))
    changed = {file.name: apply_edits(file.data, [edit])}
    tree = variant_tree(base.port, changed, base.work / "variants" / "same-value")
    made = build(tree, base.toolchain, Build.PLAIN, base.work, poison)
    if isinstance(made, BuildFailure):
        return False
    heap = _UNSET_HEAP if is_left_out else {}
    run = base.run(made.executable, "same-value", Length.SHORT, environment=heap)
    whole = base.baseline(Length.SHORT).outputs
    return run.ok and compare(whole, run.outputs, base.masks).identical


def _starts_as_poison(base: Subject, mutant: Mutant) -> bool:
    """Whether the variable that is set has an initial value, or one that tells, before it is set.

    The compiler fills variables of intrinsic types that a call or the main program has to itself,
    the allocator what is allocated. It fills no modules, COMMON, EQUIVALENCE, components, nor what
    is as long as an argument says.
    """
    project = base.index.project
    unit = project.units.get(mutant.unit)
    first = next(s for s in base.port_files[mutant.at.file].statements if s.at == mutant.at)
    found = project.resolve(unit, first.tokens[0]) if unit is not None else None
    if unit is None or not isinstance(found, Variable):
        return False
    symbol, owner = found.symbol, found.symbol.owner
    if owner is None:
        return False
    if symbol.initial is not None:
        return symbol.common is None and not owner.equivalences
    if symbol.type not in _INTRINSIC or not is_private_to(symbol, owner):
        return False
    ends = [end for d in symbol.dims for end in (d.lower, d.upper) if end is not None]
    return "allocatable" in symbol.attributes or all(_is_fixed(project, owner, e) for e in ends)


def _is_fixed(project: Project, unit: Unit, end: Expr) -> bool:
    """Whether it is a number or a named constant."""
    if not isinstance(end, Name):
        return isinstance(end, Literal)
    found = project.resolve(unit, end.id)
    return isinstance(found, Variable) and found.symbol.is_parameter


def _question(file: SourceFile, mutant: Mutant) -> tuple[str, bool]:
    """True where the versions differ; "" where that is no question of one value.

    Second, whether an assignment is left out.
    """
    changed = read_statements(
        apply_edits(file.data, [mutant.edit]), file.name, file.form, file.width
    )
    first = mutant.at.first
    was = [s for s in file.statements if s.at.first == first]
    now = [s for s in changed if s.at.first == first]
    if len(was) != 1 or len(now) != 1 or was[0].label or mutant.at != was[0].at:
        return "", False
    for form, asked in (
        (_condition, ".not. (({was}) .eqv. ({now}))"),
        (_assignment, "any([{was}] /= [{now}])"),
    ):
        (old, rest), (new, other) = form(was[0]), form(now[0])
        if old and new and rest == other:
            return asked.format(was=old, now=new), False
    value, variable = _assignment(was[0])
    if now[0].tokens != ("continue",) or not value:
        return "", False
    return f"any([{variable}] /= [{value}])", True


def _condition(statement: Statement) -> tuple[str, str]:
    """The condition of an IF statement and what it governs, or two empty texts."""
    words = statement.tokens
    end = _closing(words, 1)
    if words[:2] != ("if", "(") or end >= len(words) - 1:
        return "", ""
    return _text(statement, 2, end), " ".join(words[end + 1 :])


def _assignment(statement: Statement) -> tuple[str, str]:
    """The value of an assignment and the variable, or two empty texts."""
    words = statement.tokens
    end = 1
    while words[end : end + 1] in (("(",), ("%",)):
        end = _closing(words, end) + 1 if words[end] == "(" else end + 2
    if words[0] in _OTHER_HEADS or words[end : end + 1] != ("=",):
        return "", ""
    return _text(statement, end + 1, len(words)), " ".join(words[:end])


def _closing(words: tuple[str, ...], opening: int) -> int:
    """The position of the parenthesis that closes; behind the end where none does."""
    depth = 0
    for number in range(opening, len(words)):
        depth += (words[number] == "(") - (words[number] == ")")
        if depth == 0:
            return number
    return len(words)


def _text(statement: Statement, first: int, last: int) -> str:
    spans = token_spans(statement.text)
    return statement.text[spans[first][0] : spans[last - 1][1]]
