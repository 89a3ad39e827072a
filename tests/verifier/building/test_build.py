from dataclasses import replace
from pathlib import Path

import pytest

from acclimate.analysis.problems import Kind, Problem
from acclimate.verifier.building.build import (
    BuildFailure,
    Built,
    build,
    compiler_version,
    device_target,
)
from acclimate.verifier.toolchains import Build, Toolchain, toolchain

GFORTRAN = toolchain("gfortran")
USES = "program p\nuse m, only: x\nprint *, x\nend program p\n"


def test_a_missing_compiler_is_named():
    with pytest.raises(Problem) as caught:
        compiler_version("no-such-fortran")
    assert caught.value.kind is Kind.ENVIRONMENT
    assert "no-such-fortran" in caught.value.what


def test_an_unknown_toolchain_is_misuse():
    with pytest.raises(Problem, match="no toolchain called 'gfortan'") as caught:
        toolchain("gfortan")
    assert "gfortran" in caught.value.hint


@pytest.mark.gfortran
def test_files_that_use_one_another_in_a_circle_are_a_problem(with_sources, tmp_path, work):
    manifest = with_sources(
        tmp_path,
        a__f90="module a\nuse b\nend module a\n",
        b__f90="module b\nuse a\nend module b\n",
    )
    with pytest.raises(Problem, match="in a circle"):
        build(manifest, GFORTRAN, Build.HOST, work)


@pytest.mark.gfortran
def test_a_module_defined_twice_is_a_problem(with_sources, tmp_path, work):
    text = "module a\nend module a\n"
    with pytest.raises(Problem, match="'a' is defined in a.f90 and in b.f90"):
        build(with_sources(tmp_path, a__f90=text, b__f90=text), GFORTRAN, Build.HOST, work)


@pytest.mark.gfortran
def test_errors_keep_the_line_of_the_original_file(with_sources, tmp_path, work):
    manifest = with_sources(
        tmp_path, m__f90="module m\nreal :: x = 1\nend module m\n", p__f90=USES + "x = \n"
    )
    failure = build(manifest, GFORTRAN, Build.HOST, work)
    assert isinstance(failure, BuildFailure)
    assert (failure.stage, failure.file) == ("compile", "p.f90")
    assert {(e.file, e.line) for e in failure.errors} >= {("p.f90", 5)}


@pytest.mark.gfortran
def test_an_error_in_an_include_is_found_there(with_sources, tmp_path, work):
    (tmp_path / "body.inc").write_text("x = 1\nx = +\n")
    manifest = with_sources(tmp_path, p__f90="program p\ninclude 'body.inc'\nend program p\n")
    failure = build(manifest, GFORTRAN, Build.HOST, work)
    assert isinstance(failure, BuildFailure)
    assert (failure.errors[0].file, failure.errors[0].line) == ("body.inc", 2)


@pytest.mark.gfortran
def test_an_unresolved_name_fails_at_the_link(with_sources, tmp_path, work):
    manifest = with_sources(tmp_path, p__f90="program p\ncall nowhere()\nend program p\n")
    failure = build(manifest, GFORTRAN, Build.HOST, work)
    assert isinstance(failure, BuildFailure)
    assert failure.stage == "link"
    assert "nowhere" in failure.log


@pytest.mark.gfortran
def test_files_are_compiled_after_what_they_use_and_nothing_is_written_beside_them(
    with_sources, tmp_path, work
):
    manifest = with_sources(tmp_path, a__f90=USES, z__f90="module m\nreal :: x = 1\nend module m\n")
    made = build(manifest, GFORTRAN, Build.HOST, work)
    assert isinstance(made, Built)
    assert made.executable.is_relative_to(work)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.f90", "z.f90"]


@pytest.mark.gfortran
def test_a_changed_interface_rebuilds_its_users_a_changed_body_does_not(
    with_sources, tmp_path, work
):
    module = "module m\nreal :: x = 1\nend module m\n"
    texts = {"a__f90": USES, "z__f90": module}
    first = build(with_sources(tmp_path, **texts), GFORTRAN, Build.HOST, work)
    again = build(with_sources(tmp_path, **texts), GFORTRAN, Build.HOST, work)
    texts["z__f90"] = module.replace("1", "2")  # a start value is no part of the interface
    body = build(with_sources(tmp_path, **texts), GFORTRAN, Build.HOST, work)
    texts["z__f90"] = module.replace("real", "double precision")
    interface = build(with_sources(tmp_path, **texts), GFORTRAN, Build.HOST, work)
    assert isinstance(first, Built) and isinstance(again, Built)
    assert isinstance(body, Built) and isinstance(interface, Built)
    assert first.executable == again.executable
    assert first.executable != body.executable
    assert first.objects["a.f90"] == body.objects["a.f90"]
    assert first.objects["a.f90"] != interface.objects["a.f90"]


@pytest.mark.gfortran
def test_a_changed_include_rebuilds_its_file(with_sources, tmp_path, work):
    (tmp_path / "body.inc").write_text("x = 1\n")
    manifest = with_sources(tmp_path, p__f90="program p\ninclude 'body.inc'\nend program p\n")
    first = build(manifest, GFORTRAN, Build.HOST, work)
    (tmp_path / "body.inc").write_text("x = 2\n")
    second = build(manifest, GFORTRAN, Build.HOST, work)
    assert isinstance(first, Built) and isinstance(second, Built)
    assert first.executable != second.executable


def probing(folder: Path, device_compiler: Path) -> Toolchain:
    """A compiler whose small programs link as long as its device compiler is there."""
    compiler = folder / "fortran"
    compiler.write_text(
        f'#!/bin/sh\ncase "$1" in --version) echo 1.0;; --where) echo {device_compiler};;'
        f" *) test -e {device_compiler};; esac\n"
    )
    compiler.chmod(0o755)
    return replace(
        GFORTRAN,
        compiler=str(compiler),
        device_compiler=(str(compiler), "--where"),
        targets=("sm_1",),
    )


def test_a_device_compiler_that_comes_later_is_noticed_and_one_that_goes_too(tmp_path):
    part = tmp_path / "mkoffload"
    tool = probing(tmp_path, part)
    assert device_target(tool, tmp_path / "work") is None
    part.write_text("installed")
    assert device_target(tool, tmp_path / "work") == "sm_1"
    part.unlink()
    assert device_target(tool, tmp_path / "work") is None
