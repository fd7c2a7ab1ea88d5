"""What a test run prints: what a failing test expects, and what the machine lacks."""

from tests import conftest


def test_skipped_tests_are_summed_up_in_one_line(pytester, monkeypatch):
    monkeypatch.delenv("PYTEST_ADDOPTS", raising=False)
    pytester.makeconftest(f"from {conftest.__name__} import pytest_terminal_summary")
    pytester.makepyfile("""
        import pytest

        @pytest.mark.skip(reason="without Chromium (apt-get install chromium)")
        @pytest.mark.parametrize("number", range(3))
        def test_a_page(number): ...

        @pytest.mark.skip(reason="on Windows")
        def test_rights(): ...

        def test_a_rule(): ...
        """)
    told = pytester.runpytest_inprocess("-q", "-p", "no:xdist", "-p", "no:asyncio").stdout.lines
    assert [line for line in told if "Skipped" in line] == [
        "Skipped: 3 without Chromium (apt-get install chromium); 1 on Windows"
    ]


def test_a_failure_begins_with_what_the_test_expects(pytester):
    pytester.makeconftest(f"from {conftest.__name__} import pytest_runtest_makereport")
    pytester.makepyfile("""
        def test_a_seat():
            '''A guest who leaves
            keeps the seat.

            For ten minutes.'''
            assert 1 == 2
        """)
    lines = pytester.runpytest_inprocess("-q", "-p", "no:xdist", "-p", "no:asyncio").stdout.lines
    assert [line.strip("_ ") for line in lines if line.startswith("___")] == [
        "test_a_seat: A guest who leaves keeps the seat."
    ]
