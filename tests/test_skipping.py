"""What a machine lacks is said at the end of the tests."""

from tests import conftest


def test_what_was_skipped_is_said_in_one_line_with_how_to_get_it(pytester, monkeypatch):
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
