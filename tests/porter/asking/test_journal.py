"""What is written down survives crashes, and counts again what was spent."""

from hypothesis import given
from hypothesis import strategies as st

from acclimate.porter.asking.budget import Budget, BudgetReached
from acclimate.porter.asking.journal import Journal
from acclimate.porter.asking.question import Finish, Said
from acclimate.porter.asking.reply_store import ReplyStore

SAID = Said("text", "tiny", Finish.STOP, 10, 2, True)


def test_a_line_that_a_crash_cut_off_is_read_over(tmp_path):
    journal = Journal(tmp_path / "journal.jsonl", "one")
    journal.note("call", prompt_tokens=10, output_tokens=2)
    with journal.path.open("ab") as stream:
        stream.write(b'{"what": "call", "prompt_tok')
    journal.note("failed-call", prompt_tokens=5, output_tokens=0)
    Journal(journal.path, "other").note("call", prompt_tokens=99, output_tokens=99)
    assert journal.spent() == (15, 2)


def test_a_damaged_reply_is_none(tmp_path):
    store = ReplyStore(tmp_path)
    store.put("key", SAID)
    assert store.get("key") == SAID
    (tmp_path / "key.json").write_bytes((tmp_path / "key.json").read_bytes()[:-9])
    assert store.get("key") is None


@given(st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), max_size=30))
def test_no_cap_is_ever_exceeded(calls):
    budget = Budget(max_tokens=300)
    for prompt, output in calls:
        try:
            with budget.reserved(prompt, output):
                budget.spend(prompt, output)
        except BudgetReached:
            assert budget.used + prompt + output > 300
    assert budget.used <= 300
