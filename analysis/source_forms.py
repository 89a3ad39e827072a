"""Which source form a file has: what its suffix says, and what a trial says."""

import re
from pathlib import PurePosixPath

FIXED_SUFFIXES = frozenset({".f", ".for", ".ftn", ".f77", ".fpp"})
FREE_SUFFIXES = frozenset({".f90", ".f95", ".f03", ".f08", ".f18"})
PREPROCESSED_SUFFIXES = frozenset(
    {".F", ".FOR", ".FTN", ".F77", ".F90", ".F95", ".F03", ".F08", ".F18", ".FPP", ".fpp"}
)
FREE_SIGN = re.compile(r"&\s*(!.*)?$|^[ ]{0,4}[a-zA-Z_]\w*[ ]*[:=(]|^\s*&|^[ ]{1,4}[a-zA-Z]{2}")
FIXED_SIGN = re.compile(r"^[cC*][^a-zA-Z=(%]|^[cC*][ ]|^[ ]{5}[^ 0!]\s*\S")


def form_by_suffix(file: str) -> str:
    """ "fixed" or "free"."""
    return "fixed" if PurePosixPath(file).suffix.lower() in FIXED_SUFFIXES else "free"


def form_by_trial(text: str, suffix_form: str) -> str:
    """The form the lines themselves speak for; the suffix decides where they do not."""
    fixed = free = 0
    for line in text.splitlines()[:2000]:
        if not line.strip() or line[0] in "#!":
            continue
        if FIXED_SIGN.match(line) and not FREE_SIGN.search(line):
            fixed += 1
        elif FREE_SIGN.search(line) and line[0] not in "cC*dD\t":
            free += 1
    if suffix_form == "fixed":
        return "free" if free > 2 and free > 4 * fixed else "fixed"
    return "fixed" if fixed > 2 and fixed > 4 * free else "free"
