"""COMMON blocks that several units declare alike: their members live on the device one by one."""

import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from acclimate.porter import engine
from acclimate.porter.invariant.legality import violations
from acclimate.verifier.running.emulation import POISONS, build_runtime

MAIN = """
      program swe
      implicit none
      real*8 u(40, 30), h(40, 30), dt
      integer k, nstep
      common /fields/ u, h, dt, nstep
      nstep = 6
      call init
      do k = 1, nstep
        call advance
        if (mod(k, 3) .eq. 0) then
          call report(k)
        end if
      end do
      end
"""
STEP = """
      subroutine init
      implicit none
      real*8 u(40, 30), h(40, 30), dt
      integer i, j, nstep
      common /fields/ u, h, dt, nstep
      dt = 0.1d0
      do j = 1, 30
        do i = 1, 40
          h(i, j) = 10.0d0 + sin(0.3d0*i)*cos(0.2d0*j)
          u(i, j) = 0.0d0
        end do
      end do
      h(3, 4) = h(3, 4) + 1.0d0
      end
      subroutine advance
      implicit none
      real*8 u(40, 30), h(40, 30), dt
      integer i, j, nstep
      common /fields/ u, h, dt, nstep
      do j = 1, 30
        do i = 2, 39
          u(i, j) = u(i, j) - dt*(h(i+1, j) - h(i-1, j))
        end do
      end do
      do j = 1, 30
        do i = 2, 39
          h(i, j) = h(i, j) - dt*(u(i+1, j) - u(i-1, j))
        end do
      end do
      end
"""
OUT = """
      subroutine report(k)
      implicit none
      real*8 u(40, 30), h(40, 30), dt
      integer j, k, nstep
      common /fields/ u, h, dt, nstep
      do j = 1, 30
        write (*, '(i4, 2es24.16)') k, h(5, j), u(6, j)
      end do
      end
"""
FILES = {"main.f": MAIN, "step.f": STEP, "out.f": OUT}


def refused(models: Any, files: dict[str, str]) -> list[str]:
    loops = engine.plan(index_of(models, files)).loops
    return [d.refusal.reason for d in loops if d.refusal is not None and d.unit == "advance"]


def index_of(models: Any, files: dict[str, str]) -> Any:
    for name, text in files.items():
        (models.folder / name).write_text(text)
    return models.read()


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        pytest.param(
            FILES | {"out.f": OUT.replace("fields/ u, h,", "fields/ h, u,")},
            "is in COMMON of more than one layout",
            id="other order",
        ),
        pytest.param(
            FILES | {"out.f": OUT.replace("u(40, 30)", "u(40, 29), v(40)")
                     .replace("/ u,", "/ u, v,")},
            "is in COMMON of more than one layout",
            id="other shape",
        ),
        pytest.param(
            FILES | {"out.f": OUT.replace("      do j", "      equivalence (h, w)\n      do j")
                     .replace("integer j", "real*8 w(1200)\n      integer j")},
            "EQUIVALENCE",
            id="equivalence",
        ),
        pytest.param(
            FILES | {"main.f": MAIN.replace("      common /fields/ u, h, dt, nstep\n", "")},
            "COMMON /fields/ with 'h' is not in the main program",
            id="not in the main program",
        ),
    ],
)  # fmt: skip
def test_blocks_that_are_not_the_same_everywhere_stay_on_the_host(
    models: Any, files: dict[str, str], reason: str
) -> None:
    assert any(reason in text for text in refused(models, files)), refused(models, files)


def test_members_enter_with_the_program_and_stay(models: Any) -> None:
    index = index_of(models, FILES)
    ported = models.ported(index)
    assert "!$acc enter data copyin(h, u)\n      nstep = 6" in ported["main.f"]
    assert "update" not in ported["step.f"].split("subroutine advance")[1]
    assert "!$acc update self(h)\n      h(3, 4) =" in ported["step.f"]
    assert not any("dt" in line for line in ported["main.f"].split("\n") if "!$acc" in line)


def test_a_member_that_the_program_does_not_enter_is_found(models: Any) -> None:
    index = index_of(models, FILES)
    ported = {file: text.encode() for file, text in models.ported(index).items()}
    assert violations(index, ported) == ()
    dropped = ported["main.f"].replace(b"!$acc enter data copyin(h, u)\n", b"")
    found = violations(index, ported | {"main.f": dropped})
    assert {violation.message for violation in found} == {
        "local 'h' never enters the device",
        "local 'u' never enters the device",
    }


@pytest.mark.gfortran
def test_the_port_of_a_common_block_gives_the_same_bits(models: Any, tmp_path: Path) -> None:
    index = index_of(models, FILES)
    expected = output(models.folder, ["-O1"], {})
    for file, text in models.ported(index).items():
        (models.folder / file).write_text(text)
    runtime = build_runtime(tmp_path)
    for poison in POISONS:
        added = runtime.environment(tmp_path / "report", poison)
        found = output(models.folder, ["-O1", "-fopenacc", "-foffload=disable"], added)
        assert found == expected and "NaN" not in found


def output(folder: Path, flags: list[str], added: dict[str, str]) -> str:
    subprocess.run(["gfortran", *flags, *FILES, "-o", "swe"], cwd=folder, check=True)
    ran = subprocess.run(
        ["./swe"], cwd=folder, check=True, env=os.environ | added, capture_output=True, text=True
    )
    return ran.stdout
