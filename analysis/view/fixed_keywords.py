"""Blanks mean nothing in fixed form: take them out, then put back those that free form needs.

The classification follows the rule every fixed-form compiler uses: a statement with `=` outside
parentheses and no comma behind it is an assignment, whatever its letters spell.
"""

import re

_STRING = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
_HOLD = "\x01"

_TYPE = (
    r"doubleprecision|doublecomplex|(?:integer|real|complex|logical|character|byte)"
    r"(?:\*\(\*\)|\*\d+|\*\(\d+\)|\((?:[^()]|\([^()]*\))*\)(?!$|=|,))?"
    r"|(?:type|class)\((?:\w+|\*)\)"
)
_PREFIX = re.compile(
    rf"((?:(?:recursive|pure|elemental|impure|module)|(?:{_TYPE}))*)"
    r"(subroutine|function)([a-z]\w*)(.*)$"
)
_ONE_PREFIX = re.compile(rf"recursive|pure|elemental|impure|module|{_TYPE}")
_DECLARATION = re.compile(rf"({_TYPE})(.+)$")
_NAMED = re.compile(
    r"([a-z]\w*:)(?=if\(|select(?:case|type)\(|where\(|forall\(|associate\(|block$|critical)"
)
_DO = re.compile(r"((?:[a-z]\w*:)?do)(\d{0,5}),?(while\(.*|concurrent\(.*|[a-z]\w*=.*)$")
_DO_FOREVER = re.compile(r"((?:[a-z]\w*:)?do)(\d{0,5})$")
_SPACED = re.compile(
    r"(implicitnone|implicit|program|blockdata|submodule(?=\()|moduleprocedure|module|use|import"
    r"|goto|call|entry|return|stop|errorstop|print|read(?!\()|pause|backspace(?!\()|rewind(?!\()"
    r"|endfile(?!\()|dimension|common|data|external|intrinsic|save|allocatable|pointer|target"
    r"|optional|volatile|public|private|namelist|interface|abstractinterface|procedure"
    r"|casedefault|selectcase(?=\()|selecttype(?=\()|classis(?=\()|classdefault|flush(?!\()"
    r"|syncall|syncmemory|asynchronous|contiguous|enumerator|final|protected|value"
    r"|intent\((?:in|out|inout)\)|exit|cycle|equivalence|parameter|sequence|contains|type"
    r"|endsubroutine|endfunction|endprogram|endmodule|endsubmodule|endprocedure|endblockdata"
    r"|endinterface|endtype|enddo|endif|endselect|endwhere|endforall|endassociate|endblock"
    r"|elsewhere(?!\()|else)(.*)$"
)
_WORDS = {
    "implicitnone": "implicit none",
    "blockdata": "block data",
    "moduleprocedure": "module procedure",
    "goto": "go to",
    "errorstop": "error stop",
    "casedefault": "case default",
    "selectcase": "select case",
    "selecttype": "select type",
    "classis": "class is",
    "classdefault": "class default",
    "syncall": "sync all",
    "syncmemory": "sync memory",
    "abstractinterface": "abstract interface",
    "endblockdata": "end block data",
    "doubleprecision": "double precision",
    "doublecomplex": "double complex",
}
_ASSIGN = re.compile(r"assign(\d+)to([a-z]\w*)$")


def restore_blanks(text: str, label: str | None = None) -> str:
    """A fixed-form statement as free form: blanks out of names, back in between keywords.

    Letters outside strings come out in lower case. FORMAT statements lose nothing but blanks.
    """
    strings: list[str] = []

    def hold(match: re.Match[str]) -> str:
        strings.append(match[0])
        return _HOLD

    squeezed = re.sub(r"[ \t\r\f]+", "", _STRING.sub(hold, text)).lower()
    restored = _restore(squeezed, label)
    parts = restored.split(_HOLD)
    woven = [parts[0]]
    for string, part in zip(strings, parts[1:], strict=False):
        woven += [string, part]
    return "".join(woven)


def _restore(text: str, label: str | None) -> str:
    """Put blanks back into squeezed lower-case text without strings."""
    if label and text.startswith("format("):
        return text
    named = _NAMED.match(text)
    if named:
        return f"{named[1]} {_restore(text[named.end() :], None)}"
    if text.startswith("if(") or text.startswith("elseif("):
        return _restore_if(text)
    if _is_assignment(text):
        return text
    for pattern in (_DO, _DO_FOREVER):
        match = pattern.match(text)
        if match:
            return " ".join(part for part in match.groups() if part)
    procedure = _PREFIX.match(text)
    if procedure and "::" not in text:
        prefixes = [_WORDS.get(p, p) for p in _ONE_PREFIX.findall(procedure[1])]
        tail = re.sub(r"\)(result|bind)\(", r") \1(", procedure[4])
        return " ".join([*prefixes, procedure[2], procedure[3] + tail])
    return _restore_declaration(text)


def _restore_declaration(text: str) -> str:
    declaration = _DECLARATION.match(text)
    if declaration:
        return f"{_WORDS.get(declaration[1], declaration[1])} {declaration[2]}"
    assign = _ASSIGN.match(text)
    if assign:
        return f"assign {assign[1]} to {assign[2]}"
    spaced = _SPACED.match(text)
    if spaced:
        word, rest = _WORDS.get(spaced[1], spaced[1]), spaced[2]
        if word == "implicit":
            rest = _restore_implicit(rest)
        return f"{word} {rest}".rstrip()
    return text


def _restore_implicit(rest: str) -> str:
    return re.sub(r"(doubleprecision|doublecomplex)", lambda m: _WORDS[m[1]], rest)


def _restore_if(text: str) -> str:
    opening = text.index("(")
    end = _closing(text, opening)
    head, rest = text[: end + 1], text[end + 1 :]
    if head.startswith("elseif"):
        head = "else if" + head[6:]
    elif rest.startswith("="):
        return text
    if rest.startswith("then"):
        return f"{head} then {rest[4:]}".rstrip()
    return f"{head} {_restore(rest, None)}"


def _closing(text: str, opening: int) -> int:
    depth = 0
    for position in range(opening, len(text)):
        if text[position] == "(":
            depth += 1
        elif text[position] == ")":
            depth -= 1
            if depth == 0:
                return position
    return len(text) - 1


def _is_assignment(text: str) -> bool:
    """`=` or `=>` outside parentheses, no comma behind it, and no `::` before it."""
    depth = 0
    equals = -1
    for position, letter in enumerate(text):
        if letter in "([":
            depth += 1
        elif letter in ")]":
            depth -= 1
        elif depth == 0:
            if letter == "=" and equals < 0:
                if text[position + 1 : position + 2] == "=" or text[position - 1] in "<>/=":
                    continue
                equals = position
            elif letter == "," or text.startswith("::", position):
                return False
    return equals > 0
