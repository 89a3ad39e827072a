"""Conditions that are the same in all iterations, in the words of the source."""

from collections.abc import Sequence

from acclimate.analysis.dependence.affine import Affine, Atom, AtomKind
from acclimate.analysis.dependence.conditions import Literal, Relation
from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.intrinsics import INTRINSIC_OPERATORS
from acclimate.analysis.dependence.records import Access
from acclimate.analysis.facts import Condition, ConditionKind


def configured(
    context: Context, case: tuple[Literal, ...], name: str, accesses: Sequence[Access]
) -> Condition | None:
    """The condition that the case holds; None where there is none, or no words for it."""
    wording = _Wording(context)
    spelt = [wording.literal(literal) for literal in case]
    texts = [text for text in spelt if text is not None]
    if not texts or len(texts) != len(spelt):
        return None
    references = tuple(dict.fromkeys(access.at for access in accesses))
    return Condition(ConditionKind.CONFIGURED, (" .and. ".join(texts), name), references)


class _Wording:
    """Values at the entry of the loop as Fortran expressions; None for any other."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def literal(self, literal: Literal) -> str | None:
        form = literal.form
        if literal.relation is Relation.HOLDS:
            text = self._sum(form)
            return text if literal.positive or text is None else f".not. ({text})"
        positive = Affine(max(form.constant, 0), tuple(t for t in form.terms if t[1] > 0))
        left, right = self._sum(positive), self._sum(positive - form)
        if left is None or right is None:
            return None
        if literal.relation is Relation.NEGATIVE:
            return f"{left} < {right}"
        return f"{left} {'==' if literal.positive else '/='} {right}"

    def _sum(self, form: Affine) -> str | None:
        text = ""
        for number, coefficient in form.terms:
            part = self._atom(self._context.values.atom(number))
            if part is None:
                return None
            sign = "-" if coefficient < 0 else "+" if text else ""
            text += f"{sign}{abs(coefficient)}*{part}" if abs(coefficient) > 1 else f"{sign}{part}"
        if form.constant or not text:
            text += f"+{form.constant}" if text and form.constant > 0 else str(form.constant)
        return text

    def _atom(self, atom: Atom) -> str | None:
        if atom.variant:
            return None
        if atom.kind is AtomKind.ENTRY:
            return self._entry(atom.name)
        if atom.name == "pointed":
            return self._sum(atom.args[0])
        kind, colon, key = atom.name.partition(":")
        if colon:
            name = self._entry(key) if kind == "element" else None
            return None if name is None else self._call(name, atom.args[1:])
        if atom.name in INTRINSIC_OPERATORS:
            return self._operation(atom.name, atom.args)
        name, _, named = atom.name.partition("(")
        return self._call(name, atom.args) if named.strip(",") == ")" else None

    def _entry(self, name: str) -> str | None:
        if name.startswith("literal:"):
            return name.split(":", 2)[2]
        if name.startswith("parameter:"):
            return name.rpartition("::")[2]
        return self._context.record.names.get(name)

    def _operation(self, operator: str, args: tuple[Affine, ...]) -> str | None:
        parts = [self._sum(arg) for arg in args]
        if any(part is None for part in parts):
            return None
        if len(parts) == 1:
            return f"({operator} {parts[0]})"
        return f"({parts[0]} {operator} {parts[1]})"

    def _call(self, name: str, args: tuple[Affine, ...]) -> str | None:
        parts = [self._sum(arg) for arg in args]
        texts = [part for part in parts if part is not None]
        return f"{name}({', '.join(texts)})" if len(texts) == len(parts) else None
