"""What the tests of a file cost is summed over its tests, and over the beginning and the end of each."""

from __future__ import annotations

import pytest

from tests.by_file import ByFile

COSTS = [
    ("tests/test_a.py::test_one", 0.5, 2.0, 0.25),
    ("tests/test_a.py::test_two[1]", 0.0, 1.0, 0.0),
    ("tests/test_b.py::test_one", 0.0, 3.0, 0.0),
    ("tests/test_c.py::test_one", 0.0, 0.5, 0.0),
]


class Reporter:
    """Keeps the lines that would be printed."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def section(self, title: str) -> None:
        self.lines.append(title)

    def write_line(self, line: str) -> None:
        self.lines.append(" ".join(line.split()))


def test_the_dearest_files_and_tests_are_shown() -> None:
    tally, reporter = ByFile(2), Reporter()
    for test, *seconds in COSTS:
        for when, cpu in zip(("setup", "call", "teardown"), seconds, strict=True):
            report = pytest.TestReport(test, ("", 0, ""), {}, "passed", None, when, cpu=cpu)  # type: ignore[arg-type]
            tally.pytest_runtest_logreport(report)
    tally.pytest_terminal_summary(reporter)  # type: ignore[arg-type]
    assert reporter.lines == [
        "CPU by file, 7 s in all",
        "3.75 s 2 tests tests/test_a.py",
        "3.00 s 1 tests tests/test_b.py",
        "3.00 s tests/test_b.py::test_one",
        "2.75 s tests/test_a.py::test_one",
    ]


def test_a_report_says_what_was_spent_since_the_one_before() -> None:
    tally = ByFile(1)
    report = pytest.TestReport("tests/test_a.py::test_one", ("", 0, ""), {}, "passed", None, "call")
    for _ in range(2):
        noted = tally.pytest_runtest_makereport()
        next(noted)
        tally.last -= 1.0  # as if a second had been spent
        with pytest.raises(StopIteration) as done:
            noted.send(report)
        assert done.value.value.cpu >= 1.0
