"""GNU Fortran with OpenACC, host fallback or nvptx device code."""

import re

from acclimate.verifier.toolchains import Build, Capability, Toolchain

_ON_HOST = ("-fopenacc", "-foffload=disable")
# gfortran 12 assumes that a library call leaves some memory alone; a separate device memory behind
# those calls breaks that assumption. Plain host builds take the same flags to share the objects.
_HOST = (
    *_ON_HOST,
    "-g",
    "-fno-ipa-modref",
    "-fno-ipa-icf",  # or kernels with the same code become one function
    "-fno-tree-tail-merge",  # or equal directives at the ends of two branches become one call,
    "-fno-crossjumping",  # counted at one of their lines
    "-fno-optimize-sibling-calls",  # or the call of a last directive has no place at all
)

TOOLCHAIN = Toolchain(
    name="gfortran",
    compiler="gfortran",
    always=("-fno-fast-math", "-ffp-contract=off"),
    flags={
        Build.PLAIN: (),
        Build.HOST: _HOST,
        # Device code that calls mathematical functions needs the device's libm.
        Build.OFFLOAD: (
            "-fopenacc",
            "-foffload=nvptx-none",
            "-foffload-options=-lm",
        ),
        Build.UNOPTIMISED: ("-O0",),
        Build.WIDER: (*_HOST, "-freal-4-real-8", "-freal-8-real-16"),
        Build.BOUNDS: (*_ON_HOST, "-g", "-O1", "-fcheck=bounds,do,mem,pointer"),
        # Directives ignored: gcov leaves out the functions that kernels are moved into.
        Build.COVERAGE: ("-O0", "--coverage"),
        Build.DISCRETE: _HOST,
        Build.ACCESS: (*_HOST, "-O1"),
        Build.TIMED: ("-g1", "-finstrument-functions"),
    },
    # The calls it inserts are answered by our own access log; libtsan must stay away.
    compile_only={Build.ACCESS: ("-fsanitize=thread",)},
    # For a port that calls the OpenACC library; and for the gauge of the timing hooks.
    link_only={Build.COVERAGE: ("-lgomp",), Build.TIMED: ("-lgomp", "-lm")},
    module_output="-J",
    include="-I",
    define="-D",
    form={"fixed": "-ffixed-form", "free": "-ffree-form"},
    preprocess="-cpp",
    d_lines={True: "-fd-lines-as-code", False: "-fd-lines-as-comments"},
    location=re.compile(r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):(?:\d+:)?\s*$"),
    message=re.compile(r"^(?P<severity>Fatal Error|Error|Warning): (?P<text>.+)$"),
    inline=re.compile(
        r"^(?P<file>[^\s:][^:\n]*):(?P<line>\d+):\d+: "
        r"(?P<severity>fatal error|error|warning): (?P<text>.+)$"
    ),
    no_device_code=re.compile(r"^unresolved symbol (?P<name>\w+)$"),
    coverage_tool=("gcov", "--json-format", "--stdout", "--branch-probabilities"),
    device_compiler=("gfortran", "-print-prog-name=accel/nvptx-none/mkoffload"),
    targets=("sm_80", "sm_75", "sm_70", "sm_53", "sm_35", "sm_30"),
    target_flag="-foffload-options=nvptx-none=-misa={target}",
    capabilities=frozenset(Capability),
)
