"""Options and profiles of the whole suite."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator, Iterator
from contextlib import ExitStack

import pytest
from hypothesis import is_hypothesis_test, settings

from tests.by_file import ByFile
from tests.constants import Constants, constants_of
from tests.shared import FEW, MISSING, THOROUGH

# Without `--thorough` the same examples are tried every time, and more of the same would find little. Laws that are to
# draw more say so by `examples`, and the oracle of the gate by `of_oracle` (tests/shared.py).
settings.register_profile("gate", deadline=None, max_examples=FEW, derandomize=True, print_blob=True)
settings.register_profile("thorough", deadline=None, max_examples=100)
settings.load_profile("thorough" if THOROUGH else "gate")
if THOROUGH:
    os.environ["COVR_THOROUGH"] = "1"  # for the processes that `-n` starts
os.environ["COVR_TRACEBACK"] = "1"  # a mistake of covr's own is to be seen, not reported politely
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as scripts start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the commands under test are to hear of Ctrl-C


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """Skip what needs both highspy and ortools in one process, where their libraries of HiGHS clash (extras.py)."""
    try:
        return (yield)
    except (ImportError, ValueError, AssertionError) as fault:
        if "undefined symbol" in str(fault):
            pytest.skip("highspy and ortools can't be loaded into one process")
        raise


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """With `-n`, give each process tests that stand together, and let one that is done take over from the others.

    What a file prepares once is then prepared by one process, and no core is idle at the end.
    """
    if getattr(config.option, "numprocesses", None) and config.option.dist == "no":
        config.option.dist = "worksteal"


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_auto_num_workers() -> int:
    """With `-n auto`, one process more than there are cores: an eighth of their time the tests wait, for limits and for
    processes that they have started."""
    return (os.cpu_count() or 1) + 1


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")
    parser.addoption("--thorough", action="store_true", help="draw a hundred new examples of a law")
    parser.addoption("--by-file", type=int, default=0, metavar="N", help="show the N dearest files and tests")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--by-file"):
        config.pluginmanager.register(ByFile(config.getoption("--by-file")))


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> bool:
    """Whether tests are to do all their work, as with `--slow`, and not a part of it."""
    return bool(request.config.getoption("--slow"))


@pytest.fixture
def constants() -> Iterator[Constants]:
    """Sets constants of modules until the test ends (tests/constants.py)."""
    with ExitStack() as stack:
        yield lambda module, **values: stack.enter_context(constants_of(module, **values))


def _model_of(item: pytest.Item) -> str:
    """The model of the gallery that a test is about; nothing for all other tests."""
    mark = item.get_closest_marker("gallery")
    return str(mark.args[0]) if mark else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_model_of)  # the tests of one model follow each other, and it is compiled once for all of them
    for item in items:
        is_law = is_hypothesis_test(getattr(item, "obj", None))
        if not (is_law or item.get_closest_marker("long") or item.get_closest_marker("slow")):
            item.add_marker(pytest.mark.quick)
    if not config.getoption("--slow"):  # left out, since to skip two thousand takes ten seconds
        slow = [item for item in items if "slow" in item.keywords]
        items[:] = [item for item in items if "slow" not in item.keywords]
        config.hook.pytest_deselected(items=slow)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector pass over the twelve thousand tests, as they stay until the end anyway."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were lost for want of files that are no part of the repository."""
    lost = sum(MISSING in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if lost:
        terminalreporter.write_line(f"{lost} tests were skipped: {MISSING}", yellow=True)
