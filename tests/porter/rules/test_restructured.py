"""Whole programs whose loops are restructured, run as they are and with a device of their own.

Each prints the same as the original: in one memory, with a poisoned device memory, with its
parallel loops backwards. A wrong variant of each must not.
"""

import re
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from textwrap import dedent

import pytest
from one_program import FLAGS, compiled, outputs, printed, said

from acclimate.analysis.index import index_project
from acclimate.analysis.switches import VARIABLE
from acclimate.analysis.tree.manifest import Manifest
from acclimate.porter import engine
from acclimate.porter.plan import PortPlan
from acclimate.porter.rewrite import Rewrite
from acclimate.verifier.running.emulation import POISONS, Runtime, build_runtime


@dataclass(frozen=True)
class Sample:
    """`wrong` is a pattern of the port and what a careless author would have written there."""

    rules: set[str]
    source: str
    wrong: tuple[str, str]


SAMPLES = {
    "overlap": Sample(
        {"array_temporary"},
        """
        program p
          real :: a(9), b(4, 4)
          integer :: i
          a = [(real(i), i = 1, 9)]
          b = 1.0
          b(:, 1) = a(1:4)
          a(2:9) = a(1:8)
          a(9:1:-2) = a(1:9:2)
          forall (i = 2:4) b(i, 1) = b(i - 1, 1) + b(5 - i, 1)
          print '(9f6.1)', a, b(:, 1)
        end program p
        """,
        (r"acc_new_a1\(acc_i1\) = a\(acc_i1 - 1\)", "acc_new_a1(acc_i1) = a(acc_i1)"),
    ),
    "strides and tables": Sample(
        {"array_statement_loops"},
        """
        program p
          real :: a(0:8), c(5), m(5, 3)
          integer :: i, idx(5) = [4, 0, 8, 2, 6]
          a = [(real(i), i = 0, 8)]
          m = 0.0
          c(:) = a(idx) + a(0:8:2)
          m(1:5:2, 2) = c(5:1:-2)
          m(:, 3) = merge(c, -c, c > 6.0)
          forall (i = 1:5, c(i) > 5.0) m(i, 1) = a(i)*c(i)
          print '(5f7.1)', c, m
        end program p
        """,
        (r"a\(idx\(acc_i1\)\)", "a(acc_i1)"),
    ),
    "array reductions": Sample(
        {"array_reduction_loops"},
        """
        program p
          integer, parameter :: n = 7
          real(8) :: a(n, 3), top, low, total, turned, nothing, blown, deep, zero
          integer :: i, k, hot, most, none, m(n)
          logical :: bad, good
          do k = 1, 3
            do i = 1, n
              a(i, k) = 0.5d0*i*k - 3.0d0
            end do
          end do
          do i = 1, n
            m(i) = mod(5*i, 7) - 9
          end do
          top = maxval(abs(a(2:n, :)))
          low = 2.0d0*minval(a, mask=a > 0.0d0)
          total = sum(a(:, 2)*a(:, 3), a(:, 1) < 0.0d0) + 1
          turned = sum(-a(n:1:-2, 3))
          hot = count(a > 0.5d0)
          bad = any(a(1, :) > 0.99d0)
          good = .not. all(a(2:, :) < 0.99d0)
          most = max(-99, maxval(m))
          none = maxval(m, mask=m > 100)
          nothing = maxval(a(1:0, :))
          zero = a(6, 1)
          do i = 1, n
            a(i, 1) = zero/zero
            a(i, 2) = -1.0d0/zero
          end do
          blown = maxval(a(:, 1))
          deep = maxval(a(:, 2))
          print '(4f9.3, i4, 2l2, 2i12)', top, low, total, turned, hot, bad, good, most, none
          print *, nothing, blown, deep
        end program p
        """,
        (r"\(-a\((\w+), 3\)\)", r"a(\1, 3)"),
    ),
    "place of the extremum": Sample(
        {"extremum_location"},
        """
        program p
          real :: a(3, 4), low, top
          integer :: i, j, il, jl, it
          do j = 1, 4
            do i = 1, 3
              a(i, j) = mod(i*7 + j*5, 6)
            end do
          end do
          low = huge(low)
          il = 0
          jl = 0
          do j = 1, 4
            do i = 1, 3
              if (a(i, j) <= low) then
                low = a(i, j)
                il = i
                jl = j
              end if
            end do
          end do
          top = 2.0
          it = -1
          do i = 3, 1, -1
            if (abs(a(i, 2)) > top) then
              top = abs(a(i, 2)); it = i
            end if
          end do
          print '(2f6.1,4i4)', low, top, il, jl, it, i
        end program p
        """,
        (r"reduction\(max:acc_at_low\)", "private(acc_at_low)"),
    ),
    "last values": Sample(
        {"last_value"},
        """
        program p
          real :: a(6) = [1.0, 5.0, 2.0, 7.0, 3.0, 0.0], t, seen
          integer :: i, where_seen, n = 6
          seen = -1.0
          where_seen = 0
          do i = 1, n
            t = a(i)*2.0
            if (t > 8.0) then
              seen = t; where_seen = i
            end if
            if (t > 100.0) seen = 0.0
            a(i) = t + 1.0
          end do
          print '(8f6.1,2i4)', a, t, seen, where_seen, i
        end program p
        """,
        (r"!\$acc update self\(acc_each.*\n", "\n"),
    ),
    "work arrays of run-time size": Sample(
        {"promote_private_array"},
        """
        module m
        contains
          subroutine column(ni, nk, q, s)
            integer, intent(in) :: ni, nk
            real, intent(in) :: q(ni, nk)
            real, intent(out) :: s(ni)
            real :: w(nk), part(nk)
            integer :: i, k
            part = 100.0
            do i = 1, ni
              do k = 1, nk
                w(k) = q(i, k)**2
              end do
              do k = 2, nk
                part(k) = w(k) - w(k - 1)
              end do
              s(i) = sum(part)
            end do
          end subroutine column
        end module m
        program p
          use m
          real :: q(3, 4), s(3)
          integer :: i, k
          do k = 1, 4
            do i = 1, 3
              q(i, k) = i*k
            end do
          end do
          call column(3, 4, q, s)
          print '(3f8.1)', s
        end program p
        """,
        (r"acc_each_part\(i, :\) = part", "acc_each_part(i, :) = 0.0"),
    ),
    "counters": Sample(
        {"closed_form_induction"},
        """
        program p
          real :: a(12), b(4)
          integer :: i, k, j, n = 4
          k = 0
          do i = 1, n
            k = k + 3
            a(k) = i
            a(k - 1) = -i
            a(k - 2) = 0.5
          end do
          j = 10
          do i = 4, 1, -1
            b(i) = a(j)
            j = j - 2
          end do
          print '(12f6.1,4f6.1,2i4)', a, b, k, j
        end program p
        """,
        (r"k = acc_first_k \+ \(\(i - 1\)\*3\)\n", "\n"),
    ),
    "sums into one element": Sample(
        {"element_reduction"},
        """
        program p
          real :: q(20), total(3)
          integer :: i
          do i = 1, 20
            q(i) = i
          end do
          total = 1.0
          do i = 1, 20
            total(2) = total(2) + q(i)
          end do
          print '(3f8.1)', total
        end program p
        """,
        (r"reduction\(\+:acc_part_total\)", "firstprivate(acc_part_total)"),
    ),
    "arguments that may be absent": Sample(
        {"offload_parallel_nest"},
        """
        module m
          implicit none
        contains
          subroutine step(n, a, b, c)
            integer, intent(in) :: n
            real, intent(inout) :: a(n)
            real, intent(in), optional :: b(:)
            real, intent(inout), optional :: c(n)
            integer :: i
            do i = 1, n
              a(i) = a(i) + 1.0
            end do
            if (present(c)) c(n) = c(1) + a(2)
            if (present(b)) then
              do i = 1, n
                a(i) = a(i) + b(i)
              end do
            end if
            call inner(n, b, c)
          end subroutine step
          subroutine inner(n, b, c)
            integer, intent(in) :: n
            real, intent(in), optional :: b(:)
            real, intent(inout), optional :: c(n)
            integer :: i
            if (.not. present(c)) return
            do i = 1, n
              c(i) = 2.0*c(i)
              if (present(b)) c(i) = c(i) + b(i)
            end do
          end subroutine inner
        end module m
        program p
          use m
          implicit none
          real :: a(6), b(6), c(6)
          integer :: i
          do i = 1, 6
            a(i) = i
            b(i) = 0.5*i
            c(i) = 3.0
          end do
          call step(6, a)
          call step(6, a, b)
          call step(6, a, c=c)
          call step(4, a(3), b(2:5), c(2))
          print '(6f8.1)', a, b, c
        end program p
        """,
        (r"!\$acc update device\(c\)", "! "),
    ),
    "storage that visits": Sample(
        {"offload_parallel_nest"},
        """
        subroutine scaled(n, a, b, q)
          integer, intent(in) :: n
          real, intent(inout) :: a(*), b(:)
          real, intent(in), optional :: q(n)
          real :: w, u(3)
          integer :: i
          common /block/ w(4)
          equivalence (u, w)
          do i = 1, n
            a(i) = a(i)*2.0 + w(i)
            if (present(q)) a(i) = a(i) + q(i)
          end do
          do i = 1, n
            b(i) = b(i) + a(i)
          end do
          u(2) = 7.0
        end subroutine scaled
        program p
          interface
            subroutine scaled(n, a, b, q)
              integer, intent(in) :: n
              real, intent(inout) :: a(*), b(:)
              real, intent(in), optional :: q(n)
            end subroutine scaled
          end interface
          real :: x(2, 3) = 1.0, y(6) = 2.0, w
          integer :: i
          common /block/ w(4)
          do i = 1, 4
            w(i) = 0.5*i
          end do
          call scaled(3, x, y(1:6:2))
          call scaled(2, x(1, 2), y(1:3), q=[10.0, 20.0])
          print '(6f7.1)', x, y
          print '(4f7.1)', w
        end program p
        """,
        (r"copy\(a\(1:n\)\)", "copyin(a(1:n))"),
    ),
    "indices behind their loops": Sample(
        {"offload_parallel_nest"},
        """
        program p
          real :: a(7, 3)
          integer :: i, j, k, n = 0
          do j = 1, 3
            do i = 7, 1, -2
              a(i, j) = i + j
              a(max(i - 1, 1), j) = i
            end do
          end do
          print '(2i4)', i, j
          do i = 1, n
            a(i, 1) = 99.0
          end do
          do k = 2, 7, 4
            a(k, 2) = -k
          end do
          print '(2i4)', i, k
          print '(7f6.1)', a
        end program p
        """,
        (r"\n  k = 10\n", "\n"),
    ),
}


