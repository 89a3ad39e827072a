"""Statements without control flow of their own."""

from collections.abc import Callable

from acclimate.analysis.dependence.context import Context
from acclimate.analysis.dependence.evaluation import Evaluator
from acclimate.analysis.dependence.lifetimes import is_saved
from acclimate.analysis.dependence.modification import namelist_objects
from acclimate.analysis.dependence.records import Trait
from acclimate.analysis.dependence.references import References
from acclimate.analysis.dependence.regions import Definition, Region
from acclimate.analysis.dependence.substitution import replaced
from acclimate.analysis.ir import (
    Allocate,
    Apply,
    Assignment,
    BlockConstruct,
    Branch,
    Call,
    Continue,
    Deallocate,
    Expr,
    Forall,
    InputOutput,
    Name,
    OpaqueStatement,
    PointerAssignment,
    Statement,
    Where,
)
from acclimate.analysis.names.operations import ASSIGNMENT
from acclimate.analysis.names.resolution import Intrinsic
from acclimate.analysis.source import Lines

Block = Callable[[list[Statement]], None]


class SimpleStatements:
    def __init__(self, context: Context, evaluator: Evaluator, references: References) -> None:
        self._context, self._evaluator, self._references = context, evaluator, references

    def note(self, statement: Statement, block: Block) -> None:
        match statement:
            case Call():
                self._references.invoke(statement.procedure, statement.args, statement.at)
            case InputOutput():
                self._input_output(statement)
            case Where():
                self._where(statement)
            case Forall():
                self._forall(statement, block)
            case Allocate() | Deallocate():
                self._allocation(statement)
            case PointerAssignment():
                self._references.read(statement.value, statement.at)
                self._references.store(statement.target, statement.at, sure=False)
                self._context.record.flag(Trait.POINTER, statement.at, "a pointer is set inside")
            case OpaqueStatement():
                self._context.record.flag(Trait.OPAQUE, statement.at, statement.reason)
            case Continue():
                return
            case _:
                self._context.record.flag(
                    Trait.OPAQUE, statement.at, f"{type(statement).__name__} is not followed"
                )

    def enter_block(self, block: BlockConstruct) -> None:
        """Its variables begin anew: nothing of what they held before can be read."""
        context = self._context
        for name in block.names:
            symbol = context.unit.symbols[name]
            designator = self._evaluator.designator(Name(name))
            if designator is None or is_saved(symbol) or "pointer" in symbol.attributes:
                continue
            context.forget(designator.key)
            region: Region = (None,) * len(symbol.dims)
            context.state.define(designator.key, Definition(region, context.state.conditions))

    def defined_assignment(self, statement: Assignment) -> bool:
        """Note what `a = b` calls; True if a procedure does all of it (Fortran 2018, 10.2.1.4)."""
        sides = self._sides(statement)
        if self._is_intrinsic_assignment(sides, statement.at):
            return False
        self._references.operate(ASSIGNMENT, sides, statement.at)
        return None not in map(self._context.expressions.type, sides)

    def _masked_assignment(self, statement: Assignment) -> None:
        """The same where only some elements are assigned to."""
        if not self._is_intrinsic_assignment(self._sides(statement), statement.at):
            detail = "an assignment that may be user-defined"
            self._context.record.flag(Trait.DISPATCH, statement.at, detail)

    def _sides(self, statement: Assignment) -> tuple[Expr, Expr]:
        aliases = self._context.aliases
        if not aliases:
            return statement.target, statement.value
        return replaced(statement.target, aliases), replaced(statement.value, aliases)

    def _is_intrinsic_assignment(self, sides: tuple[Expr, Expr], at: Lines) -> bool:
        """Is no procedure called for the whole? What is called for parts of it is noted."""
        context = self._context
        types = context.storage.types
        kind = context.expressions.type(sides[0])
        if types.calls_on_end(kind):
            context.record.flag(Trait.DISPATCH, at, "a FINAL procedure may be called")
        if "=" not in context.storage.overloaded:
            return True
        found = context.project.procedures(context.unit, Name(ASSIGNMENT), sides)
        if not isinstance(found, Intrinsic):
            return False
        if types.calls_on_assignment(kind):
            context.record.flag(Trait.DISPATCH, at, "an assignment that may be user-defined")
        return True

    def _input_output(self, statement: InputOutput) -> None:
        for expr in statement.reads:
            self._references.read(expr, statement.at)
        for target in statement.writes:
            if self._evaluator.designator(target) is not None:
                self._references.store(target, statement.at, sure=False)
        for member in namelist_objects(self._context.expressions.places, statement):
            self._context.record.mention(member.key, member.root)
            sets = statement.keyword == "read"
            self._references.access(member, statement.at, write=sets, sure=False)
        keyword = statement.keyword.upper()
        self._context.record.flag(Trait.IO, statement.at, f"{keyword} statement")

    def _where(self, statement: Where) -> None:
        """Each element is in one branch only: what all branches store is stored everywhere."""
        stored = [self._masked(branch) for branch in statement.branches]
        if statement.branches[-1].condition is not None:
            return
        state = self._context.state
        for key, region in stored[0]:
            if all((key, region) in others for others in stored):
                state.define(key, Definition(region, state.conditions))

    def _masked(self, branch: Branch) -> dict[tuple[str, Region], None]:
        """Note one branch; the places and regions its assignments are to, under its mask."""
        self._references.read(branch.condition, branch.at)
        stored: dict[tuple[str, Region], None] = {}
        for statement in branch.body:
            if isinstance(statement, Assignment):
                self._masked_assignment(statement)
                self._references.read(statement.value, statement.at)
                stored.update(self._regions(statement.target))
                self._references.store(statement.target, statement.at, sure=False)
            elif isinstance(statement, Where):  # stores where both masks let it
                for inner in statement.branches:
                    self._masked(inner)
            else:
                self.note(statement, lambda _: None)
        return stored

    def _regions(self, target: Expr) -> dict[tuple[str, Region], None]:
        designator = self._evaluator.designator(target)
        if designator is None or designator.substring:
            return {}
        subscripts = self._references.subscripts(designator)
        declared = self._evaluator.declared(designator)
        region = self._context.coverage.written(subscripts, declared)
        return {} if region is None else {(designator.key, region): None}

    def _forall(self, statement: Forall, block: Block) -> None:
        self._bind_forall(statement, 0, block)

    def _bind_forall(self, statement: Forall, position: int, block: Block) -> None:
        if position == len(statement.indices):
            self._references.read(statement.mask, statement.at)
            for inner in statement.body:
                self._forall_body(inner, statement.mask is None, block)
            return
        index = statement.indices[position]
        for bound in (index.first, index.last, index.step):
            self._references.read(bound, statement.at)
        atom = self._references.section_index(index.first, index.last, index.step)
        self._context.values.named.add(atom)
        self._references.with_local_index(
            index.index, atom, lambda: self._bind_forall(statement, position + 1, block)
        )

    def _forall_body(self, statement: Statement, everywhere: bool, block: Block) -> None:
        if isinstance(statement, Assignment):
            self._masked_assignment(statement)
            self._references.read(statement.value, statement.at)
            self._references.store(statement.target, statement.at, sure=everywhere)
        else:
            block([statement])

    def _allocation(self, statement: Allocate | Deallocate) -> None:
        for item in statement.objects:
            extents = item.args if isinstance(item, Apply) else ()
            for extent in extents:
                self._references.read(extent, statement.at)
            target: Expr = item.base if isinstance(item, Apply) else item
            if self._evaluator.designator(target) is not None:
                self._references.store(target, statement.at, sure=False)
        for option in statement.options:
            if option.name in ("stat", "errmsg") and isinstance(option.value, Name):
                self._references.store(option.value, statement.at, sure=False)
            else:
                self._references.read(option.value, statement.at)
        self._context.record.flag(
            Trait.ALLOCATION, statement.at, "memory is allocated or freed inside"
        )
