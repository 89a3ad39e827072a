"""Each operator makes the change it is named after, where it applies and nowhere else."""

import pytest

from acclimate.analysis.problems import Problem
from acclimate.analysis.reader.reading import read
from acclimate.analysis.source import apply_edits
from acclimate.analysis.tree.manifest import Manifest
from acclimate.analysis.view.normalising import view_of
from acclimate.verifier.mutants.mutant import Family
from acclimate.verifier.mutants.operators import all_operators
from acclimate.verifier.mutants.sampling import chosen_operators, every_mutant, sample

PORT = """\
module fields
  implicit none
  integer, parameter :: wp = kind(1.0d0)
  real(wp) :: table(4)
  !$acc declare create(table)
contains
  subroutine step(n, a, b, total)
    integer, intent(in) :: n
    real(wp), intent(inout) :: a(n, n), b(n, n)
    real(wp), intent(out) :: total
    real(wp) :: t, unused
    integer :: i, j
    total = 0.0_wp
    !$acc update device(a) async(1)
    !$acc wait(1)
    !$acc data copyin(a) copy(b)
    !$acc parallel loop gang vector collapse(2) default(present) private(t, i, j) reduction(+:total)
    do j = 2, n
      do i = 1, n
        t = 0.25_wp*a(i, j) + max(b(i, j - 1), 0.0_wp)
        if (t > 0.5_wp .and. i < n) then
          a(i, j) = t - halved(b(i, j))
        end if
        total = total + t
      end do
    end do
    !$acc parallel loop gang firstprivate(total)
    do j = 1, n
      !$acc loop seq
      do i = 2, n
        a(i, j) = a(i - 1, j) + total
      end do
      !$acc loop vector
      do i = 1, n
        !$acc atomic update
        table(1) = table(1) + a(i, j)
      end do
    end do
    !$acc end data
    !$acc update self(a, b)
    do j = 2, n
      b(1, j) = b(1, j - 1)
    end do
    call halve(b(1, 1))
    !$acc exit data copyout(b) delete(a)
  end subroutine step

  real(wp) function halved(x)
    real(wp), intent(in) :: x
    !$acc routine seq
    halved = 0.5_wp*x
  end function halved

  subroutine halve(x)
    real(wp), intent(inout) :: x
    !$acc enter data create(x)
    x = halved(x)
  end subroutine halve
end module fields
"""
# One change of each operator: the line it takes out, and the line it puts in.
MADE = {
    "async_without_wait": ("update self(a, b)", "update self(a, b) async(7)"),
    "collapse_less": ("collapse(2) default", "vector default(present)"),
    "copyout_as_delete": ("copyout(b) delete(a)", "delete(a) delete(b)"),
    "data_kind": ("data copyin(a) copy(b)", "data copy(b) create(a)"),
    "drop_atomic": ("atomic update", ""),
    "drop_declare": ("declare create(table)", ""),
    "drop_default_present": ("default(present)", "collapse(2) private(t, i, j)"),
    "drop_kernel": ("default(present)", ""),
    "drop_loop_seq": ("loop seq", ""),
    "drop_mapping": ("data copyin(a) copy(b)", "data copyin(a)"),
    "drop_private": ("private(t, i, j)", "private(i, j)"),
    "drop_reduction": ("reduction(+:total)", "private(t, i, j)"),
    "drop_routine": ("routine seq", ""),
    "drop_update_device": ("update device(a)", ""),
    "drop_update_self": ("update self(a, b)", "update self(b)"),
    "drop_wait": ("wait(1)", ""),
    "firstprivate_as_private": ("firstprivate(total)", "private(total)"),
    "parallel_on_serial": ("do j = 2, n", "!$acc parallel loop"),
    "private_array": ("private(t, i, j)", "private(a)"),
    "private_input": ("private(t, i, j)", "private(n)"),
    "private_outer_index": ("loop vector", "private(j)"),
    "private_unused": ("private(t, i, j)", "private(unused)"),
    "reduction_operator": ("reduction(+:total)", "reduction(max:total)"),
    "seq_as_parallel": ("loop seq", "loop vector"),
    "update_direction": ("update self(a, b)", "update device(a, b)"),
    "arithmetic_operator": ("0.25_wp*a(i, j)", "0.25_wp/a(i, j)"),
    "constant": ("0.25_wp", "0.250244140625_wp"),
    "drop_assignment": ("total = total + t", "continue"),
    "drop_call": ("call halve", "continue"),
    "drop_term": ("a(i - 1, j) + total", "a(i, j) = a(i - 1, j)"),
    "extremum": ("max(b(i, j - 1)", "min(b(i, j - 1)"),
    "guard_lost": ("if (t > 0.5_wp", "if (.true.) then"),
    "guard_negated": ("if (t > 0.5_wp", ".not. (t > 0.5_wp .and. i < n)"),
    "logical_operator": (".and.", ".or."),
    "lower_bound": ("do j = 2, n", "do j = 2 + 1, n"),
    "offset": ("b(i, j - 1)", "b(i, j + 1)"),
    "other_array": ("b(i, j - 1)", "max(a(i, j - 1), 0.0_wp)"),
    "precision": ("t = 0.25_wp*a(i, j)", "real(0.25_wp*a(i, j) + max(b(i, j - 1), 0.0_wp), 4)"),
    "relation": ("t > 0.5_wp", "t >= 0.5_wp"),
    "sign": ("total + t", "total - t"),
    "subscript": ("0.25_wp*a(i, j)", "0.25_wp*a(i + 1, j)"),
    "upper_bound": ("do i = 1, n", "do i = 1, n - 1"),
    "copy_turned_round": ("b(1, j) = b(1, j - 1)", "b(1, j - 1) = b(1, j)"),
}
NOT_HERE = {"collapse_deeper"}


