"""A check skipped for want of a tool is counted and named; a run without any says zero."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = (Path(__file__).parent / "conftest.py").read_text()
MARKERS = """
[pytest]
markers =
    needs(command): x
    gfortran: x
    offload: x
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest(CONFTEST)
    pytester.makeini(MARKERS)
    return pytester


@pytest.mark.parametrize("workers", [(), ("-n", "1")], ids=["alone", "xdist"])
def test_a_check_without_its_tool_is_counted_by_tool(suite, workers):
    suite.makepyfile("""
        import pytest

        @pytest.mark.needs("no-such-compiler")
        @pytest.mark.parametrize("case", range(3))
        def test_compiles(case):
            raise AssertionError("ran without its tool")

        @pytest.mark.needs("no-such-debugger")
        def test_traces():
            raise AssertionError("ran without its tool")
        """)
    result = suite.runpytest_subprocess(*workers)
    result.assert_outcomes(skipped=4)
    result.stdout.fnmatch_lines(
        [
            "inconclusive: 3 checks need no-such-compiler",
            "inconclusive: 1 checks need no-such-debugger",
        ]
    )


def test_compiler_markers_skip_where_there_is_no_compiler(suite, monkeypatch):
    monkeypatch.setenv("PATH", "")
    suite.makepyfile("""
        import pytest

        @pytest.mark.gfortran
        def test_host():
            raise AssertionError("ran without its tool")

        @pytest.mark.offload
        def test_device():
            raise AssertionError("ran without its tool")
        """)
    result = suite.runpytest_subprocess()
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["inconclusive: 2 checks need gfortran"])


def test_a_check_with_its_tool_runs_and_zero_is_said(suite):
    suite.makepyfile("""
        import pytest

        @pytest.mark.needs("env")
        def test_runs():
            pass

        @pytest.mark.skip(reason="another reason")
        def test_skipped_for_another_reason():
            pass
        """)
    result = suite.runpytest_subprocess()
    result.assert_outcomes(passed=1, skipped=1)
    result.stdout.fnmatch_lines(["inconclusive: 0"])
