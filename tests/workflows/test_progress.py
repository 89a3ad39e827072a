"""Progress elsewhere than on a terminal is plain lines on standard error."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import pytest

from acclimate.workflows.showing.progress import PlainLines, shown


@dataclass(frozen=True)
class Sign:
    stage: str
    text: str = ""
    advance: int = 0
    total: int = 0


def test_one_line_a_sign_on_standard_error_alone(capsys):
    with shown() as tell:
        tell(Sign("survey", "reading the model"))
        tell(Sign("survey", "41 units", 1, 1))
    assert capsys.readouterr() == ("", "survey: reading the model\nsurvey: 41 units\n")


@pytest.mark.parametrize(("total", "lines"), [(2, 2), (40, 10), (999, 11)])
def test_many_steps_have_about_ten_lines_and_always_the_last(capsys, total, lines):
    tell = PlainLines()
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(tell, [Sign("draft", "unit", 1, total)] * total))
    said = capsys.readouterr().err.splitlines()
    assert len(said) == lines
    assert said[-1] == f"draft: {total} of {total}"
    counts = [int(line.split()[1]) for line in said]
    assert counts == sorted(counts)
