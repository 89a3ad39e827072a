"""A port is read again with everything that its files include, and whatever they call."""

from pathlib import Path

from acclimate.analysis.index import index_project
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine
from acclimate.porter.invariant.reread import read_ported

SIZES = "      integer n\n      parameter (n = 40)\n      real*8 a(n)\n      common /fields/ a\n"
PROGRAM = """\
      program p
      include 'sizes.inc'
      integer i
{directive}      do i = 1, n
        a(i) = {value}
      end do
      print *, a(1)
      end
"""


def written(folder: Path, directive: str = "", value: str = "1.0d0*i") -> Manifest:
    (folder / "sizes.inc").write_text(SIZES)
    (folder / "p.f").write_text(PROGRAM.format(directive=directive, value=value))
    return Manifest(root=folder, name="p", sources=("p.f",))


def test_included_files_are_found(tmp_path: Path) -> None:
    manifest = written(tmp_path)
    text = (tmp_path / "p.f").read_bytes().replace(b"1.0d0", b"2.0d0")
    assert read_ported(manifest, {"p.f": text}).problems == ()


def test_a_port_with_included_declarations_is_assembled(tmp_path: Path) -> None:
    index = index_project(written(tmp_path))
    plan = engine.plan(index)
    rewrites = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    ported = engine.assemble(plan, rewrites, index)  # type: ignore[arg-type]
    assert b"!$acc parallel loop" in ported["p.f"]


def test_a_kernel_that_calls_a_library_is_read(tmp_path: Path) -> None:
    manifest = written(tmp_path, "!$acc parallel loop copyout(a)\n", "weight(i)")
    index = index_project(manifest)
    assert not engine.plan(index).routines


def test_an_included_file_is_found_or_not_as_in_the_model(tmp_path: Path) -> None:
    folder = tmp_path / "model"
    folder.mkdir()
    manifest = written(folder)
    text = (folder / "p.f").read_bytes()
    (folder / "sizes.inc").rename(folder / "other.inc")
    (folder / "sizes.inc").symlink_to("other.inc")
    assert read_ported(manifest, {"p.f": text}).problems == ()
    (folder / "other.inc").rename(tmp_path / "outside.inc")
    (folder / "sizes.inc").unlink()
    (folder / "sizes.inc").symlink_to("../outside.inc")
    told = index_project(manifest).project.problems
    assert told and read_ported(manifest, {"p.f": text}).problems == told
