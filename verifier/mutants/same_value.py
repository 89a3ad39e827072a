"""Does a changed condition or assignment ever have another value where a run comes to it?

Before the statement the port asks whether both versions agree, and stops where they do not. While
they agree, what follows is the same in both, so a run that is not stopped is the changed port's.
"""

from acclimate.analysis.source import Edit, apply_edits
from acclimate.verifier.building.build import BuildFailure, build
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

_OTHER_HEADS = frozenset({"if", "where", "forall", "elseif", "else"})


def has_same_value(base: Subject, mutant: Mutant) -> bool:
    """Whether the short run of the port shows it. False also where it cannot be asked."""
    file = base.port_files[mutant.at.file]
    question = _question(file, mutant)
    if not question:
        return False
    asked = source_lines(f"if ({question}) error stop 97", file.form)
    edit = Edit(file.name, mutant.at.first, mutant.at.first - 1, tuple(asked))
    changed = {file.name: apply_edits(file.data, [edit])}
    tree = variant_tree(base.port, changed, base.work / "variants" / "same-value")
    made = build(tree, base.toolchain, Build.PLAIN, base.work)
    if isinstance(made, BuildFailure):
        return False
    run = base.run(made.executable, "same-value", Length.SHORT)
    whole = base.baseline(Length.SHORT).outputs
    return run.ok and compare(whole, run.outputs, base.masks).identical


def _question(file: SourceFile, mutant: Mutant) -> str:
    """True where the versions differ; "" where that is no question of one value."""
    changed = read_statements(
        apply_edits(file.data, [mutant.edit]), file.name, file.form, file.width
    )
    first = mutant.at.first
    was = [s for s in file.statements if s.at.first == first]
    now = [s for s in changed if s.at.first == first]
    if len(was) != 1 or len(now) != 1 or was[0].label or mutant.at != was[0].at:
        return ""
    for form, asked in (
        (_condition, ".not. (({was}) .eqv. ({now}))"),
        (_assignment, "any([{was}] /= [{now}])"),
    ):
        (old, rest), (new, other) = form(was[0]), form(now[0])
        if old and new and rest == other:
            return asked.format(was=old, now=new)
    value, variable = _assignment(was[0])
    dropped = now[0].tokens == ("continue",) and value
    return f"any([{variable}] /= [{value}])" if dropped else ""


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
