"""Patches as `git format-patch` writes them: for `git am`, `git apply` and `patch -p1`."""

from dataclasses import dataclass
from datetime import datetime
from email.header import Header
from email.utils import format_datetime, formataddr, parseaddr

from acclimate.workflows.reporting.wording import counted

NOBODY = "Acclimate <acclimate@localhost>"
_NO_COMMIT = "0" * 40
_HEADS = """\
MIME-Version: 1.0
Content-Type: text/plain; charset=UTF-8
Content-Transfer-Encoding: 8bit
"""


@dataclass(frozen=True, slots=True)
class Place:
    """The number of a patch, from 1, among all of a series."""

    number: int
    count: int


def mail(message: str, diff: bytes, place: Place, sender: str, when: datetime) -> bytes:
    """One patch; `message` is that of its commit, `sender` "Name <address>".

    No line of the message may begin as a patch does ("---", "diff -", "Index: ", "From ").
    """
    subject, _, body = message.partition("\n")
    name, address = parseaddr(" ".join(sender.split()))
    if not address.isascii():
        address = parseaddr(NOBODY)[1]
    numbers = f" {place.number}/{place.count}" if place.count > 1 else ""
    heads = (
        f"From {_NO_COMMIT} Mon Sep 17 00:00:00 2001\n"
        f"From: {formataddr((name, address))}\n"
        f"Date: {format_datetime(when)}\n"
        f"Subject: {_header(f'[PATCH{numbers}] {subject}')}\n{_HEADS}\n"
    )
    return f"{heads}{body.strip()}\n---\n{_changes(diff)}\n\n".encode() + diff


def _header(text: str) -> str:
    return text if text.isascii() else Header(text, "utf-8").encode()


def _changes(diff: bytes) -> str:
    lines = diff.split(b"\n")[2:]
    added, taken = (sum(line.startswith(sign) for line in lines) for sign in (b"+", b"-"))
    return f" 1 file changed, {counted(added, 'line')} added, {taken} taken away"
