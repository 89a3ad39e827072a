"""Switches of a port: how a kernel says that it runs on the device only while its unit is on.

A switched compute construct has `if(acc_on('unit'))`, with other conditions in parentheses behind
it. Around it stand updates `if(.not. acc_on('unit'))`: while the unit is off its loops run on the
host, with the host's copies.
"""

import re

from acclimate.analysis.directives import Construct

FUNCTION = "acc_on"
DECLARATION = f"logical, external :: {FUNCTION}"
VARIABLE = "ACCLIMATE_OFF"  # of the environment: names of units with commas between, or "all"

# The same lines in free and in fixed form: from column 7 to 72, none continued, no operator `//`.
# Threads read the variable and tell of a unit one by one; RECURSIVE keeps their locals apart also
# where all variables are made static.
FUNCTION_LINES = f"""
      recursive logical function {FUNCTION}(unit)
!       Whether a unit's kernels run on the device: not if the unit,
!       its module or "all" is listed in {VARIABLE} (lower case,
!       commas between), and -unit is not. Standard error names each
!       unit that is off.
        implicit none
        character(*), intent(in) :: unit
        character(*), parameter :: key = '{VARIABLE}'
        character(100000), save :: off = ',', told = ','
        integer, save :: length = -1, used = 1
        character(200) :: whole, group, back
        integer :: last

!$omp critical (acclimate_{FUNCTION})
        if (length < 0) then
          call get_environment_variable(key, length=last)
          if (last > 99998) error stop '{VARIABLE} is too long'
          if (last > 0) then
            call get_environment_variable(key, off(2:last+1))
          end if
          off(last+2:) = ','
          length = last
        end if
!$omp end critical (acclimate_{FUNCTION})
        {FUNCTION} = .true.
        if (length == 0) return
        last = index(unit, '::') - 1
        if (last < 0) last = len(unit)
        write (whole, '(3a)') ',', unit, ','
        write (group, '(3a)') ',', unit(:last), ','
        write (back, '(3a)') ',-', unit, ','
        {FUNCTION} = index(off(:length+2), ',all,') == 0
        if (index(off(:length+2), trim(whole)) > 0) {FUNCTION} = .false.
        if (index(off(:length+2), trim(group)) > 0) {FUNCTION} = .false.
        if (index(off(:length+2), trim(back)) > 0) {FUNCTION} = .true.
        if ({FUNCTION}) return
!$omp critical (acclimate_{FUNCTION})
        if (index(told(:used), trim(whole)) > 0) last = -1
        if (last >= 0 .and. used + len(whole) <= len(told)) then
          told(used:) = whole
          used = used + len_trim(whole) - 1
          write (0, '(3a)') 'acclimate: ', unit, ' runs on the host'
        end if
!$omp end critical (acclimate_{FUNCTION})
      end function {FUNCTION}
""".split("\n")[:-1]

_ON = re.compile(rf"{FUNCTION}\('(?P<unit>[^']+)'\)(\.and\.(?P<more>.+))?")
_OFF = re.compile(rf"\.not\.{FUNCTION}\('(?P<unit>[^']+)'\)(?P<more>)")
_STRING = re.compile(r"'[^']*'|\"[^\"]*\"")


def on(unit: str) -> str:
    """The condition under which a unit's kernels run on the device."""
    return f"{FUNCTION}('{unit}')"


def while_on(construct: Construct) -> str | None:
    """The unit without which a construct does not run on the device, None where no switch does."""
    return _unit(construct, _ON)


def while_off(construct: Construct) -> str | None:
    """The unit that has to be off for a directive to do anything, None where none has to be."""
    return _unit(construct, _OFF)


def is_switch_alone(construct: Construct) -> bool:
    """Nothing but a switch keeps a construct from running on the device."""
    return while_on(construct) is not None and all(
        ".and." not in text for text in construct.arguments("if")
    )


def _unit(construct: Construct, pattern: re.Pattern[str]) -> str | None:
    found = (pattern.fullmatch(text) for text in construct.arguments("if"))
    return next((m["unit"] for m in found if m and (not m["more"] or _is_group(m["more"]))), None)


def _is_group(text: str) -> bool:
    """One pair of parentheses is around everything."""
    text, depth = _STRING.sub("", text), 0
    for position, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth <= 0:
            return letter == ")" and position == len(text) - 1
    return False
