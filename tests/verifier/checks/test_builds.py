import pytest

from acclimate.verifier.checks.host_build import host_build
from acclimate.verifier.checks.offload_build import offload_build
from acclimate.verifier.evidence import Light, Outcome

PORT = """\
program p
  real :: a(9)
  integer :: i
  !$acc parallel loop copyout(a)
  do i = 1, 9
    a(i) = i
  end do
  print *, a
end program p
"""
CALL = PORT.replace("a(i) = i", "call s(a(i))") + "subroutine s(x)\n  x = 1\nend subroutine s\n"


@pytest.mark.gfortran
def test_a_port_that_does_not_compile_fails_at_its_line(program):
    found = list(host_build(program(PORT.replace("a(i) = i", "a(i) = "))))
    assert [(e.outcome, e.file, e.line) for e in found] == [(Outcome.FAILS, "port.f90", 6)]


@pytest.mark.gfortran
def test_building_holds_but_lights_nothing(program):
    found = list(host_build(program(PORT)))
    assert [(e.outcome, e.decisive) for e in found] == [(Outcome.HOLDS, False)]


@pytest.mark.offload
@pytest.mark.parametrize(
    ("text", "line"),
    [
        pytest.param(CALL, 10, id="a call without routine"),
        pytest.param(PORT.replace("a(i) = i", "print *, i"), 6, id="output in a kernel"),
    ],
)
def test_only_the_offload_build_sees_what_cannot_run_on_a_device(program, text, line):
    subject = program(text)
    assert [e.outcome for e in host_build(subject)] == [Outcome.HOLDS]
    failed = [e for e in offload_build(subject) if e.outcome is Outcome.FAILS]
    assert (failed[0].light, failed[0].file, failed[0].line) == (Light.DEVICE, "port.f90", line)


@pytest.mark.offload
def test_device_code_that_links_has_not_run(program):
    found = list(offload_build(program(PORT)))
    assert [(e.light, e.outcome, e.decisive) for e in found] == [
        (Light.DEVICE, Outcome.HOLDS, False)
    ]
