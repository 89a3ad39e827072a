"""One enumeration of exit codes for all commands."""

from enum import IntEnum


class Exit(IntEnum):
    DONE = 0
    REJECTED = 1  # rejected, or some units refused
    MISUSED = 2
    INCONCLUSIVE = 3
    ENVIRONMENT = 4
    BUDGET = 5
    SLOWER = 6
    BUG = 70  # an error of this program, as in sysexits.h
    INTERRUPTED = 130
