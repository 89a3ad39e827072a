import pytest

from acclimate.verifier.checks import all_checks, check


def test_every_file_holds_the_check_it_is_named_after():
    names = [c.name for c in all_checks()]
    assert sorted(names) == [
        "access_log",
        "bounds",
        "changed_lines",
        "clause_lint",
        "data_clauses",
        "device_run",
        "discrete_memory",
        "host_build",
        "host_run",
        "offload_build",
        "original_repeatability",
        "reversed_order",
        "source_equality",
    ]


def test_what_runs_nothing_comes_first():
    names = [c.name for c in all_checks()]
    static = {"source_equality", "data_clauses", "clause_lint"}
    assert set(names[:3]) == static
    assert names[3] == "host_build"


def test_a_name_is_given_once():
    all_checks()
    with pytest.raises(ValueError, match="two checks are called 'bounds'"):

        @check(cost=1)
        def bounds(subject):
            yield from ()