def test_there_is_an_example_of_every_operator():
    assert {each.name for each in all_operators()} == MADE.keys() | NOT_HERE


@pytest.mark.parametrize("name", MADE)
def test_an_operator_makes_the_change_it_is_named_after(name, mutants):
    was, now = MADE[name]
    found = mutants(PORT, name)[name]
    changes = [("\n".join(m.before), "\n".join(m.after)) for m in found]
    assert any(was in before and now in after for before, after in changes), changes


def test_collapse_takes_in_an_inner_loop(mutants):
    text = PORT.replace("collapse(2)", "")
    (found,) = mutants(text, "collapse_deeper")["collapse_deeper"]
    assert "collapse(2)" in found.after[-1]
    assert found.equivalent == ""  # it carries the sum
    plain = text.replace("        total = total + t\n", "").replace("b(i, j - 1)", "b(i, j)")
    (found,) = mutants(plain, "collapse_deeper")["collapse_deeper"]
    assert "independent" in found.equivalent


COUNT = """\
subroutine s(a, n, count)
  integer, intent(in) :: n, a(n, n)
  integer, intent(inout) :: count(9)
  integer :: i, j
  !$acc parallel loop default(present) private(i)
  do j = 1, n
    do i = 1, n
      !$acc atomic update
      count(a(i, j)) = count(a(i, j)) + 1
    end do
  end do
end subroutine s
"""


def test_a_collapsed_loop_is_as_right_where_all_its_updates_are_atomic(mutants):
    (found,) = mutants(COUNT, "collapse_deeper")["collapse_deeper"]
    assert "independent" in found.equivalent
    unprotected = COUNT.replace(
        "    end do\n", "      count(a(i, j)) = count(a(i, j)) + 1\n    end do\n", 1
    )
    (found,) = mutants(unprotected, "collapse_deeper")["collapse_deeper"]
    assert found.equivalent == ""


@pytest.mark.parametrize(
    "update",
    [
        "if (a(i, j) > 0) count(a(i, j)) = count(a(i, j)) + 1",
        "if (a(i, j) > 0) then\n!$acc atomic update\ncount(1) = count(1) + 1\nend if\n"
        "if (a(i, j) > 1) count(2) = count(2) + 1",
        "!$acc atomic update\ncount(1) = count(1) + 1; count(2) = count(2) + 1",
    ],
)
def test_an_update_that_does_not_begin_its_line_is_to_be_atomic_as_well(mutants, update):
    rows = COUNT.split("\n")
    text = "\n".join([*rows[:7], update, *rows[9:]])
    (found,) = mutants(text, "collapse_deeper")["collapse_deeper"]
    assert found.equivalent == ""


def test_the_index_of_a_loop_needs_no_clause_and_another_variable_does(mutants):
    dropped = {m.detail: m.equivalent for m in mutants(PORT, "drop_private")["drop_private"]}
    assert "private by itself" in dropped["'i' is no longer private"]
    assert dropped["'t' is no longer private"] == ""


