"""Replies that are broken, careless or hostile: each is refused for its own reason."""

from pathlib import Path

import pytest

from acclimate.porter.reply.objection import UnsafeReply
from acclimate.porter.reply.proposal import Declined, propose_from

HOSTILE = Path(__file__).parent / "hostile"
REPLIES = {path.stem: path.read_text().split("\n---\n", 1) for path in HOSTILE.glob("*.md")}
BY_TEXT = {
    name: (head.removeprefix("reason: "), text)
    for name, (head, text) in REPLIES.items()
    if head not in ("reason: verifier", "reason: claim")
}


@pytest.mark.parametrize(("reason", "text"), BY_TEXT.values(), ids=BY_TEXT)
def test_a_hostile_reply_is_refused_for_its_reason(reason, text, ground_of):
    with pytest.raises(UnsafeReply) as refused:
        said = propose_from(text, ground_of("valley::sweep"))
        assert not isinstance(said, Declined), said
    assert reason in {objection.reason for objection in refused.value.objections}
    assert refused.value.notes and refused.value.hint


def test_there_are_many_kinds_of_them():
    assert len(REPLIES) >= 60
    assert len({head for head, _ in REPLIES.values()}) >= 20