@pytest.fixture(scope="module")
def runtime(tmp_path_factory: pytest.TempPathFactory) -> Runtime:
    return build_runtime(tmp_path_factory.mktemp("runtime"))


def ported(folder: Path, source: str, *, switches: bool = False) -> tuple[PortPlan, bytes]:
    (folder / "p.f90").write_text(dedent(source).lstrip("\n"))
    index = index_project(Manifest(root=folder, name="p", sources=("p.f90",)))
    plan = engine.plan(index, switches=switches)
    answers = {unit: engine.propose(plan, unit, index) for unit in plan.changed_units}
    rewrites = {unit: each for unit, each in answers.items() if isinstance(each, Rewrite)}
    return plan, engine.assemble(plan, rewrites, index)["p.f90"]


@pytest.mark.gfortran
@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_restructured_program_prints_the_same(
    sample: Sample, tmp_path: Path, runtime: Runtime
) -> None:
    plan, text = ported(tmp_path, sample.source)
    assert sample.rules <= {kernel.rule for kernel in plan.kernels}
    expected = printed(tmp_path / "original", (tmp_path / "p.f90").read_bytes(), ["-O1"], {})
    assert outputs(tmp_path, text, runtime) == {expected}
    pattern, careless = sample.wrong
    wrong, count = re.subn(pattern, careless, text.decode(), count=1)
    assert count == 1, text.decode()
    assert outputs(tmp_path, wrong.encode(), runtime) != {expected}