@pytest.mark.parametrize(
    ("name", "all_equivalent"),
    [("private_unused", True), ("drop_default_present", True), ("drop_loop_seq", True),
     ("collapse_less", True), ("drop_update_self", False), ("drop_atomic", False)],
)  # fmt: skip
def test_what_changes_nothing_says_why(name, all_equivalent, mutants):
    found = mutants(PORT, name)[name]
    assert found
    assert all(bool(m.equivalent) is all_equivalent for m in found)


def test_an_outer_index_that_nothing_inside_uses_may_be_private(mutants):
    text = PORT.replace("table(1) + a(i, j)", "table(1) + a(i, 1)")
    reasons = {
        m.before[0].split()[-1]: m.equivalent
        for m in mutants(text, "private_outer_index")["private_outer_index"]
    }
    assert reasons == {"seq": "", "vector": "nothing in the inner loop uses 'j'"}


def test_where_nothing_is_kept_on_the_device_a_kernel_may_run_on_the_host(mutants):
    assert not any(m.equivalent for m in mutants(PORT, "drop_kernel")["drop_kernel"])
    (found,) = mutants(FIXED, "drop_kernel", name="port.f")["drop_kernel"]
    assert "the host has it" in found.equivalent


def test_a_single_precision_constant_loses_nothing(mutants):
    text = PORT.replace("total = 0.0_wp", "total = 0.5_wp").replace("0.25_wp*", "")
    exact = {m.before[0].strip() for m in mutants(text, "precision")["precision"] if m.equivalent}
    assert exact == {"total = 0.5_wp"}


def test_a_second_wait_may_go(mutants):
    text = PORT.replace("!$acc wait(1)\n", "!$acc wait(1)\n    !$acc wait(1)\n")
    first, second = mutants(text, "drop_wait")["drop_wait"]
    assert "same WAIT" in first.equivalent
    assert second.equivalent == ""


def test_every_mutant_is_fortran_and_changes_its_own_lines_only(material, tmp_path):
    port = material(PORT)
    data = port.files["port.f90"].data
    manifest = Manifest(tmp_path, "port", ("port.f90",))
    every = [m for found in every_mutant(port, chosen_operators(())).values() for m in found]
    assert len({m.id for m in every}) == len(every) > 100
    for mutant in every:
        changed = apply_edits(data, [mutant.edit])
        old, new = data.decode().splitlines(), changed.decode().splitlines()
        first, last = mutant.at.first - 1, mutant.at.last
        assert new[:first] == old[:first]
        assert new[first + len(mutant.after) :] == old[last:]
        assert read(view_of(manifest, "port.f90", changed)).problems == (), mutant.id


FIXED = """\
      subroutine s(n, a, b)
      integer n, i
      real*8 a(n), b(n), t
!$acc parallel loop private(t) copyin(b)
!$acc& copy(a)
      do 10 i = 1, n
        t = b(i) + 1.5d0
     &      *a(i)
 10   a(i) = t
      end
"""


def test_fixed_form_stays_fixed_form(material, tmp_path):
    port = material(FIXED, "port.f")
    manifest = Manifest(tmp_path, "port", ("port.f",))
    for found in every_mutant(port, chosen_operators(())).values():
        for mutant in found:
            changed = apply_edits(port.files["port.f"].data, [mutant.edit])
            assert all(len(line) <= 72 for line in changed.decode().splitlines())
            assert read(view_of(manifest, "port.f", changed)).problems == (), mutant.id
            if mutant.family is Family.STATEMENT and mutant.at.first == 9:
                assert mutant.after[0].split()[0] == "10"


def test_statements_that_share_a_line_are_left_alone(mutants):
    text = PORT.replace("total = 0.0_wp\n", "total = 0.0_wp; unused = 1.0_wp\n")
    lost = [m.detail for m in mutants(text, "drop_assignment")["drop_assignment"]]
    assert not any("unused" in detail for detail in lost)


def test_a_sample_is_the_same_each_time_and_grows_with_the_count(mutants):
    found = mutants(PORT)
    few, many = sample(found, 20, 7), sample(found, 60, 7)
    assert few == sample(found, 20, 7) == many[:20]
    assert few != sample(found, 20, 8)
    assert len({m.operator for m in many}) == sum(bool(group) for group in found.values())
    assert len(sample(found, 10**6, 1)) == sum(map(len, found.values()))


def test_an_unknown_operator_is_refused_with_the_names_there_are():
    with pytest.raises(Problem, match="no operator called 'drop'") as caught:
        chosen_operators(["drop"])
    assert "drop_private" in caught.value.hint
