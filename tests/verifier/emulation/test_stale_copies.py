"""Whoever reads a copy that the other side has replaced is named, whatever the output."""

import pytest

from acclimate.verifier.running.emulation import POISONS

pytestmark = pytest.mark.gfortran

STEP = """\
module fields
  implicit none
  real(8), allocatable :: a(:), b(:)
contains
  subroutine scale(n)
    integer, intent(in) :: n
    integer :: i
    !$acc parallel loop default(present)
    do i = 1, n
      a(i) = a(i) + b(i)
    end do
  end subroutine
end module
program p
  use fields
  implicit none
  integer :: i
  character(20) :: text
  allocate (a(100), b(100))
  a = 0
  b = 0
  !$acc enter data {enter}
  {before}
  {update}
  call scale(100)
  {fetch}
  {read}
  !$acc exit data delete(a, b)
end program
"""
COPYIN = "copyin(a, b)"
TOTAL = "print *, sum(a)"


def step(enter: str = COPYIN, before: str = "", update: str = "", fetch: str = "", read: str = ""):
    return STEP.format(enter=enter, before=before, update=update, fetch=fetch, read=read)


@pytest.mark.parametrize(
    "read",
    [
        TOTAL,
        "print *, a(3)",
        "print *, a",
        "print *, a(1:100:7)",
        "write (10) a",
        "write (10) (a(i), i = 1, 3)",
        "b = a",
        "b(1:3) = a(4:6)",
        "b = [matmul(reshape(a, [10, 10]), reshape(b, [10, 10]))]",
        "print *, maxval(a)",
    ],
)
def test_the_host_reads_what_the_device_has_replaced(emulate, read):
    wrong = emulate(step(read=read), accesses=True)
    assert wrong.kinds == {"stale-on-host"}
    assert wrong.line("stale-on-host") == 27
    (finding, *_) = wrong.summary.findings
    assert finding.writer is not None
    assert finding.writer.line == 10
    assert finding.mapped_at is not None
    assert finding.mapped_at.line == 22
    assert emulate(step(fetch="!$acc update self(a)", read=read), accesses=True).kinds == set()


@pytest.mark.parametrize(
    "write",
    [
        "b = 1",
        "b(17) = 1",
        "b(:) = a(:) + 1",
        "b = a",
        "do i = 1, 3; b(i) = i; end do",
        "read (text, *) b(5)",
        "read (text, *) b(1:2)",
        "call random_number(b)",
    ],
)
def test_a_kernel_reads_what_the_host_has_replaced(emulate, write):
    def program(update: str) -> str:
        text = 'text = "1 2 3"'
        return step(before=f"{text}; {write}", update=update)

    wrong = emulate(program(""), accesses=True)
    assert wrong.kinds == {"stale-on-device"}
    assert wrong.line("stale-on-device") == 10
    assert wrong.summary.findings[0].writer is not None
    assert wrong.summary.findings[0].writer.line == 23
    assert emulate(program("!$acc update device(b)"), accesses=True).kinds == set()


@pytest.mark.parametrize("poison", POISONS)
def test_a_kernel_reads_what_nobody_wrote(emulate, poison):
    wrong = emulate(step(enter="copyin(a) create(b)"), accesses=True, poison=poison)
    assert wrong.kinds == {"uninitialised"}
    assert wrong.line("uninitialised") == 10
    again = step(enter="copyin(a) create(b)", before="b = 1")
    assert emulate(again, accesses=True, poison=poison).kinds == {"stale-on-device"}


def test_the_newer_value_is_overwritten_by_an_older_one(emulate):
    """The update runs the wrong way: what the kernel computed is lost, and both copies are."""
    wrong = step(before="a = 1; b = 1", update="!$acc update device(a, b)").replace(
        "  !$acc exit data", "  !$acc update device(a)\n  call scale(100)\n  !$acc exit data"
    )
    assert emulate(wrong, accesses=True).kinds == {"stale-on-device"}
    right = wrong.replace("update device(a)\n", "update self(a)\n")
    assert emulate(right, accesses=True).kinds == set()


def test_what_is_lost_is_not_found_again_by_copying_it_back(emulate):
    """A part written on an old copy: the rest of it overwrites what the kernel computed."""
    wrong = step(
        before="b = 1\n  !$acc update device(b)\n  call scale(100)\n  a(1:50) = 0",
        update="!$acc update device(a)\n  !$acc update self(a)",
    )
    assert emulate(wrong, accesses=True).kinds == {"stale-on-device"}
    right = wrong.replace("  a(1:50)", "  !$acc update self(a)\n  a(1:50)")
    assert emulate(right, accesses=True).kinds == set()


