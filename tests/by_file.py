"""What the tests of each file cost, in seconds of CPU.

`--durations` lists single tests by the clock, which runs on while a test waits or another process has the core. A file
of three hundred short tests is in no such list, and can be the one that a gate waits for. So the CPU time of each test
is noted in the process that runs it, with that of the processes it started and waited for, and summed by file.

`--by-file N` shows the N files that take most, the sum of all, and the N tests that take most.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Generator

import pytest


def _spent() -> float:
    """Seconds of CPU so far: of this process, and of those it has waited for."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


class ByFile:
    """Notes what each test costs, and sums it up at the end. With `-n`, the first is done by the processes that run
    the tests, and the second by the one that started them."""

    def __init__(self, shown: int) -> None:
        self.shown = shown
        self.last = _spent()
        self.seconds: Counter[str] = Counter()
        self.tests: Counter[str] = Counter()
        self.single: Counter[str] = Counter()

    def pytest_collection_finish(self) -> None:
        """What it takes to collect the tests, five seconds in each process, is no test's."""
        self.last = _spent()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(self) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        """A test has a report of its beginning, one of itself and one of its end: each has what was spent since the
        one before. Attributes of a report are sent with it."""
        report = yield
        now = _spent()
        report.cpu, self.last = now - self.last, now
        return report

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        file = report.nodeid.partition("::")[0]
        self.seconds[file] += getattr(report, "cpu", 0.0)
        self.single[report.nodeid] += getattr(report, "cpu", 0.0)
        self.tests[file] += report.when == "setup"

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section(f"CPU by file, {self.seconds.total():.0f} s in all")
        for file, seconds in self.seconds.most_common(self.shown):
            terminalreporter.write_line(f"{seconds:7.2f} s  {self.tests[file]:5} tests  {file}")
        for test, seconds in self.single.most_common(self.shown):
            terminalreporter.write_line(f"{seconds:7.2f} s  {test}")
