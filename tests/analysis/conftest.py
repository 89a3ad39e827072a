"""What several tests of the analysis need: projects from text, and fparser's view of statements."""

from collections.abc import Iterable
from pathlib import Path

import pytest
from fparser.common.readfortran import FortranStringReader
from fparser.common.sourceinfo import FortranFormat
from fparser.two import Fortran2003 as f3
from fparser.two import Fortran2008 as f8
from fparser.two.parser import ParserFactory
from fparser.two.utils import Base, BinaryOpBase, UnaryOpBase, walk

from acclimate.analysis.project import Project, read_project
from acclimate.analysis.tree.manifest import Manifest

_SPELLING = {".eq.": "==", ".ne.": "/=", ".lt.": "<", ".le.": "<=", ".gt.": ">", ".ge.": ">="}


@pytest.fixture
def project_of(tmp_path: Path):
    """Read a project from texts by file name."""

    def of(texts: dict[str, str | bytes], **manifest: tuple[str, ...]) -> Project:
        for name, text in texts.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text if isinstance(text, bytes) else text.encode("latin-1"))
        sources = tuple(n for n in sorted(texts) if not n.endswith((".inc", ".h")))
        return read_project(Manifest(root=tmp_path, name="t", sources=sources, **manifest))

    return of


@pytest.fixture(scope="session")
def fparser_outline():
    """The outline of a free-form text as fparser reads it."""
    return _outline


# --- from fparser --------------------------------------------------------------------------------


def _outline(text: str) -> list[str]:
    reader = FortranStringReader(text, ignore_comments=True)
    reader.set_format(FortranFormat(True, False))
    tree = ParserFactory().create(std="f2008")(reader)
    found: list[str] = []
    _f_units(tree.content, found)
    return found


_PARTS = (f3.Internal_Subprogram_Part, f3.Module_Subprogram_Part)
_UNITS = (
    f3.Main_Program,
    f3.Main_Program0,
    f3.Module,
    f3.Subroutine_Subprogram,
    f3.Function_Subprogram,
    f3.Block_Data,
)
_FILE_STATEMENTS = (
    f3.Open_Stmt,
    f3.Close_Stmt,
    f3.Inquire_Stmt,
    f3.Rewind_Stmt,
    f3.Backspace_Stmt,
    f3.Endfile_Stmt,
    f3.Flush_Stmt,
)


def _f_units(nodes: Iterable[Base], out: list[str]) -> None:
    for node in nodes:
        if not isinstance(node, _UNITS):
            continue
        head = node.content[0]
        named = head.get_name() if hasattr(head, "get_name") else head.items[1]
        name = str(named or "block_data__").lower()
        is_procedure = isinstance(node, (f3.Subroutine_Subprogram, f3.Function_Subprogram))
        args = _f(head.items[2]) if is_procedure and head.items[2] is not None else ""
        out.append(f"unit {name}({args})")
        for part in node.content:
            if isinstance(part, f3.Specification_Part):
                out += [_f_use(item) for item in part.content if isinstance(item, f3.Use_Stmt)]
            elif isinstance(part, f3.Execution_Part):
                for item in part.content:
                    _f_statement(item, out)
        for part in node.content:
            if isinstance(part, _PARTS):
                _f_units(part.content, out)


def _f_use(node: Base) -> str:
    *_, module, mark, items = node.items
    names = sorted(_f_rename(item) for item in items.children) if items is not None else []
    word = "only" if mark and "ONLY" in mark.upper() else "all"
    return f"use {_f(module)} {word} {','.join(names)}".rstrip()


def _f_rename(node: Base) -> str:
    if isinstance(node, f3.Rename):
        operator, local, original = node.items
        parts = (f"operator({_f(p)})" if operator else _f(p) for p in (local, original))
        return "=>".join(parts)
    if isinstance(node, f3.Generic_Spec):
        return f"{node.items[0]}({node.items[1]})".lower().replace(" ", "")
    return _f(node)


