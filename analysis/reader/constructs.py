"""DO, IF, SELECT CASE, SELECT TYPE, WHERE, FORALL, ASSOCIATE."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from tree_sitter import Node

from acclimate.analysis.ir import (
    Associate,
    Binary,
    BlockConstruct,
    Branch,
    Do,
    DoKind,
    Expr,
    Forall,
    ForallIndex,
    If,
    Literal,
    LiteralKind,
    Name,
    Section,
    Statement,
    Unreadable,
    Where,
)
from acclimate.analysis.reader.blocks import leave_by_label

if TYPE_CHECKING:
    from acclimate.analysis.reader.statements import StatementReader

_CLAUSES = frozenset(
    {"elseif_clause", "else_clause", "elsewhere_clause", "masked_elsewhere_clause"}
)
_PLUMBING = frozenset(
    {"block_label_start_expression", "block_label", "end_if_statement", "end_where_statement"}
)


class ConstructReader:
    """Lowers constructs; their blocks go back to the statement reader."""

    def __init__(self, statements: StatementReader) -> None:
        self._statements = statements
        self._position = statements.position
        self._expressions = statements.expressions
        self.lowerings: dict[str, Callable[[Node], Statement | None]] = {
            "do_loop": self._do,
            "if_statement": self._if,
            "where_statement": self._where,
            "select_case_statement": self._select_case,
            "select_type_statement": self._select_type,
            "forall_statement": self._forall,
            "associate_statement": self._associate,
            "block_construct": self._block,
        }

    # --- DO ------------------------------------------------------------------------------------

    def _do(self, node: Node) -> Statement | None:
        head: Node | None = None
        name: str | None = None
        body: list[Node] = []
        end: Node | None = None
        for child in node.named_children:
            if child.type == "do_statement":
                head = child
            elif child.type == "block_label_start_expression":
                name = self._name(child)
            elif child.type == "end_do_loop_statement":
                end = child
            else:
                body.append(child)
        if head is None or end is None:
            return self._statements.opaque(node, "DO loop")
        view = self._position.view(head)
        control = head.named_children[0] if head.named_children else None
        if control is not None and control.type == "concurrent_statement":
            return self._concurrent(node, control, body, end)
        loop = Do(
            at=view.at,
            label=view.label,
            kind=DoKind.FOREVER,
            body=[],
            end=self._position.at(end),
            name=name,
            directives=self._position.directives_before(head),
            shared_terminal=view.shared_terminal,
            after_terminal=view.after_terminal,
        )
        if control is not None and not self._control(loop, control):
            loop.kind = DoKind.WHILE
            loop.condition = self._expressions.give_up(control)
        loop.body = self._statements.block(body, self._position.row(end))
        return loop

    def _name(self, node: Node) -> str:
        return self._statements.text.of(node).split(":")[0].strip()

    def _control(self, loop: Do, control: Node) -> bool:
        parts = self._expressions.read_all(control.named_children)
        if control.type == "while_statement" and len(parts) == 1:
            loop.kind, loop.condition = DoKind.WHILE, parts[0]
            return True
        if control.type != "loop_control_expression" or len(parts) not in (3, 4):
            return False
        if not isinstance(parts[0], Name):
            return False
        loop.kind = DoKind.COUNTED
        loop.index, loop.first, loop.last = parts[0].id, parts[1], parts[2]
        loop.step = parts[3] if len(parts) == 4 else None
        return True

    def _concurrent(self, node: Node, control: Node, body: list[Node], end: Node) -> Statement:
        """One Do for each index, outermost first; the mask stands on the innermost."""
        view = self._position.view(node)
        loops: list[Do] = []
        mask: Expr | None = None
        for part in [c for header in control.named_children for c in header.named_children]:
            if part.type == "concurrent_mask":
                mask = self._expressions.read(part.named_children[0])
                continue
            index = part.named_children[0] if part.type == "concurrent_control" else None
            first, last = part.child_by_field_name("initial"), part.child_by_field_name("final")
            step = part.child_by_field_name("step")
            if index is None or first is None or last is None:
                return self._statements.opaque(node, "DO CONCURRENT")
            loops.append(
                Do(
                    at=view.at,
                    label=view.label,
                    kind=DoKind.CONCURRENT,
                    body=[],
                    end=self._position.at(end),
                    index=self._statements.text.of(index),
                    first=self._expressions.read(first),
                    last=self._expressions.read(last),
                    step=self._expressions.read(step) if step is not None else None,
                )
            )
        loops[0].directives = self._position.directives_before(node)
        loops[-1].condition = mask
        loops[-1].body = self._statements.block(body, self._position.row(end))
        for outer, inner in zip(loops, loops[1:], strict=False):
            outer.body = [inner]
        return loops[0]

    # --- branches ------------------------------------------------------------------------------

    def _if(self, node: Node) -> Statement:
        view = self._position.view(node)
        branches, is_construct = self._branches(node, "end_if_statement")
        return If(
            at=view.at,
            label=view.label,
            branches=branches,
            end=self._position.end(node) if is_construct else view.at,
            is_construct=is_construct,
        )

    def _where(self, node: Node) -> Statement:
        view = self._position.view(node)
        branches, is_construct = self._branches(node, "end_where_statement")
        return Where(
            at=view.at,
            label=view.label,
            branches=branches,
            end=self._position.end(node) if is_construct else view.at,
            is_construct=is_construct,
        )

    def _branches(self, node: Node, ending: str) -> tuple[list[Branch], bool]:
        parts = [(node, [c for c in node.named_children if c.type not in _CLAUSES])]
        parts += [(c, c.named_children) for c in node.named_children if c.type in _CLAUSES]
        ends = [c for c in node.named_children if c.type == ending]
        end_row = self._position.row(ends[0]) if ends else self._position.row(node)
        starts = [self._position.row(part) for part, _ in parts[1:]] + [end_row]
        branches: list[Branch] = []
        for (part, children), until in zip(parts, starts, strict=True):
            body = [c for c in children if c.type not in _PLUMBING]
            condition: Expr | None = None
            if part.type not in ("else_clause",) and body and self._is_condition(part, body[0]):
                condition = self._expressions.read(body.pop(0))
            at = self._position.at(part)
            branches.append(
                Branch(condition=condition, body=self._statements.block(body, until), at=at)
            )
        return branches, bool(ends)

    @staticmethod
    def _is_condition(part: Node, child: Node) -> bool:
        return child.type == "parenthesized_expression" and (
            child.start_point[0] == part.start_point[0]
        )

    # --- SELECT CASE ---------------------------------------------------------------------------

    def _select_case(self, node: Node) -> Statement:
        view = self._position.view(node)
        selector: Expr | None = None
        branches: list[Branch] = []
        cases = [c for c in node.named_children if c.type == "case_statement"]
        rows = [self._position.row(case) for case in cases[1:]]
        rows.append(self._position.row(node) + node.end_point[0] - node.start_point[0])
        for child in node.named_children:
            if child.type == "selector":
                selector = self._expressions.read(child.named_children[0])
        if selector is None:
            return self._statements.opaque(node, "SELECT CASE")
        for case, until in zip(cases, rows, strict=False):
            branches.append(self._case(case, selector, until))
        default = [branch for branch in branches if branch.condition is None]
        return If(
            at=view.at,
            label=view.label,
            branches=[b for b in branches if b.condition is not None] + default,
            end=self._position.end(node),
            is_construct=True,
        )

    def _case(self, node: Node, selector: Expr, until: int) -> Branch:
        condition: Expr | None = None
        body: list[Node] = []
        for child in node.named_children:
            if child.type == "case_value_range_list":
                for value in self._expressions.read_all(child.named_children):
                    test = _case_test(selector, value)
                    condition = test if condition is None else Binary(".or.", condition, test)
            elif child.type not in ("default", "block_label"):
                body.append(child)
        block = self._statements.block(body, until)
        return Branch(condition=condition, body=block, at=self._position.at(node))

    # --- SELECT TYPE ---------------------------------------------------------------------------

    def _select_type(self, node: Node) -> Statement:
        """An IF construct whose conditions nobody can read: dynamic types are not followed.

        A name given to the selector makes an ASSOCIATE around it.
        """
        view = self._position.view(node)
        guards = [c for c in node.named_children if c.type == "type_statement"]
        selectors = [c for c in node.named_children if c.type == "selector"]
        if len(selectors) != 1:
            return self._statements.opaque(node, "SELECT TYPE")
        last = self._position.row(node) + node.end_point[0] - node.start_point[0]
        untils = [self._position.row(guard) for guard in guards[1:]] + [last]
        branches = [self._guard(g, until) for g, until in zip(guards, untils, strict=False)]
        branches.sort(key=lambda branch: branch.condition is None)
        end = self._position.end(node)
        construct = If(at=view.at, label=view.label, branches=branches, end=end, is_construct=True)
        selector = selectors[0].named_children[0]
        if selector.type != "pointer_association_statement":
            return construct
        name, value = selector.named_children
        pair = (self._statements.text.of(name), self._expressions.read(value))
        return Associate(
            at=view.at, label=view.label, associations=(pair,), body=[construct], end=end
        )

    def _guard(self, node: Node, until: int) -> Branch:
        row = node.start_point[0]
        head = [c for c in node.named_children if c.start_point[0] == row]
        body = [c for c in node.named_children if c.start_point[0] != row]
        default = any(c.type == "default" for c in head)
        text = self._position.view(node).text
        block = self._statements.block(body, until)
        condition = None if default else Unreadable(text[:80])
        return Branch(condition=condition, body=block, at=self._position.at(node))

    # --- FORALL, ASSOCIATE ---------------------------------------------------------------------

    def _forall(self, node: Node) -> Statement:
        view = self._position.view(node)
        indices: list[ForallIndex] = []
        mask: Expr | None = None
        body: list[Node] = []
        is_construct = False
        for child in node.named_children:
            if child.type == "triplet_spec":
                parts = self._expressions.read_all(child.named_children)
                if len(parts) not in (3, 4) or not isinstance(parts[0], Name):
                    return self._statements.opaque(node, "FORALL")
                step = parts[3] if len(parts) == 4 else None
                indices.append(ForallIndex(parts[0].id, parts[1], parts[2], step))
            elif child.type == "end_forall_statement":
                is_construct = True
            elif child.type.endswith("_statement"):
                body.append(child)
            elif child.type not in _PLUMBING:
                mask = self._expressions.read(child)
        end = self._position.end(node) if is_construct else view.at
        last = self._position.row(node) + node.end_point[0] - node.start_point[0]
        return Forall(
            at=view.at,
            label=view.label,
            indices=tuple(indices),
            mask=mask,
            body=self._statements.block(body, last),
            end=end,
        )

    def _block(self, node: Node) -> Statement:
        """A BLOCK with type declarations at most; the unit's reader gives their names to it."""
        statements = self._statements
        declarations: list[Node] = []
        body: list[Node] = []
        name = ""
        for child in node.named_children:
            if child.type == "block_label_start_expression":
                name = self._name(child)
            elif child.type == "variable_declaration":
                declarations.append(child)
            elif statements.is_executable(child):
                body.append(child)
            elif child.type not in ("end_block_construct_statement", *_PLUMBING):
                return statements.opaque(node, f"BLOCK with {child.type.replace('_', ' ')}")
        view = self._position.view(node)
        last = self._position.row(node) + node.end_point[0] - node.start_point[0]
        block = BlockConstruct(
            at=view.at,
            label=view.label,
            reason="BLOCK construct",
            text=view.text[:200],
            end=self._position.end(node),
            body=statements.block(body, last),
        )
        if name:
            leave_by_label(block.body, name, block.end, f"{name}@{view.at.first}")
        statements.blocks.append((block, declarations))
        return block

    def _associate(self, node: Node) -> Statement:
        view = self._position.view(node)
        associations: list[tuple[str, Expr]] = []
        body: list[Node] = []
        for child in node.named_children:
            if child.type == "association_list":
                for pair in child.named_children:
                    name = pair.child_by_field_name("name")
                    selector = pair.child_by_field_name("selector")
                    if name is None or selector is None:
                        return self._statements.opaque(node, "ASSOCIATE")
                    associations.append(
                        (self._statements.text.of(name), self._expressions.read(selector))
                    )
            elif child.type not in ("end_associate_statement", *_PLUMBING):
                body.append(child)
        last = self._position.row(node) + node.end_point[0] - node.start_point[0]
        return Associate(
            at=view.at,
            label=view.label,
            associations=tuple(associations),
            body=self._statements.block(body, last),
            end=self._position.end(node),
        )


def _case_test(selector: Expr, value: Expr) -> Expr:
    """One case value or range as a condition."""
    if isinstance(value, Section):
        low = None if value.lower is None else Binary(">=", selector, value.lower)
        high = None if value.upper is None else Binary("<=", selector, value.upper)
        if low is not None and high is not None:
            return Binary(".and.", low, high)
        return low or high or Literal(LiteralKind.LOGICAL, ".true.")
    if isinstance(value, Literal) and value.kind is LiteralKind.LOGICAL:
        return Binary(".eqv.", selector, value)
    return Binary("==", selector, value)
