"""Options and profiles of the whole suite."""

from __future__ import annotations

import gc
import os
import signal
from collections.abc import Generator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.shared import MISSING

settings.register_profile("default", deadline=None, max_examples=100)
# The gate tries the same examples every time, and more of the same would find little. New ones are tried wherever else
# the tests are run.
settings.register_profile("ci", deadline=None, max_examples=30, derandomize=True, print_blob=True)
os.environ["COVR_TRACEBACK"] = "1"  # a mistake of covr's own is to be seen, not reported politely
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # as scripts start what is in the background
    signal.signal(signal.SIGINT, signal.default_int_handler)  # the commands under test are to hear of Ctrl-C
# Interpreted, an example takes ten times as long.
settings.register_profile("interpreted", settings.get_profile("ci"), max_examples=10)
kind = "interpreted" if os.environ.get("COVR_INTERPRETED") else "ci" if os.environ.get("CI") else "default"
settings.load_profile(kind)


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


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests that take minutes, too")


@pytest.fixture
def slow(request: pytest.FixtureRequest) -> bool:
    """Whether tests are to do all their work, as with `--slow`, and not a part of it."""
    return bool(request.config.getoption("--slow"))


# Files whose tests take long together; all others are the quick tier (`pytest -m quick`).
LONG = frozenset(
    [
        "net",
        "test_docs.py",
        "test_gallery.py",
        "fuzz",
        "runs",
        "benchmarks",
        "guard",
        "engine/test_features.py",
        "covr/test_large_groups.py",
        "engine/test_chain_classes.py",
        "engine/test_classes.py",
        "engine/test_clues.py",
        "engine/test_diagram.py",
        "engine/test_excluded.py",
        "engine/test_sided_pieces.py",
        "engine/test_sided_tree.py",
        "engine/test_projection.py",
        "engine/test_way.py",
        "engine/test_free.py",
        "engine/test_large_costs.py",
        "engine/test_instances.py",
        "engine/test_mixed.py",
        "engine/test_sides_kernel.py",
        "engine/test_outside.py",
        "engine/test_kernels.py",
        "engine/test_lateness.py",
        "engine/test_restarts.py",
        "engine/test_cover.py",
        "engine/test_vertex_cover.py",
        "engine/test_rounds.py",
        "engine/test_estimates.py",
        "engine/test_hearing.py",
        "engine/test_heed.py",
        "engine/test_checks.py",
        "engine/test_memo.py",
        "engine/test_parallel.py",
        "engine/test_pieces.py",
        "engine/test_bounds.py",
        "engine/test_laws.py",
        "engine/test_split.py",
        "engine/test_sample.py",
        "covr/test_limits_table.py",
        "covr/test_check_chunks.py",
        "covr/test_sinks.py",
        "covr/test_hostile.py",
        "covr/test_process.py",
        "covr/test_verify.py",
        "covr/test_collections.py",
        "covr/test_sampling.py",
        "covr/test_why.py",
        "covr/test_svg.py",
        "covr/test_explain.py",
        "covr/test_gallery_page.py",
        "covr/test_notebook.py",
        "covr/test_html.py",
        "covr/test_free.py",
        "covr/test_burrtools.py",
        "covr/test_size.py",
        "dsl/test_parser.py",
        "compiler/test_lattices.py",
        "compiler/test_review.py",
        "compiler/test_walk.py",
        "compiler/test_spending.py",
        "compiler/test_rules.py",
        "covr/test_progress.py",
        "covr/test_gallery_copied.py",
        "compiler/test_format_tools.py",
        "compiler/test_format_laws.py",
        "compiler/test_format_shapes.py",
        "studio/test_browser_access.py",
        "studio/test_browser_asking.py",
        "studio/test_browser_survives.py",
        "studio/test_browser_times.py",
        "studio/test_browser_writing.py",
        "studio/test_faults.py",
        "studio/test_hostile_pages.py",
        "studio/test_questions.py",
    ]
)
TESTS = Path(__file__).parent


def _is_long(path: Path) -> bool:
    name = path.relative_to(TESTS)
    return not LONG.isdisjoint({name.as_posix(), name.parts[0]})


def _model_of(item: pytest.Item) -> str:
    """The model of the gallery that a test is about; nothing for all other tests."""
    mark = item.get_closest_marker("gallery")
    return str(mark.args[0]) if mark else ""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    items.sort(key=_model_of)  # the tests of one model follow each other, and it is compiled once for all of them
    for item in items:
        if not _is_long(item.path) and "slow" not in item.keywords:
            item.add_marker(pytest.mark.quick)
    if config.getoption("--slow"):
        return
    skip = pytest.mark.skip(reason="takes minutes; run with --slow")
    for item in items:
        if "slow" in item.keywords:
            item.add_marker(skip)


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let the garbage collector pass over the twelve thousand tests, as they stay until the end anyway."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests were lost for want of files that are no part of the repository."""
    lost = sum(MISSING in str(report.longrepr) for report in terminalreporter.stats.get("skipped", []))
    if lost:
        terminalreporter.write_line(f"{lost} tests were skipped: {MISSING}", yellow=True)