def _f_statement(n: Base, out: list[str]) -> None:
    match n:
        case f3.Assignment_Stmt():
            out.append(f"{_f(n.items[0])} = {_f(n.items[2])}")
        case f3.Pointer_Assignment_Stmt():
            bounds = f"({_f(n.items[1])})" if n.items[1] is not None else ""
            out.append(f"{_f(n.items[0])}{bounds} => {_f(n.items[2])}")
        case f3.Call_Stmt():
            out.append(f"call {_f(n.items[0])}({_f(n.items[1]) if n.items[1] else ''})")
        case f3.Block_Nonlabel_Do_Construct() | f3.Block_Label_Do_Construct():
            _f_do(n, out)
        case f3.If_Construct():
            _f_if(n, out)
        case f3.Case_Construct():
            _f_case(n, out)
        case f3.Where_Construct():
            _f_where(n, out)
        case f3.If_Stmt():
            out.append(f"if {_f(n.items[0])}")
            _f_statement(n.items[1], out)
        case f3.Where_Stmt():
            out.append(f"where {_f(n.items[0])}")
            _f_statement(n.items[1], out)
        case f3.Goto_Stmt():
            out.append(f"goto {n.items[0]}")
        case f3.Exit_Stmt() | f3.Cycle_Stmt():
            word = "exit" if isinstance(n, f3.Exit_Stmt) else "cycle"
            out.append(f"{word} {_f(n.items[1]) if n.items[1] else ''}".strip())
        case f3.Return_Stmt():
            out.append("return")
        case f3.Stop_Stmt() | f8.Error_Stop_Stmt():
            out.append("stop")
        case f3.Write_Stmt():
            out.append("write")
        case f3.Print_Stmt():
            out.append("print")
        case f3.Read_Stmt():
            out.append("read")
        case f3.Deallocate_Stmt():
            out.append(f"deallocate {_f(n.items[0])}")
        case f3.Nullify_Stmt():
            out.append(f"nullify {_f(n.items[1])}")
        case f3.Arithmetic_If_Stmt():
            out.append(f"if {_f(n.items[0])} {_f_list(n.items[1:])}")
        case f3.Computed_Goto_Stmt():
            out.append(f"goto {_f(n.items[0])} {_f(n.items[1])}")
        case f3.Entry_Stmt():
            out.append(f"entry {_f(n.items[0])}({_f(n.items[1]) if n.items[1] else ''})")
        case f3.Associate_Construct() | f3.Forall_Construct() | f3.Forall_Stmt():
            _f_headed(n, out)
        case f3.Allocate_Stmt():
            out.append("allocate " + ",".join(map(_f_allocation, n.items[1].children)))
        case _ if isinstance(n, _FILE_STATEMENTS):
            out.append(type(n).__name__.removesuffix("_Stmt").lower())
        case _:
            pass


def _f_headed(node: Base, out: list[str]) -> None:
    """ASSOCIATE and FORALL: a head, a body and an end."""
    if isinstance(node, f3.Forall_Stmt):
        header, *body = node.items
        word = "forall"
    else:
        head, *body = node.content[:-1]
        word = "associate" if isinstance(head, f3.Associate_Stmt) else "forall"
        header = head.items[1]
    if word == "associate":
        pairs = (f"{_f(a.items[0])}=>{_f(a.items[2])}" for a in header.children)
        out.append(f"associate {','.join(pairs)}")
    else:
        triplets = (
            f"{_f(index)}={':'.join(_f(b) for b in bounds if b is not None)}"
            for index, *bounds in (t.items for t in header.items[0].children)
        )
        mask = f",{_f(header.items[1])}" if header.items[1] is not None else ""
        out.append(f"forall {','.join(triplets)}{mask}")
    for item in body:
        _f_statement(item, out)
    out.append(f"end {word}")


def _f_allocation(node: Base) -> str:
    if not isinstance(node, f3.Allocation):
        return _f(node)
    specs = node.items[1].children if node.items[1] is not None else ()
    bounds = [
        spec.items if isinstance(spec, f3.Allocate_Shape_Spec) else (None, spec) for spec in specs
    ]
    extents = [f"{_f(low)}:{_f(high)}" if low is not None else _f(high) for low, high in bounds]
    return f"{_f(node.items[0])}({','.join(extents)})" if extents else _f(node.items[0])


def _f_do(node: Base, out: list[str]) -> None:
    head, *rest = node.content
    control = walk(head, f3.Loop_Control)
    if not control:
        out.append("do")
    elif control[0].items[0] is not None:
        out.append(f"do while {_f(control[0].items[0])}")
    else:
        index, bounds = control[0].items[1]
        out.append(f"do {_f(index)}={','.join(_f(b) for b in bounds)}")
    for item in rest:
        _f_statement(item, out)
    out.append("end do")


def _f_if(node: Base, out: list[str]) -> None:
    for item in node.content:
        if isinstance(item, f3.If_Then_Stmt):
            out.append(f"if {_f(item.items[0])}")
        elif isinstance(item, f3.Else_If_Stmt):
            out.append(f"else {_f(item.items[0])}")
        elif isinstance(item, f3.Else_Stmt):
            out.append("else")
        elif isinstance(item, f3.End_If_Stmt):
            out.append("end if")
        else:
            _f_statement(item, out)


