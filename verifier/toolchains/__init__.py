"""What a compiler is to the verifier: names, flags for each kind of build, and what it can do.

One compiler is one file in this folder holding one frozen value called `TOOLCHAIN`.
"""

import re
from dataclasses import dataclass, field
from enum import StrEnum
from importlib import import_module
from pkgutil import iter_modules

from acclimate.analysis.problems import Problem


class Build(StrEnum):
    """What an executable is built for."""

    PLAIN = "plain"  # directives ignored
    HOST = "host"  # directives obeyed, kernels run on the host in order, one memory
    OFFLOAD = "offload"  # device code generated and linked
    UNOPTIMISED = "unoptimised"  # plain, without optimisation: a second rounding of the same model
    WIDER = "wider"  # host, reals of twice the bits: what rounding does all but vanishes
    BOUNDS = "bounds"  # host, array bounds checked at run time
    COVERAGE = "coverage"  # directives ignored, executed lines counted
    DISCRETE = "discrete"  # host, for the separate device memory
    ACCESS = "access"  # host, every memory access reported to the access log
    TIMED = "timed"  # plain, every procedure tells when it begins and ends


class Capability(StrEnum):
    OPENACC = "openacc"
    OFFLOAD = "offload"
    ACCESS_LOG = "access-log"
    COVERAGE = "coverage"


@dataclass(frozen=True, slots=True)
class Toolchain:
    """A compiler as data.

    `always` follows the model's own flags in every build, so that it wins over them: a port is
    held to the original bit for bit, which needs contraction and re-association switched off.
    `compile_only` holds flags that must not reach the linker, `link_only` what it gets besides,
    behind the objects. `location` matches the line that
    announces a place, `message` the diagnostic that follows it, `inline` both on one line.
    """

    name: str
    compiler: str
    always: tuple[str, ...]
    flags: dict[Build, tuple[str, ...]]
    module_output: str  # the option that takes the folder of module files, joined to it
    include: str
    define: str
    form: dict[str, str]  # "fixed" and "free"
    preprocess: str
    d_lines: dict[bool, str]  # True: they are code
    location: re.Pattern[str]
    message: re.Pattern[str]
    inline: re.Pattern[str]
    no_device_code: re.Pattern[str]  # a link error: `name` is referenced on the device, not there
    compile_only: dict[Build, tuple[str, ...]] = field(default_factory=dict)
    link_only: dict[Build, tuple[str, ...]] = field(default_factory=dict)
    coverage_tool: tuple[str, ...] = ()  # prints gcov's JSON for one data file on standard output
    device_compiler: tuple[str, ...] = ()  # prints the path of the part that makes device code
    targets: tuple[str, ...] = ()  # device architectures, to be tried in this order
    target_flag: str = "{target}"
    capabilities: frozenset[Capability] = field(default_factory=frozenset)


def names() -> list[str]:
    """The toolchains there are, by file name; none of them is imported."""
    return sorted(module.name for module in iter_modules(__path__))


def toolchain(name: str) -> Toolchain:
    """The toolchain called `name`.

    Raises:
        Problem: there is no such toolchain.
    """
    if name not in names():
        raise Problem(
            f"there is no toolchain called '{name}'.",
            hint=f"choose one of: {', '.join(names())}",
        )
    found = import_module(f"{__name__}.{name}").TOOLCHAIN
    assert isinstance(found, Toolchain)
    return found
