"""Hints: `!$acclimate parallel`, `private(a, b)`, `skip`, `injective(idx)`, `noalias(p, q)`.

They stand before a DO loop or an array statement. Several words may stand in one comment, several
comments before one loop. A promise about data (`injective`, `noalias`) holds in the loops inside
as well, and so does `skip`; `parallel` and `private` are said of the one loop.
"""

from bisect import bisect_right
from difflib import get_close_matches

from acclimate.analysis.dependence.associations import Associations
from acclimate.analysis.dependence.promises import bare
from acclimate.analysis.dependence.statements import bodies, inside
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.directives import split_arguments, words
from acclimate.analysis.facts import Hint
from acclimate.analysis.ir import (
    Assignment,
    Component,
    Directive,
    Do,
    Expr,
    Forall,
    Name,
    Statement,
    Unit,
    Where,
)
from acclimate.analysis.names.resolution import Variable
from acclimate.analysis.problems import Problem
from acclimate.analysis.project import Project
from acclimate.analysis.source import Lines, Span

SENTINEL = "acclimate"
_LEAST_NAMES = {"parallel": 0, "skip": 0, "private": 1, "injective": 1, "noalias": 1}
_INHERITED = ("skip", "injective", "noalias")
_EXAMPLE = (
    "the words are parallel, private(a, b), skip, injective(idx) and noalias(p, q), "
    "in a comment before the loop"
)


class Hints:
    """The hints of one unit.

    Raises:
        Problem: a hint has an unknown word or name, takes for an index table what is none, or
            stands before no loop or array statement.
    """

    def __init__(self, project: Project, unit: Unit) -> None:
        self._project, self._unit = project, unit
        self._own: dict[int, tuple[Hint, ...]] = {}
        self._inherited: dict[int, tuple[Hint, ...]] = {}
        directives = [d for d in unit.directives if d.sentinel == SENTINEL]
        if directives:
            self._associations = Associations(unit.body)
            self._attach(directives)
            self._hand_down(unit.body, ())

    def of(self, statement: Statement) -> tuple[Hint, ...]:
        """Hints that stand before the statement."""
        return self._own.get(id(statement), ())

    def around(self, statement: Statement) -> tuple[Hint, ...]:
        """Hints before loops around it that hold in it as well."""
        return self._inherited.get(id(statement), ())

    def in_force(self, statement: Statement) -> tuple[Hint, ...]:
        """All hints that speak of the statement, those before it first."""
        return (*self.of(statement), *self.around(statement))

    def _attach(self, directives: list[Directive]) -> None:
        by_file: dict[str, list[Statement]] = {}
        for statement in inside(self._unit.body):
            by_file.setdefault(statement.at.file, []).append(statement)
        for statements in by_file.values():
            statements.sort(key=lambda s: s.at)
        for directive in directives:
            following = by_file.get(directive.at.file, [])
            place = bisect_right([s.at.first for s in following], directive.at.last)
            target = following[place] if place < len(following) else None
            if target is None or not self._is_judged(target):
                raise self._problem(directive.at, "a hint stands before no loop", _EXAMPLE)
            self._own[id(target)] = (*self.of(target), *self._parsed(directive))

    def _is_judged(self, statement: Statement) -> bool:
        """Is it a loop, or does it assign to an array?"""
        if not isinstance(statement, Assignment):
            return isinstance(statement, Do | Where | Forall)
        target = replaced(statement.target, self._associations.at(statement))
        return bool(self._project.rank(self._unit, target))

    def _hand_down(self, statements: list[Statement], given: tuple[Hint, ...]) -> None:
        for statement in statements:
            if given:
                self._inherited[id(statement)] = given
            own = tuple(hint for hint in self.of(statement) if hint.word in _INHERITED)
            for body in bodies(statement):
                self._hand_down(body, (*given, *own))

    def _parsed(self, directive: Directive) -> tuple[Hint, ...]:
        found = []
        text = directive.text
        if text.count("(") != text.count(")"):
            raise self._problem(directive.at, f"'{text}': the parentheses do not match", _EXAMPLE)
        for word, arguments in words(text):
            names = () if arguments is None else split_arguments(arguments.replace(" ", ""))
            self._check(directive.at, word, names, arguments)
            found.append(Hint(directive.at, word, names))
        if not found or _left_over(text):
            raise self._problem(directive.at, f"'{text}' is not a hint", _EXAMPLE)
        return tuple(found)

    def _check(self, at: Lines, word: str, names: tuple[str, ...], arguments: str | None) -> None:
        least = _LEAST_NAMES.get(word)
        if least is None:
            near = get_close_matches(word, _LEAST_NAMES, 1, 0.5)
            raise self._problem(
                at, f"'{word}' is not a hint", f"did you mean '{near[0]}'?" if near else _EXAMPLE
            )
        if len(names) < least:
            raise self._problem(at, f"'{word}' names no variable", f"write {word}(name)")
        if not least and arguments is not None:
            raise self._problem(at, f"'{word}' takes no names", f"write {word} alone")
        for name in names:
            root = name.partition("%")[0].partition("(")[0]
            known = root in self._unit.mentioned or root in self._unit.symbols
            if not known or not isinstance(self._project.resolve(self._unit, root), Variable):
                near = get_close_matches(root, sorted(self._unit.mentioned), 1)
                raise self._problem(
                    at,
                    f"'{root}' is no variable of '{self._unit.name}'",
                    f"did you mean '{near[0]}'?" if near else "name a variable of the loop",
                )
            if word == "injective" and not self._is_table(name):
                raise self._problem(
                    at,
                    f"'{name}' is no index table",
                    "name an integer array that subscripts are taken from",
                )

    def _is_table(self, name: str) -> bool:
        root, *path = bare(name).split("%")
        expr: Expr = Name(root)
        for component in path:
            expr = Component(expr, component)
        kind = self._project.type_of(self._unit, expr)
        return kind in ("integer", None) and self._project.rank(self._unit, expr) != 0

    def _problem(self, at: Lines, what: str, hint: str) -> Problem:
        where = Span(self._project.manifest.root / at.file, at.first)
        return Problem(what, where=where, hint=hint)


def _left_over(text: str) -> str:
    """What of the text is no word with arguments."""
    rest = text
    for word, arguments in words(text):
        rest = rest.replace(word, "", 1)
        if arguments is not None:
            rest = rest.replace(f"({arguments})", "", 1)
    return rest.replace(",", "").strip()


def check(project: Project) -> None:
    """Read all hints of a project.

    Raises:
        Problem: the first hint that is none.
    """
    for unit in project.units.values():
        Hints(project, unit)
