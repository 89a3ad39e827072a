"""Which source form a file has: what its suffix says, and what reading it both ways says."""

import re
from pathlib import PurePosixPath

from acclimate.analysis.view.fixed_form import fixed_statements
from acclimate.analysis.view.free_form import free_statements
from acclimate.analysis.view.view import SourceLine, ViewStatement

FIXED_SUFFIXES = frozenset({".f", ".for", ".ftn", ".f77", ".fpp"})
FREE_SUFFIXES = frozenset({".f90", ".f95", ".f03", ".f08", ".f18"})
PREPROCESSED_SUFFIXES = frozenset(
    {".F", ".FOR", ".FTN", ".F77", ".F90", ".F95", ".F03", ".F08", ".F18", ".FPP", ".fpp"}
)
_FIXED_SIGN = re.compile(r"^(?:[cC*](?![ \t]*[=(%:])(?:\W|$)| {5}[^ 0!&\d])", re.MULTILINE)
_NOT_FIXED = re.compile(r"^(?:[abe-zABE-Z]| {1,4}[a-zA-Z])", re.MULTILINE)
_WORD_ACROSS_COLUMN_6 = re.compile(r" {5}[a-zA-Z]\w")
_CERTAIN = 20  # lines with letters in columns 1 to 5, which fixed form has not
_LINES = 4000  # of a file, read on trial
_LENGTH = 1000  # characters of a line
_STRING = re.compile(r"""'[^']*'|"[^"]*\"""")
_SHAPE = re.compile(
    r"[a-z_]\w*\s*(?:[(=%:;\[]|$)"
    r"|(?:abstract|allocat|assign|associate|backspace|block|byte|call|case|char|class|close|common"
    r"|complex|concurrent|contains|continue|critical|cycle|data|dealloc|dimension|do|double|else"
    r"|elemental|end|entry|enum|equivalence|error|exit|extern|final|flush|forall|format|function"
    r"|generic|go|if|implicit|import|impure|include|inquire|integer|intent|interface|intrinsic"
    r"|logical|module|namelist|nullify|open|optional|parameter|pause|pointer|print|private|proced"
    r"|program|protected|public|pure|read|real|recursive|return|rewind|save|select|sequence|stop"
    r"|submodule|subroutine|sync|target|type|use|value|volatile|wait|where|write)",
    re.IGNORECASE,
)


def form_by_suffix(file: str) -> str:
    """ "fixed" or "free"."""
    return "fixed" if PurePosixPath(file).suffix.lower() in FIXED_SUFFIXES else "free"


def form_by_trial(text: str, suffix_form: str) -> str:
    """The form in which the text reads as statements; the suffix decides where both do.

    Fixed form read as free form falls apart at its comments and continuation lines, free form read
    as fixed form at what it has in columns 1 to 6. Text in the form both share stays what the
    suffix says.
    """
    if suffix_form == "free" and _FIXED_SIGN.search(text) is None:
        return suffix_form
    if suffix_form == "fixed" and len(_NOT_FIXED.findall(text)) > _CERTAIN:
        return "free"
    numbered = enumerate(text.split("\n", _LINES)[:_LINES], start=1)
    lines = [SourceLine(line.rstrip("\r")[:_LENGTH], "", number) for number, line in numbered]
    expected = _misfits(lines, suffix_form)
    if expected == 0:
        return suffix_form
    other = "free" if suffix_form == "fixed" else "fixed"
    return other if 2 * _misfits(lines, other) < expected else suffix_form


def _misfits(lines: list[SourceLine], form: str) -> int:
    """Statements without the shape of one: parentheses left open, no name or keyword in front."""
    if form == "free":
        return sum(not _is_shaped(statement) for statement in free_statements(lines))
    letters = sum(
        _NOT_FIXED.match(line.text) is not None
        or _WORD_ACROSS_COLUMN_6.match(line.text) is not None
        for line in lines
    )
    return letters + sum(not _is_shaped(statement) for statement in fixed_statements(lines))


def _is_shaped(statement: ViewStatement) -> bool:
    text = statement.text
    if _SHAPE.match(text) is None:
        return False
    if "(" not in text and ")" not in text:
        return True
    code = _STRING.sub("", text)
    return code.count("(") == code.count(")")
