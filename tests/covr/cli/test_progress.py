"""Progress on a terminal: when it is shown, when it is not, and what it says."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from tempfile import NamedTemporaryFile
from types import SimpleNamespace
from typing import cast

import pytest

import covr
from covr.cli import progress as cli_progress
from covr.cli.progress import Meter, advice, duration, learning, sentence, short, time_left
from covr.compiler.evaluate.limits import Budget, telling
from covr.engine.outside import clingo
from covr.questions.options import Options
from covr.questions.run import Progress, Run
from tests.constants import Constants
from tests.covr.cli.terminal import on_terminal

pytestmark = pytest.mark.long

LONG = ["count", "queens", "-D", "n=17", "--limit-time", "0.4"]  # shown at once (`AT_ONCE`)
ENDLESS = ["count", "queens", "-D", "n=17", "--limit-time", "60"]  # ended by Ctrl-C as soon as something is shown


def errors_on_a_terminal(*args: str, until: bytes | None = None, **more: str) -> str:
    """What the command writes to standard error where that is a terminal and standard output is a pipe. until: press
    Ctrl-C as soon as this is shown."""
    return on_terminal([sys.executable, "-m", "covr", *args], whole=False, interrupt=until, **more)[0]


def shown_at_once(*args: str, until: bytes | None = None, **more: str) -> str:
    """The same where progress is shown as soon as there is any, so that a short search is shown, too."""
    return on_terminal([sys.executable, "-c", AT_ONCE, *args], whole=False, interrupt=until, **more)[0]


HEAVY = """
let many = {i * j mod 7919 for i in 1..400, j in 1..400}
choose f(x) for x in many
exactly one f
# covr: allow W202
"""
AT_ONCE = """
import sys
from covr.cli import main
from covr.cli import progress
progress.COMPILING_FIRST, progress.COMPILING_EVERY = 0, 0.01
progress.FIRST, progress.EVERY = 0, 0.02
sys.exit(main())
"""


def compiled_on_a_terminal(text: str, *args: str, interrupt: bool = False, **more: str) -> tuple[str, int]:
    """What `covr check` writes to a terminal about a model, where a compilation is shown at once, and its exit code.
    interrupt: press Ctrl-C as soon as it is shown."""
    with NamedTemporaryFile("w", suffix=".cover") as model:
        model.write(text)
        model.flush()
        command = [sys.executable, "-c", AT_ONCE, *args, model.name]
        return on_terminal(command, whole=False, interrupt=b"statement 1" if interrupt else None, **more)


def test_a_compilation_is_shown_and_wiped() -> None:
    shown, code = compiled_on_a_terminal(HEAVY, "check")
    assert re.search(r"\rcompiling line \d: statement \d of 3, [\d.]+( k| M)? steps", shown)
    before, _, after = shown.partition("warning[W104]")
    assert code == 0 and after and "compiling" not in after
    assert before.split("\r")[-2].strip() == "" and not before.split("\r")[-1].strip("\x1b[1;3m")


def test_a_compilation_ends_cleanly_with_ctrl_c() -> None:
    shown, code = compiled_on_a_terminal(HEAVY.replace("400", "1700"), "check", interrupt=True)
    assert code == 130 and "Traceback" not in shown
    last = shown.split("\r")
    assert "interrupted" in shown and "compiling" not in shown[shown.index("interrupted") :]
    assert any(part and not part.strip() for part in last)


@pytest.mark.parametrize(
    ("args", "more"), [(["check", "--json"], {}), (["solve", "-q"], {}), (["check"], {"TERM": "dumb"})]
)
def test_who_does_not_want_to_see_a_compilation_does_not(args: list[str], more: dict[str, str]) -> None:
    assert "compiling" not in compiled_on_a_terminal(HEAVY, *args, **more)[0]


def test_a_pipe_never_sees_a_compilation(tmp_path: Path) -> None:
    model = tmp_path / "m.cover"
    model.write_text(HEAVY, encoding="utf-8")
    done = subprocess.run([sys.executable, "-c", AT_ONCE, "check", model], capture_output=True, text=True, check=False)
    assert "compiling" not in done.stderr + done.stdout and "\r" not in done.stderr


def test_a_compilation_has_no_more_than_all_statements() -> None:
    budgets: list[Budget] = []
    text = (
        "let n = 3 assert n = 3 cells r, c in 1..n choose f(r, c) exactly one f per r given f(1, 1) "
        "forbid f(2, 2) minimize count of f show 1 of f at r, c if f(1, 1) then not f(1, 2)"
    )
    with telling(budgets.append):
        covr.loads(text + " agree f on r = 1 connected f at r, c loop f along {r, -c} expect 2 solutions")
    (budget,) = budgets
    assert budget.begun == budget.total == 11


def test_a_terminal_is_shown_how_far_it_is() -> None:
    shown = errors_on_a_terminal(*ENDLESS, until=b"nodes/s")
    assert re.search(r"\r\d+\.\d %, \d+ answers \([\d.]+( k| M)?/s\), [\d.]+( k| M)? nodes/s", shown)
    lines = shown.split("\r")
    assert lines[-3].strip("^C ") == "" and "interrupted" in lines[-2]  # cleared before the sentence; \r\n ends that


def test_a_minimum_has_a_gap() -> None:
    shown = errors_on_a_terminal("solve", "queen_domination", "-D", "n=14", "--limit-time", "60", until=b"(gap ")
    assert re.search(r"best \d+, at least \d+ \(gap \d+\.\d %\)", shown)


def test_other_engines_are_named_once(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Stuck:
        others = ("highs", "cpsat")
        best: int | None = None

        def progress(self) -> Progress:
            return Progress(None, 10, 3, self.best, 9)

    clock = [0.0]
    monkeypatch.setattr(cli_progress, "monotonic", lambda: clock[0])
    monkeypatch.setattr(cli_progress, "Thread", lambda **_: SimpleNamespace(start=lambda: None))
    monkeypatch.setattr(cli_progress, "find_spec", lambda module: None if module == "highspy" else module)
    run = Stuck()
    meter = Meter(cast(Run, run), False)
    said = []
    for moment, best in ((9.9, None), (10.1, None), (25.0, None), (26.0, 12), (40.0, 12)):
        clock[0], run.best = moment, best
        meter._show(run.progress())
        said.append("another solver" in capsys.readouterr().err)
    assert said == [False, True, False, False, False]
    assert advice(False, ("highs", "cpsat")) == (
        "no better answer for 10 s; another solver may be faster: "
        "--engine highs (needs pip install 'covr[lp]') or --engine cpsat"
    )
    clock[0] = 0.0
    meter = Meter(cast(Run, run), False)
    for moment, best, there in ((9.0, 12, False), (18.0, 11, False), (27.0, 11, False), (28.1, 11, True)):
        clock[0], run.best = moment, best
        meter._show(run.progress())
        assert ("no better answer for 10 s" in capsys.readouterr().err) == there


def test_who_could_be_asked() -> None:
    model = covr.loads("choose a(i) for i in 1..4\nat least 2 a\nat most one a per i div 2\nminimize i of a\n")
    run = Run(model.compiled, Options())
    assert run.others == ()
    search = run._search("minimum")
    assert run.others == ("highs", "cpsat")
    list(search)
    assert run.others == ()
    pytest.importorskip("highspy")
    asked = Run(model.compiled, Options(engine="highs"))
    asked._search("minimum")
    assert asked.others == ()


def test_a_long_search_for_a_first_answer_says_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, constants: Constants, capsys: pytest.CaptureFixture[str]
) -> None:
    model = covr.loads("choose a(i) for i in 1..4\nexactly 5 total i of a\n")
    constants(clingo, INSTALLED=False)
    run = Run(model.compiled, Options())
    run._search("all", answers=1)
    assert run.others == ("clingo",) and run.lacks_clingo
    run = Run(model.compiled, Options())
    run._search("all")
    assert run.others == () and not run.lacks_clingo
    constants(clingo, INSTALLED=True)
    run = Run(model.compiled, Options())
    run._search("all", answers=1)
    assert run.others == () and not run.lacks_clingo

    clock = [0.0]
    monkeypatch.setattr(cli_progress, "monotonic", lambda: clock[0])
    monkeypatch.setattr(cli_progress, "Thread", lambda **_: SimpleNamespace(start=lambda: None))
    stuck = SimpleNamespace(others=("clingo",), progress=lambda: Progress(None, 10, 0, None, None))
    meter = Meter(cast(Run, stuck), False)
    clock[0] = 10.1
    meter._show(stuck.progress())
    said = capsys.readouterr().err
    assert "no answer yet for 10 s; with pip install 'covr[clingo]' a solver that learns" in said
    assert learning(1).startswith("no second answer for 10 s; ")


@pytest.mark.parametrize(("args", "more"), [(["--quiet"], {}), ([], {"TERM": "dumb"})])
def test_who_does_not_want_it_is_not_shown_it(args: list[str], more: dict[str, str]) -> None:
    assert "nodes/s" not in shown_at_once(*LONG, *args, **more)


def test_a_pipe_never_sees_it() -> None:
    done = subprocess.run([sys.executable, "-c", AT_ONCE, *LONG], capture_output=True, text=True, check=False)
    assert done.stdout == ""
    assert "nodes/s" not in done.stderr and "\r" not in done.stderr


def test_a_narrow_terminal_is_not_overrun() -> None:
    shown = shown_at_once(*ENDLESS, until=b"%", COLUMNS="20")
    assert all(len(line) < 20 for line in re.split(r"[\r\n]", shown) if "%" in line and "of the tree" not in line)


def test_a_quick_search_is_not_shown() -> None:
    assert "\r" not in errors_on_a_terminal("solve", "queens", "-q")


def test_what_it_says() -> None:
    assert sentence(Progress(0.25, 10, 1, None, None), 1234.5, 2, 100) == (
        "25.0 %, 1 answer (2/s), 1.2 k nodes/s, about 2 min left"
    )
    assert sentence(Progress(None, 10, 3, 12, 9), 5, 0, None) == "best 12, at least 9 (gap 25.0 %), 5 nodes/s"
    assert sentence(Progress(None, 10, 3, 12, 15), 5, 0, None) == "best 12, at most 15 (gap 25.0 %), 5 nodes/s"
    assert sentence(Progress(None, 10, 3, None, 9), 5, 0, None) == "bound 9, 5 nodes/s"


def test_large_numbers_and_times_are_shortened() -> None:
    assert [short(n) for n in (0, 999, 1000, 2.5e6, 3e9)] == ["0", "999", "1.0 k", "2.5 M", "3.0 G"]
    told = [duration(s) for s in (0.2, 59, 120, 7200, 3e5, 1e8, 1e15)]
    assert told == ["1 s", "59 s", "2 min", "2 h", "3 days", "3 years", "ages"]


def test_no_time_is_named_where_too_little_is_known() -> None:
    assert time_left(Progress(None, 0, 0, None, None), 5) is None
    assert time_left(Progress(0.0001, 0, 0, None, None), 5) is None
    assert time_left(Progress(0.5, 0, 0, None, None), 0.1) is None
    assert time_left(Progress(0.25, 0, 0, None, None), 5) == 15
