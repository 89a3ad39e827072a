from pathlib import Path

import pytest

from acclimate.verifier import checks
from acclimate.verifier.checks import all_checks, check, check_names


def test_every_file_holds_the_check_it_is_named_after():
    folder = Path(checks.__file__).parent
    files = sorted(path.stem for path in folder.glob("*.py") if path.stem != "__init__")
    assert sorted(c.name for c in all_checks()) == files == list(check_names())


def test_what_runs_nothing_comes_first():
    names = [c.name for c in all_checks()]
    static = {"source_equality", "data_clauses", "clause_lint", "declared_data", "queue_order"}
    static |= {"redundant_statements", "structure", "contracts", "nested_clauses", "copy_validity"}
    assert set(names[: len(static)]) == static
    assert names[len(static)] == "host_build"


def test_a_name_is_given_once():
    all_checks()
    with pytest.raises(ValueError, match="two checks are called 'bounds'"):

        @check(cost=1)
        def bounds(subject):
            yield from ()
