"""What the analysis must know about intrinsic procedures (Fortran 2018, clause 16)."""

from acclimate.analysis.dependence.records import Trait

# Functions that ask about an object without reading its value.
INQUIRIES = frozenset(
    [
        "allocated",
        "associated",
        "bit_size",
        "digits",
        "epsilon",
        "huge",
        "is_contiguous",
        "kind",
        "lbound",
        "len",
        "maxexponent",
        "minexponent",
        "precision",
        "present",
        "radix",
        "range",
        "rank",
        "selected_int_kind",
        "selected_real_kind",
        "shape",
        "size",
        "storage_size",
        "tiny",
        "ubound",
    ]
)

# Functions whose result is an integer if their arguments are.
INTEGER_RESULT = frozenset(
    [
        "ceiling",
        "count",
        "floor",
        "iachar",
        "ichar",
        "idint",
        "ifix",
        "index",
        "int",
        "lbound",
        "len",
        "len_trim",
        "nint",
        "size",
        "ubound",
        "shape",
        "maxloc",
        "minloc",
        "findloc",
    ]
)
INTEGER_IF_ARGUMENTS = frozenset(
    [
        "abs",
        "dim",
        "iabs",
        "iand",
        "ieor",
        "ior",
        "ishft",
        "max",
        "max0",
        "maxval",
        "min",
        "min0",
        "minval",
        "mod",
        "modulo",
        "product",
        "sign",
        "sum",
    ]
)

REDUCING = frozenset(
    ["all", "any", "count", "dot_product", "maxval", "minval", "norm2", "parity", "product", "sum"]
)

# Functions of whole arrays: their result does not follow from the elements at one position.
TRANSFORMING = REDUCING | frozenset(
    [
        "cshift",
        "eoshift",
        "findloc",
        "iall",
        "iany",
        "iparity",
        "matmul",
        "maxloc",
        "minloc",
        "pack",
        "reduce",
        "reshape",
        "spread",
        "transfer",
        "transpose",
        "unpack",
    ]
)

# Functions of which two equal calls give equal results (all but these).
IMPURE_FUNCTIONS = frozenset(["rand", "irand", "secnds", "second", "dtime", "etime", "time", "ran"])

MAXIMA = frozenset(["max", "max0", "max1", "amax0", "amax1", "dmax1"])
MINIMA = frozenset(["min", "min0", "min1", "amin0", "amin1", "dmin1"])
BITWISE = frozenset(["iand", "ior", "ieor"])

SUBROUTINES = {
    "random_number": Trait.RANDOM,
    "random_seed": Trait.RANDOM,
    "random_init": Trait.RANDOM,
    "system_clock": Trait.CLOCK,
    "cpu_time": Trait.CLOCK,
    "date_and_time": Trait.CLOCK,
    "atomic_define": Trait.MPI,
    "atomic_ref": Trait.MPI,
    "co_broadcast": Trait.MPI,
    "co_max": Trait.MPI,
    "co_min": Trait.MPI,
    "co_reduce": Trait.MPI,
    "co_sum": Trait.MPI,
    "c_f_pointer": Trait.POINTER,
    "c_f_procpointer": Trait.POINTER,
    "srand": Trait.RANDOM,
    "move_alloc": Trait.ALLOCATION,
    "abort": Trait.STOP,
    "exit": Trait.STOP,
    "flush": Trait.IO,
    "get_command": Trait.IO,
    "get_command_argument": Trait.IO,
    "get_environment_variable": Trait.IO,
    "getarg": Trait.IO,
    "getenv": Trait.IO,
    "execute_command_line": Trait.IO,
    "system": Trait.IO,
}

INTRINSIC_OPERATORS = frozenset(
    ["+", "-", "*", "/", "**", "//"]
    + ["==", "/=", "<", "<=", ">", ">="]
    + [".not.", ".and.", ".or.", ".eqv.", ".neqv."]
)
