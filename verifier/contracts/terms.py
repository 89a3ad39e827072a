"""Integer terms and conditions in SMT-LIB, as templates that two iterations share.

What is the same in all iterations is a constant `v7` (`b7` for a condition). What each iteration
has for itself is `?v7`; written out for the iterations x and y it becomes `xv7` and `yv7`.
Products and quotients of unknowns are uninterpreted functions: what is proved with them holds for
any function, so for the product too.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

_VARIANT = re.compile(r"\?([vb]\d+)")
_SYMBOL = re.compile(r"(?<![\w?])([xy]?[vb]\d+)(?!\w)")
_FUNCTION = re.compile(r"\((f\d+a(\d+)) ")


@dataclass(frozen=True, slots=True)
class Term:
    """`value` is that of a constant; `exact` tells that nothing was left out of the text."""

    text: str
    value: int | None = None
    exact: bool = True

    @property
    def is_variant(self) -> bool:
        return "?" in self.text


@dataclass(slots=True)
class Symbols:
    """The constants and functions of one kernel, and what each stands for."""

    meanings: dict[str, str] = field(default_factory=dict)
    _invariant: dict[tuple[str, str], str] = field(default_factory=dict)
    _functions: dict[tuple[str, int], str] = field(default_factory=dict)
    applications: dict[str, set[tuple[str, ...]]] = field(default_factory=dict)

    def invariant(self, sort: str, meaning: str) -> Term:
        """The same in all iterations; `sort` is "v" for integers, "b" for conditions."""
        key = (sort, meaning)
        if key not in self._invariant:
            self._invariant[key] = f"{sort}{len(self.meanings)}"
            self.meanings[self._invariant[key]] = meaning
        return Term(self._invariant[key])

    def variant(self, sort: str, meaning: str, *, exact: bool = False) -> Term:
        """A fresh one, whatever its meaning."""
        name = f"{sort}{len(self.meanings)}"
        self.meanings[name] = meaning
        return Term(f"?{name}", exact=exact)

    def apply(self, function: str, arguments: Iterable[Term]) -> Term:
        """A function of integers of which nothing is known but that it is one."""
        texts = tuple(argument.text for argument in arguments)
        key = (function, len(texts))
        if key not in self._functions:
            self._functions[key] = f"f{len(self._functions)}a{len(texts)}"
        name = self._functions[key]
        self.applications.setdefault(function, set()).add(texts)
        return Term(f"({name} {' '.join(texts)})", exact=False)

    def function_name(self, function: str, arity: int) -> str | None:
        return self._functions.get((function, arity))


def number(value: int) -> Term:
    return Term(str(value) if value >= 0 else f"(- {-value})", value)


def plus(*terms: Term) -> Term:
    constant = sum(t.value for t in terms if t.value is not None)
    rest = [t for t in terms if t.value is None]
    if not rest:
        return number(constant)
    if constant:
        rest.append(number(constant))
    if len(rest) == 1:
        return rest[0]
    return Term(f"(+ {' '.join(t.text for t in rest)})", exact=all(t.exact for t in rest))


def negative(term: Term) -> Term:
    if term.value is not None:
        return number(-term.value)
    return Term(f"(- {term.text})", exact=term.exact)


def minus(left: Term, right: Term) -> Term:
    return plus(left, negative(right))


def times(symbols: Symbols, left: Term, right: Term) -> Term:
    if left.value is not None and right.value is not None:
        return number(left.value * right.value)
    if left.value is None and right.value is None:
        first, second = sorted((left, right), key=lambda t: t.text)
        return symbols.apply("*", (first, second))
    return Term(f"(* {left.text} {right.text})", exact=left.exact and right.exact)


def divided(symbols: Symbols, left: Term, right: Term) -> Term:
    """Fortran's quotient of integers: towards zero."""
    if right.value is None or right.value == 0:
        return symbols.apply("/", (left, right))
    size, sign = abs(right.value), "" if right.value > 0 else "- "
    text = f"(ite (>= {left.text} 0) (div {left.text} {size}) (- (div (- {left.text}) {size})))"
    return Term(f"({sign}{text})" if sign else text, exact=left.exact)


def remainder(symbols: Symbols, left: Term, right: Term) -> Term:
    """MOD: with the sign of the dividend."""
    return minus(left, times(symbols, divided(symbols, left, right), right))


def chosen(condition: str, one: Term, other: Term) -> Term:
    return Term(f"(ite {condition} {one.text} {other.text})", exact=one.exact and other.exact)


def extreme(terms: Iterable[Term], *, largest: bool) -> Term:
    first, *rest = terms
    for term in rest:
        order = ">=" if largest else "<="
        first = chosen(f"({order} {first.text} {term.text})", first, term)
    return first


# --- writing out ---------------------------------------------------------------------------------


def of_iteration(text: str, copy: str) -> str:
    """A template for the iteration `copy`, "x" or "y"."""
    return _VARIANT.sub(rf"{copy}\1", text)


def symbols_in(text: str) -> list[str]:
    """The constants in a text, in the order in which they come."""
    return list(dict.fromkeys(_SYMBOL.findall(text)))


def declarations(text: str) -> list[str]:
    """What has to be declared before the text."""
    names = sorted(set(_SYMBOL.findall(text)))
    sorts = {name: "Int" if "v" in name else "Bool" for name in names}
    functions = sorted(set(_FUNCTION.findall(text)))
    return [
        *(f"(declare-const {name} {sort})" for name, sort in sorts.items()),
        *(f"(declare-fun {name} ({'Int ' * int(arity)}) Int)" for name, arity in functions),
    ]


def negated(condition: str) -> str:
    return {"true": "false", "false": "true"}.get(condition, f"(not {condition})")


def both(left: str, right: str) -> str:
    if "false" in (left, right):
        return "false"
    return right if left == "true" else left if right == "true" else f"(and {left} {right})"


def either(left: str, right: str) -> str:
    return (
        negated(both(negated(left), negated(right)))
        if _constant(left, right)
        else (f"(or {left} {right})")
    )


def _constant(*conditions: str) -> bool:
    return any(condition in ("true", "false") for condition in conditions)


def compared(sign: str, left: Term, right: Term) -> str:
    """A relation of integers; of constants, its truth."""
    if left.value is None or right.value is None:
        return f"({sign} {left.text} {right.text})"
    a, b = left.value, right.value
    holds = {"=": a == b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[sign]
    return "true" if holds else "false"


def conjunction(parts: Iterable[str]) -> str:
    found = list(dict.fromkeys(parts))
    return "true" if not found else found[0] if len(found) == 1 else f"(and {' '.join(found)})"


def disjunction(parts: Iterable[str]) -> str:
    found = list(dict.fromkeys(parts))
    return "false" if not found else found[0] if len(found) == 1 else f"(or {' '.join(found)})"
