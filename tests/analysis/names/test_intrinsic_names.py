"""Names of intrinsic procedures and modules, and what may stand behind them instead."""

import pytest

from acclimate.analysis.ir import Literal, LiteralKind
from acclimate.analysis.names.resolution import (
    DummyProcedure,
    External,
    Intrinsic,
    Procedures,
    TypeName,
    Unresolved,
    Variable,
)


def test_intrinsic_and_external_statements(project_of):
    text = (
        "subroutine s\nexternal e\nintrinsic max\ninteger index\nindex = 1\ncall e(max, k)\nend\n"
    )
    project = project_of({"s.f90": text})
    unit = project.units["s"]
    assert project.resolve(unit, "e") == External("e")
    assert project.resolve(unit, "max") == Intrinsic("max")
    assert isinstance(project.resolve(unit, "index"), Variable)


def test_a_module_procedure_hides_an_intrinsic(project_of):
    text = """
module m
  interface sign
    module procedure safe
  end interface
contains
  real function safe(x)
    real :: x
    safe = x
  end function
end module
subroutine s(x)
  use m
  x = sign(x)
end subroutine
"""
    project = project_of({"s.f90": text})
    found = project.resolve(project.units["s"], "sign")
    assert isinstance(found, Procedures)
    assert [project.name_of(u) for u in found.candidates] == ["m::safe"]


@pytest.mark.parametrize(
    "declared",
    ["real, external :: exp", "real exp\nexternal exp", "procedure(real) :: exp", "external exp"],
)
def test_a_name_declared_external_is_no_intrinsic(project_of, declared):
    project = project_of({"s.f90": f"subroutine s(x)\n{declared}\nx = exp(x)\nend\n"})
    assert project.resolve(project.units["s"], "exp") in (External("exp"), DummyProcedure("exp"))


def test_an_external_of_the_project_is_found_under_an_intrinsics_name(project_of):
    text = "subroutine s(x)\nexternal exp\nx = exp(x)\nend\nreal function exp(x)\nexp = x\nend\n"
    project = project_of({"s.f90": text})
    found = project.resolve(project.units["s"], "exp")
    assert found == Procedures((project.units["exp"],))


def test_the_type_of_an_intrinsic_may_be_declared(project_of):
    project = project_of({"s.f90": "subroutine s(x)\nreal exp\nx = exp(x)\nend\n"})
    assert project.resolve(project.units["s"], "exp") == Intrinsic("exp")


INTRINSIC_MODULES = """\
subroutine s(x, n)
  use, intrinsic :: iso_fortran_env, only: int32, wp => real64, vendor_only
  use, intrinsic :: iso_c_binding
  use ieee_arithmetic, only: ieee_is_nan, ieee_value, ieee_quiet_nan, ieee_set_flag
  use openacc, only: acc_async_noval, acc_get_num_devices
  implicit none
  integer(int32) :: n
  real(wp) :: x
  type(c_ptr) :: p
  if (ieee_is_nan(x)) x = ieee_value(x, ieee_quiet_nan)
  call ieee_set_flag(n)
  n = acc_async_noval + acc_get_num_devices(n) + vendor_only + c_int + nowhere
end subroutine
"""


@pytest.mark.parametrize(
    ("name", "value"), [("int32", 4), ("wp", 8), ("c_int", 4), ("acc_async_noval", -1)]
)
def test_constants_of_intrinsic_modules_are_named_constants(project_of, name, value):
    project = project_of({"s.f90": INTRINSIC_MODULES})
    found = project.resolve(project.units["s"], name)
    assert isinstance(found, Variable)
    assert (found.symbol.type, found.symbol.is_parameter) == ("integer", True)
    assert found.symbol.initial == Literal(LiteralKind.INTEGER, str(value))


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("ieee_is_nan", Intrinsic("ieee_is_nan")),
        ("ieee_set_flag", External("ieee_set_flag")),
        ("acc_get_num_devices", External("acc_get_num_devices")),
        ("c_ptr", TypeName("c_ptr")),
        ("vendor_only", Unresolved("vendor_only")),
        ("real64", Unresolved("real64")),
        ("nowhere", Unresolved("nowhere")),
    ],
)
def test_other_names_of_intrinsic_modules_are_what_they_are(project_of, name, meaning):
    project = project_of({"s.f90": INTRINSIC_MODULES})
    assert project.resolve(project.units["s"], name) == meaning


def test_a_module_of_the_project_hides_an_intrinsic_one(project_of):
    text = "module openacc\ninteger :: acc_async_sync\nend module\n"
    text += "subroutine s\nuse openacc\nacc_async_sync = 1\nend subroutine\n"
    project = project_of({"s.f90": text})
    found = project.resolve(project.units["s"], "acc_async_sync")
    assert isinstance(found, Variable)
    assert found.symbol.owner is project.units["openacc"]
