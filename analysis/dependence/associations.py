"""ASSOCIATE names: what they stand for at each statement."""

from acclimate.analysis.dependence.statements import bodies
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import Associate, Expr, Statement

Aliases = dict[str, Expr]


class Associations:
    """The associations around every statement of a unit, inner selectors already replaced."""

    def __init__(self, statements: list[Statement]) -> None:
        self._at: dict[int, Aliases] = {}
        self._around: dict[int, tuple[Associate, ...]] = {}
        self._scan(statements, {}, ())

    def at(self, statement: Statement) -> Aliases:
        return self._at.get(id(statement), {})

    def around(self, statement: Statement) -> tuple[Associate, ...]:
        """The ASSOCIATE constructs that enclose a statement, outermost first."""
        return self._around.get(id(statement), ())

    def _scan(
        self, statements: list[Statement], aliases: Aliases, around: tuple[Associate, ...]
    ) -> None:
        for statement in statements:
            if aliases:
                self._at[id(statement)], self._around[id(statement)] = aliases, around
            inner, inside = aliases, around
            if isinstance(statement, Associate):
                own = {name: replaced(e, aliases) for name, e in statement.associations}
                inner, inside = {**aliases, **own}, (*around, statement)
            for body in bodies(statement):
                self._scan(body, inner, inside)
