"""Names of BLOCK constructs, made names of the unit that are like no other."""

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar

from acclimate.analysis.ir import (
    Associate,
    BlockConstruct,
    Branch,
    Continue,
    Do,
    Expr,
    ForallIndex,
    ImpliedDo,
    Jump,
    Name,
    Statement,
    Symbol,
)
from acclimate.analysis.source import Lines

_EXPRESSIONS = (*Expr.__args__, ForallIndex)

T = TypeVar("T")


def enter(
    block: BlockConstruct, declared: Mapping[str, Symbol], symbols: dict[str, Symbol]
) -> None:
    """Put what the block declares among the unit's symbols, renamed in all that the block says.

    Blocks inside have been entered before.
    """
    names = {name: f"{name}@{block.at.first}" for name in declared}
    for symbol in declared.values():
        symbol.name = names[symbol.name]
        symbols[symbol.name] = symbol
    block.names = tuple(names.values())
    inside = [own for inner in _blocks(block.body) for own in inner.names]
    for symbol in (*declared.values(), *(symbols[name] for name in inside)):
        symbol.dims = _renamed(symbol.dims, names)
        symbol.initial = _renamed(symbol.initial, names)
    _rename_all(block.body, names)


def leave_by_label(body: list[Statement], name: str, end: Lines, label: str) -> None:
    """EXIT from the named block becomes a jump to its end."""
    exits = [s for s in _jumps(body) if s.keyword == "exit" and s.construct == name]
    for statement in exits:
        statement.keyword, statement.construct, statement.targets = "goto", None, (label,)
    if exits:
        body.append(Continue(at=end, label=label))


def _jumps(statements: list[Statement]) -> Iterator[Jump]:
    for statement in statements:
        if isinstance(statement, Jump):
            yield statement
        for body in _bodies(statement):
            yield from _jumps(body)


def _bodies(statement: Statement) -> list[list[Statement]]:
    lists = [
        value for f in fields(statement) if isinstance(value := getattr(statement, f.name), list)
    ]
    return [
        body
        for found in lists
        for body in ([b.body for b in found] if found and isinstance(found[0], Branch) else [found])
    ]


def _blocks(statements: list[Statement]) -> list[BlockConstruct]:
    found: list[BlockConstruct] = []
    for statement in statements:
        if isinstance(statement, BlockConstruct):
            found.append(statement)
        for body in _bodies(statement):
            found += _blocks(body)
    return found


def _rename_all(statements: list[Statement], names: Mapping[str, str]) -> None:
    for statement in statements:
        _rename(statement, names)


def _rename(statement: Statement | Branch, names: Mapping[str, str]) -> None:
    inner = names
    if isinstance(statement, Associate):
        hidden = {name for name, _ in statement.associations}
        inner = {name: new for name, new in names.items() if name not in hidden}
        statement.associations = tuple(
            (name, _renamed(selector, names)) for name, selector in statement.associations
        )
    for field in fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, list):
            for item in value:
                _rename(item, inner)
        elif isinstance(value, (*_EXPRESSIONS, tuple)):
            setattr(statement, field.name, _renamed(value, names))
    if isinstance(statement, Do) and statement.index is not None:
        statement.index = names.get(statement.index, statement.index)


def _renamed(value: T, names: Mapping[str, str]) -> T:
    """An expression, or a tuple that may hold some, with names replaced."""
    match value:
        case Name():
            return Name(names.get(value.id, value.id))  # type: ignore[return-value]
        case tuple():
            return tuple(_renamed(item, names) for item in value)  # type: ignore[return-value]
    if not isinstance(value, _EXPRESSIONS) and not hasattr(value, "shape"):
        return value
    assert is_dataclass(value) and not isinstance(value, type)
    changed = {f.name: _renamed(getattr(value, f.name), names) for f in fields(value)}
    if isinstance(value, ImpliedDo | ForallIndex):
        changed["index"] = names.get(value.index, value.index)
    return replace(value, **changed)