def _f_where(node: Base, out: list[str]) -> None:
    for item in node.content:
        if isinstance(item, f3.Where_Construct_Stmt):
            out.append(f"where {_f(item.items[0])}")
        elif isinstance(item, f3.Masked_Elsewhere_Stmt):
            out.append(f"else {_f(item.items[0])}")
        elif isinstance(item, f3.Elsewhere_Stmt):
            out.append("else")
        elif isinstance(item, f3.End_Where_Stmt):
            out.append("end where")
        else:
            _f_statement(item, out)


def _f_case(node: Base, out: list[str]) -> None:
    selector = _f(node.content[0].items[0])
    default: list[str] = []
    target, first = out, True
    for item in node.content[1:]:
        if isinstance(item, f3.Case_Stmt):
            values = item.items[0].items[0]
            if values is None:
                target = default
                target.append("else")
                continue
            target = out
            tests = [_f_case_test(selector, v) for v in values.children]
            condition = tests[0]
            for test in tests[1:]:
                condition = f"({condition}.or.{test})"
            out.append(f"{'if' if first else 'else'} {condition}")
            first = False
        elif not isinstance(item, f3.End_Select_Stmt):
            _f_statement(item, target)
    out += default
    out.append("end if")


def _f_case_test(selector: str, value: Base) -> str:
    if isinstance(value, f3.Case_Value_Range):
        low, high = value.items
        tests = [f"({selector}>={_f(low)})"] if low is not None else []
        tests += [f"({selector}<={_f(high)})"] if high is not None else []
        return tests[0] if len(tests) == 1 else f"({tests[0]}.and.{tests[1]})"
    text = _f(value)
    return f"({selector}{'.eqv.' if text in ('.true.', '.false.') else '=='}{text})"


def _f(node: object) -> str:
    match node:
        case f3.Parenthesis():
            return _f(node.items[1])
        case f3.Char_Literal_Constant():
            return str(node)
        case f3.Complex_Literal_Constant():
            return str(node).lower().replace(" ", "")
        case BinaryOpBase():
            op = str(node.items[1]).lower()
            return f"({_f(node.items[0])}{_SPELLING.get(op, op)}{_f(node.items[2])})"
        case UnaryOpBase():
            return f"({str(node.items[0]).lower()}{_f(node.items[1])})"
        case f3.Data_Ref() | f3.Procedure_Designator() | f3.Proc_Component_Ref():
            parts = [c for c in node.children if isinstance(c, Base)]
            return "%".join(_f(part) for part in parts)
        case f3.Subscript_Triplet() | f3.Substring_Range():
            parts = [_f(item) if item is not None else "" for item in node.items]
            stride = [parts[2]] if len(parts) == 3 and parts[2] else []
            return ":".join(parts[:2] + stride)
        case f3.Array_Constructor():
            return f"[{_f(node.items[1])}]"
        case f3.Ac_Spec():
            spec, items = node.items
            name = "".join(str(spec).lower().split()).partition("(")[0]
            return f"{name}::{_f(items) if items is not None else ''}"
        case f3.Ac_Implied_Do():
            control = node.items[1]
            return f"({_f(node.items[0])},{_f(control.items[0])}={_f_list(control.items[1])})"
        case f3.Actual_Arg_Spec():
            return f"{_f(node.items[0])}={_f(node.items[1])}"
        case f3.Alt_Return_Spec():
            return f"*{node.items[0]}"
        case f3.Substring():
            return f"{_f(node.items[0])}({_f(node.items[1])})"
        case list() | tuple():
            return _f_list(node)
        case Base():
            return _f_other(node)
        case _:
            return str(node).lower()


def _f_list(items: Iterable[object]) -> str:
    return ",".join(_f(item) for item in items)


def _f_other(node: Base) -> str:
    name = type(node).__name__
    if name.endswith("_List"):
        return _f_list(node.children)
    if name in ("Part_Ref", "Function_Reference", "Intrinsic_Function_Reference",
                "Structure_Constructor", "Array_Section"):  # fmt: skip
        args = node.items[1]
        return f"{_f(node.items[0])}({_f(args) if args is not None else ''})"
    if name == "Component_Spec":
        return f"{_f(node.items[0])}={_f(node.items[1])}" if node.items[0] else _f(node.items[1])
    return str(node).lower().replace(" ", "")