@pytest.mark.parametrize(
    ("clause", "kinds"),
    [
        ("copy(a) copyin(b)", set()),
        ("copyin(a, b)", {"stale-on-host"}),
        ("copy(a) create(b)", {"uninitialised"}),
        ("copyout(a) copyin(b)", {"uninitialised"}),
    ],
)
def test_a_region_that_has_ended_is_not_forgotten(emulate, clause, kinds):
    source = f"""\
program p
  implicit none
  real(8), allocatable :: a(:), b(:)
  integer :: i
  allocate (a(100), b(100))
  a = 1
  b = 1
  !$acc parallel loop {clause}
  do i = 1, 100
    a(i) = a(i) + b(i)
  end do
  print *, a(5)
end program
"""
    assert emulate(source, accesses=True).kinds == kinds


def test_a_copyout_of_a_part_loses_the_rest(emulate):
    source = """\
program p
  implicit none
  real(8), allocatable :: a(:)
  integer :: i
  allocate (a(0:11))
  a = 1
  !$acc parallel loop copyout(a)
  do i = {first}, 10
    a(i) = i
  end do
  {cover}
  print *, a
end program
"""
    wrong = emulate(source.format(first=1, cover=""), accesses=True)
    assert (wrong.kinds, wrong.line("uninitialised")) == ({"uninitialised"}, 12)
    right = source.format(first=1, cover="a(0) = 0; a(11) = 0")
    assert emulate(right, accesses=True).kinds == set()


def test_memory_that_is_freed_and_used_again_starts_afresh(emulate):
    source = """\
program p
  implicit none
  integer :: n
  do n = 1, 4
    call work(n)
    call automatic(n)
  end do
contains
  subroutine work(n)
    integer, intent(in) :: n
    real(8), allocatable :: a(:)
    integer :: i
    allocate (a(1000))
    !$acc enter data create(a)
    !$acc parallel loop present(a)
    do i = 1, 1000
      a(i) = n
    end do
    {leave}
    deallocate (a)
  end subroutine
  subroutine automatic(n)
    integer, intent(in) :: n
    real(8) :: a(40 * n)
    integer :: i
    !$acc parallel loop create(a)
    do i = 1, 40 * n
      a(i) = n
    end do
    call host(3 * n)
  end subroutine
  subroutine host(n)
    integer, intent(in) :: n
    real(8) :: a(40 * n)
    a = 0
    a(3:6) = a(5:8) + 1
    if (sum(a) < 0) print *, a
  end subroutine
end program
"""
    assert emulate(source.format(leave="!$acc exit data delete(a)"), accesses=True).kinds == set()
    wrong = emulate(source.format(leave=""))
    assert "freed-while-mapped" in wrong.kinds
    assert wrong.line("freed-while-mapped") == 20


@pytest.mark.parametrize(
    "output",
    [
        "write (10) a",
        "write (10) a(1:100:7)",
        "print *, a, a(3), real(b)",
        "write (text, '(f4.1)') b(2)",
        "a(1:9) = a(2:10)",
        "call see(a(1:100:2))",
    ],
)
def test_output_does_not_make_the_device_copy_stale(emulate, output):
    source = step(fetch="!$acc update self(a)", read=output).replace(
        "  !$acc exit data", "  call scale(100)\n  !$acc exit data"
    )
    contained = "contains\n  subroutine see(x)\n    real(8), intent(in) :: x(50)\n"
    contained += "    print *, x\n  end subroutine\nend program\n"
    source = source.replace("end program\n", contained)
    kinds = emulate(source, accesses=True).kinds
    assert kinds == ({"stale-on-device"} if output.startswith("a(1:9)") else set())


def test_kernels_on_the_host_are_host_code(emulate):
    source = step(before="b = 1").replace("default(present)", "if(.false.)")
    assert emulate(source, accesses=True).kinds == set()


def test_components_are_followed_through_their_structure(emulate):
    source = """\
program p
  implicit none
  type :: state
    real(8) :: dt
    real(8), allocatable :: a(:)
  end type
  type(state) :: s
  integer :: i
  s%dt = 1
  allocate (s%a(50))
  s%a = 1
  !$acc enter data copyin(s)
  !$acc enter data copyin(s%a)
  s%dt = 2
  {update}
  !$acc parallel loop default(present)
  do i = 1, 50
    s%a(i) = s%a(i) * s%dt
  end do
  {fetch}
  print *, s%a(7)
end program
"""
    device, host = "!$acc update device(s%dt)", "!$acc update self(s%a)"
    assert emulate(source.format(update=device, fetch=host), accesses=True).kinds == set()
    no_device = emulate(source.format(update="", fetch=host), accesses=True)
    assert (no_device.kinds, no_device.line("stale-on-device")) == ({"stale-on-device"}, 18)
    no_host = emulate(source.format(update=device, fetch=""), accesses=True)
    assert (no_host.kinds, no_host.line("stale-on-host")) == ({"stale-on-host"}, 21)


