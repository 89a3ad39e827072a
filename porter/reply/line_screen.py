"""What no new line of a reply may hold, judged line by line before anything is parsed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from acclimate.analysis.directives import Construct, parse, scan
from acclimate.analysis.source import Edit, Lines
from acclimate.porter.reply.objection import Objection, Reason

FREE_WIDTH = 132
_ELISION = re.compile(
    r"\.\.\.|…|\b(unchanged|omitted|elided|abbreviated|truncated)\b"
    r"|^\W*(and )?(the |all )?(rest|remainder|remaining)\b"
    r"|\b(rest|remainder) (is|stays|of the (code|loop|body|\w*routine))\b"
    r"|\b(same|as) (as )?(before|above|in the original)\b|\b(existing|original|previous) code\b"
    r"|\b(left|keep|kept) as (it )?is\b|\bto ?do\b|\byour code\b",
    re.IGNORECASE,
)
_BARE_DOTS = re.compile(r"\s*(\.\.\.+|…)")
_INCLUDE = re.compile(r"\s*\d*\s*include\s*['\"]", re.IGNORECASE)
_SENTINEL = re.compile(r"\s*[!cC*]\s?(\$\w*|(?:dir|dec|pgi|gcc|nec|ocl|ibm)[$* ])", re.IGNORECASE)
_DATA = frozenset({"data", "enter", "exit", "update", "declare", "host_data", "copy", "copyin"})
_DATA |= {"copyout", "create", "present", "no_create", "deviceptr", "attach", "detach", "delete"}
_DATA |= {"use_device", "device", "self", "host", "present_or_copy"}
_CONSTRUCTS = frozenset(
    ["parallel loop", "end parallel loop", "loop", "atomic", "end atomic", "routine"]
    + [f"atomic {word}" for word in ("update", "read", "write", "capture")]
)
_CLAUSES = frozenset({"gang", "vector", "worker", "seq", "collapse", "private", "firstprivate"})
_CLAUSES |= {"reduction", "default", "read", "write", "capture", "atomic"}


def line_objections(
    edits: Sequence[Edit], before: Sequence[str], form: str, width: int | None
) -> Iterator[Objection]:
    """Objections to the text of edits; `before` are the lines of the whole original file."""
    standing = Counter(line.strip().lower() for line in before)
    for edit in edits:
        at = Lines(edit.file, edit.first, max(edit.first, edit.last))
        for line in edit.text:
            if not standing[line.strip().lower()]:
                yield from (Objection(o.reason, o.text, at) for o in _line(line, form, width))
        yield from (Objection(o.reason, o.text, at) for o in _directives(edit, standing, form))


def _line(line: str, form: str, width: int | None) -> Iterator[Objection]:
    shown = f"'{line.strip()[:60]}'"
    if any(ord(letter) > 255 or (ord(letter) < 32 and letter != "\t") for letter in line):
        yield Objection(Reason.CHARACTER, f"{ascii(line.strip()[:60])} holds odd characters")
    limit = width if form == "fixed" else FREE_WIDTH
    if limit is not None and len(line.rstrip()) > limit and not _is_comment(line, form):
        yield Objection(Reason.LINE_LENGTH, f"{shown} is longer than {limit} columns")
    if line.lstrip().startswith("#") or line.lstrip().startswith("??"):
        yield Objection(Reason.PREPROCESSOR, f"{shown} is a preprocessor line")
    if _INCLUDE.match(line):
        yield Objection(Reason.INCLUDE, f"{shown} includes another file")
    if _BARE_DOTS.match(line) or (_is_comment(line, form) and _elides(line)):
        yield Objection(Reason.ELISION, f"{shown} stands for code that was left out")
    sentinel = _SENTINEL.match(line)
    if sentinel and sentinel[1].lower() != "$acc" and _is_comment(line, form):
        what = "a hint is a person's to give" if "acclimate" in line.lower() else "not allowed"
        yield Objection(Reason.DIRECTIVE, f"{shown}: {what}")


def _elides(line: str) -> bool:
    text = line.strip().lstrip("!cC*")
    return not _SENTINEL.match(line) and bool(_ELISION.search(text))


def _is_comment(line: str, form: str) -> bool:
    return line.lstrip().startswith("!") or (form == "fixed" and line[:1] in "cC*!dD")


def _directives(edit: Edit, standing: Counter[str], form: str) -> Iterator[Objection]:
    """OpenACC that an author may write: kernels, loops, atomics and routines, never data."""
    text = "\n".join(edit.text).encode("latin-1", "replace")
    for directive in scan(text, form, edit.file):
        lines = edit.text[directive.at.first - 1 : directive.at.last]
        if directive.sentinel != "acc" or all(standing[s.strip().lower()] for s in lines):
            continue
        yield from _construct(parse(directive), directive.text)


def _construct(construct: Construct, text: str) -> Iterator[Objection]:
    shown = f"'!$acc {text}'"
    words = {*construct.name.split(), *(clause.name for clause in construct.clauses)}
    if words & _DATA and construct.name != "atomic update":
        said = f"{shown} moves data, which the plan of residency does"
        yield Objection(Reason.DATA_DIRECTIVE, said)
        return
    name = construct.name or "?"
    if name not in _CONSTRUCTS:
        yield Objection(Reason.DIRECTIVE, f"{shown} is no construct that may be used")
        return
    odd = sorted(c.name for c in construct.clauses if c.name not in _CLAUSES)
    if odd:
        yield Objection(Reason.DIRECTIVE, f"{shown}: clause {', '.join(odd)} may not be used")
    if name == "parallel loop" and construct.arguments("default") != ("present",):
        yield Objection(Reason.DATA_DIRECTIVE, f"{shown} lacks default(present)")
    if name == "routine" and [c.name for c in construct.clauses] != ["seq"]:
        yield Objection(Reason.DIRECTIVE, f"{shown}: only 'routine seq' may be used")
