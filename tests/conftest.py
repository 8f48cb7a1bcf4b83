"""Options and profiles of the whole suite."""

from __future__ import annotations

import os
import signal

import pytest
from hypothesis import settings

from tests.shared import MISSING

settings.register_profile("default", deadline=None, max_examples=100)
settings.register_profile("ci", deadline=None, max_examples=200, derandomize=True, print_blob=True)
os.environ["COVR_TRACEBACK"] = "1"  # a mistake of covr's own is to be seen, not reported politely
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as scripts start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the commands under test are to hear of Ctrl-C
# Interpreted, an example takes ten times as long.
settings.register_profile("interpreted", settings.get_profile("ci"), max_examples=50)
kind = "interpreted" if os.environ.get("COVR_INTERPRETED") else "ci" if os.environ.get("CI") else "default"
settings.load_profile(kind)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="takes minutes; run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were lost for want of files that are no part of the repository."""
    lost = sum(MISSING in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if lost:
        terminalreporter.write_line(f"{lost} tests were skipped: {MISSING}", yellow=True)