@pytest.mark.gfortran
@pytest.mark.slow
@pytest.mark.parametrize("sample", SAMPLES.values(), ids=SAMPLES)
def test_a_restructured_program_prints_the_same_while_it_is_off(
    sample: Sample, tmp_path: Path, runtime: Runtime
) -> None:
    _, text = ported(tmp_path, sample.source, switches=True)
    expected = printed(tmp_path / "original", (tmp_path / "p.f90").read_bytes(), ["-O1"], {})
    program = compiled(tmp_path / "device", text, FLAGS)
    for off, poison in product(("", "all"), POISONS):
        environment = runtime.environment(tmp_path / "report", poison) | {VARIABLE: off}
        assert said(program, environment) == expected, off
    (tmp_path / "p.f90").write_bytes(text)
    index = index_project(Manifest(root=tmp_path, name="p", sources=("p.f90",)))
    assert engine.plan(index, switches=True).changed_units == ()


def test_a_restructured_program_is_not_restructured_again(tmp_path: Path) -> None:
    for name, sample in SAMPLES.items():
        folder = tmp_path / name.replace(" ", "_")
        folder.mkdir()
        _, text = ported(folder, sample.source)
        (folder / "p.f90").write_bytes(text)
        index = index_project(Manifest(root=folder, name="p", sources=("p.f90",)))
        assert engine.plan(index).changed_units == (), name
