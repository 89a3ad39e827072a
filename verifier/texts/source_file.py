"""One source file of a tree as the verifier reads it: bytes, statements, directives."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from acclimate.analysis.directives import scan
from acclimate.analysis.ir import Directive
from acclimate.analysis.tree.manifest import Manifest
from acclimate.verifier.texts.build_order import included_files, needs
from acclimate.verifier.texts.statements import Statement, read_statements
from acclimate.verifier.texts.switches import without_switches


@dataclass(frozen=True)
class SourceFile:
    """`name` is relative to the model's root; `form` is "free" or "fixed"."""

    name: str
    data: bytes
    form: str
    width: int | None

    @cached_property
    def statements(self) -> tuple[Statement, ...]:
        return read_statements(self.data, self.name, self.form, self.width)

    @cached_property
    def told(self) -> tuple[Statement, ...]:
        """The statements without those that only switches ask: what the program does."""
        return without_switches(self.statements)

    def is_conditional(self, line: int) -> bool:
        """Whether the line stands between #if and #endif: other configurations differ there."""
        depth = 0
        for statement in self.statements:
            if statement.at.first >= line:
                break
            word = "".join(statement.tokens)[:6] if statement.text.startswith("#") else ""
            depth += word.startswith("#if") - (word == "#endif")
        return depth > 0

    @cached_property
    def directives(self) -> tuple[Directive, ...]:
        """The OpenACC directives, in order."""
        return tuple(d for d in scan(self.data, self.form, self.name) if d.sentinel == "acc")


def source_file(manifest: Manifest, name: str) -> SourceFile:
    data = (manifest.root / name).read_bytes()
    return SourceFile(name, data, manifest.form(name), manifest.fixed_width)


def all_files(manifest: Manifest) -> dict[str, SourceFile]:
    """The sources of a model and the files they include, by name."""
    found = {name: source_file(manifest, name) for name in manifest.sources}
    waiting = list(found.values())
    root = manifest.root
    while waiting:
        file = waiting.pop()
        wanted = needs(file.statements)
        for path in included_files(root, file.name, wanted, manifest.include_dirs):
            name = _relative(path, root)
            if name not in found:
                found[name] = SourceFile(name, path.read_bytes(), file.form, file.width)
                waiting.append(found[name])
    return dict(sorted(found.items()))


def _relative(path: Path, root: Path) -> str:
    resolved, base = path.resolve(), root.resolve()
    inside = resolved.is_relative_to(base)
    return (resolved.relative_to(base) if inside else resolved).as_posix()
