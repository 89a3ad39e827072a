"""Derived-type definitions: components and type-bound procedures."""

from tree_sitter import Node

from acclimate.analysis.ir import DerivedType, Unit
from acclimate.analysis.reader.declarations import DeclarationReader
from acclimate.analysis.reader.expressions import generic_name
from acclimate.analysis.reader.parsing import NodeText
from acclimate.analysis.reader.position import Position


def read_derived_type(
    node: Node, unit: Unit, declarations: DeclarationReader, text: NodeText, position: Position
) -> DerivedType:
    """One TYPE definition; components keep the order of their declaration."""
    derived = DerivedType(name="", at=position.at(node), components={}, bindings={})
    for child in node.named_children:
        if child.type == "derived_type_statement":
            _header(child, derived, text)
        elif child.type == "variable_declaration":
            declarations.variable(child, unit, derived.components)
        elif child.type == "derived_type_procedures":
            for statement in child.named_children:
                _bindings(statement, derived, text)
    return derived


def _header(node: Node, derived: DerivedType, text: NodeText) -> None:
    for child in node.named_children:
        if child.type == "type_name":
            derived.name = text.of(child)
        elif child.type == "base_type_specifier":
            derived.extends = text.of(child.named_children[-1])


def _bindings(node: Node, derived: DerivedType, text: NodeText) -> None:
    if node.type == "final_statement":
        derived.has_final = True
    if node.type not in ("procedure_statement", "generic_statement"):
        return
    for declarator in node.children_by_field_name("declarator"):
        if declarator.type == "method_name":
            derived.bindings[text.of(declarator)] = text.of(declarator)
            continue
        name, *methods = (generic_name(text.of(c)) for c in declarator.named_children)
        if node.type == "generic_statement":
            specifics = derived.generic_bindings.get(name, ())
            derived.generic_bindings[name] = specifics + tuple(methods)
        elif methods:
            derived.bindings[name] = methods[0]
