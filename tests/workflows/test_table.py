"""Tables: what fits is shown, what does not fit goes in the given order."""

import pytest
from rich.console import Console

from acclimate.workflows.showing import table
from acclimate.workflows.showing.table import Cell, Column, columns_that_fit, show

COLUMNS = [Column("unit"), Column("a"), Column("b")]


def rows(width):
    return [[Cell("x" * width), Cell("1"), Cell("2")]]


@pytest.mark.parametrize(
    ("width", "kept"), [(94, [0, 1, 2]), (95, [0, 1]), (97, [0, 1]), (98, [0]), (200, [0])]
)
def test_plain_text_has_a_hundred_columns(width, kept):
    assert columns_that_fit(COLUMNS, rows(width), (2, 1)) == kept


@pytest.mark.parametrize("width", [70, 71, 72, 74, 75, 76])
def test_what_fits_a_terminal_is_shown_on_one_line_a_row(width, monkeypatch, capsys):
    monkeypatch.setattr(table, "Console", lambda: Console(force_terminal=True, width=80))
    kept = columns_that_fit(COLUMNS, rows(width), (2, 1))
    show([COLUMNS[n] for n in kept], [[row[n] for n in kept] for row in rows(width)])
    assert "x" * width in capsys.readouterr().out