def test_a_static_variable_that_is_not_mapped_is_mentioned(emulate):
    source = """\
module tables
  implicit none
  real(8) :: weight(50) = 2
  !$acc declare create(weight)
end module
program p
  use tables
  implicit none
  real(8) :: a(50)
  integer :: i
  !$acc parallel loop copyout(a)
  do i = 1, 50
    a(i) = weight(i)
  end do
  print *, a(1)
end program
"""
    run = emulate(source, accesses=True)
    assert run.kinds == {"host-memory-in-kernel"}
    assert not run.summary.errors
    assert run.summary.findings[0].variable == "tables::weight"


SEND = """\
subroutine mpi_type_size(type, size, error)
  integer :: type, size, error
  size = 8
  error = type - type
end subroutine
subroutine mpi_type_get_extent(type, lower, extent, error)
  integer :: type, error
  integer(8) :: lower, extent
  lower = 0
  extent = {extent}
  error = type - type
end subroutine
subroutine mpi_type_get_true_extent(type, lower, extent, error)
  integer :: type, error
  integer(8) :: lower, extent
  lower = {lower}
  extent = {true_extent}
  error = type - type
end subroutine
{unpack}program p
  implicit none
  interface
    subroutine sent(buffer, count, type, to, tag, comm, error) bind(c, name="mpi_send_")
      real(8) :: buffer(*)
      integer :: count, type, to, tag, comm, error
    end subroutine
  end interface
  real(8) :: a(100)
  integer :: i, n(6)
  a = 1
  n = {count}
  n(3) = {to}
  !$acc enter data copyin(a)
  !$acc parallel loop default(present)
  do i = 1, 100
    a(i) = i
  end do
  {fetch}
  call sent(a, n(1), n(2), n(3), n(4), n(5), n(6))
end program
"""


# Of each element the first four of `true_extent` bytes and the last four are sent.
UNPACK = """\
subroutine mpi_pack_size(count, type, comm, size, error)
  integer :: count, type, comm, size, error
  size = 8*count
  error = type - type + comm - comm
end subroutine
subroutine mpi_unpack(packed, length, position, buffer, count, type, comm, error)
  integer :: length, position, count, type, comm, error
  character :: packed(length), buffer(*)
  buffer({lower} + 1:{lower} + 4) = packed(1:4)
  buffer({lower} + {last} - 3:{lower} + {last}) = packed(5:8)
  position = 8*count
  error = type - type + comm - comm
end subroutine
"""


def send(
    fetch: str = "",
    extent: int = 8,
    true_extent: int = 8,
    to: int = 1,
    lower: int = 0,
    unpack: bool = True,
) -> str:
    text = UNPACK.format(lower=lower, last=true_extent) if unpack else ""
    known = {"extent": extent, "true_extent": true_extent, "lower": lower}
    return SEND.format(fetch=fetch, to=to, count=800 // extent, unpack=text, **known)


def fetched(*firsts: int) -> str:
    """Every third element from each of these brought to the host."""
    loop = "do i = {}, 99, 3\n    !$acc update self(a(i))\n  end do"
    return "\n  ".join(loop.format(first) for first in firsts)


def test_what_is_sent_is_read(emulate):
    """A message takes the host's copy; nobody but MPI reads it."""
    wrong = emulate(send(unpack=False), accesses=True)
    assert (wrong.kinds, wrong.line("stale-on-host")) == ({"stale-on-host"}, 39)
    right = send(fetch="!$acc update self(a)", unpack=False)
    assert emulate(right, accesses=True).kinds == set()


TYPES = {
    "a stride": ({"extent": 24}, {1}),
    "another first element": ({"extent": 24, "lower": 8}, {2}),
    "gaps": ({"extent": 24, "true_extent": 24}, {1, 3}),
}


@pytest.mark.parametrize(("given", "sent"), TYPES.values(), ids=TYPES)
def test_of_a_derived_type_the_bytes_that_are_sent_are_read(emulate, given, sent):
    assert emulate(send(fetch=fetched(*sent), **given), accesses=True).kinds == set()
    for missing in sent:
        wrong = send(fetch=fetched(*{1, 2, 3} - {missing}), **given)
        assert emulate(wrong, accesses=True).kinds == {"stale-on-host"}


def test_nothing_is_read_for_nobody(emulate):
    """A message to MPI_PROC_NULL."""
    assert emulate(send(to=-2), accesses=True).kinds == set()


def test_a_message_whose_bytes_are_not_known_is_said_to_be_unwatched(emulate):
    run = emulate(send(extent=24, unpack=False), accesses=True)
    assert run.kinds == {"unwatched-send"}
    assert not run.summary.errors
