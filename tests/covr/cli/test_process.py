"""The command as a process of its own: pipes, signals, terminals, start-up."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.covr.cli.terminal import environment, on_terminal

pytestmark = pytest.mark.long

COVR = [sys.executable, "-m", "covr"]


def run(*args: str, **more: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COVR, *args], capture_output=True, text=True, timeout=60, env=environment(**more), check=False
    )


def shown_by(*args: str, **more: str) -> str:
    """What the command writes to a terminal."""
    shown, code = on_terminal([*COVR, *args], **more)
    assert code == 0
    return shown


def test_a_pipe_gets_plain_text() -> None:
    done = run("solve", "sudoku")
    assert done.returncode == 0
    assert done.stdout.isascii()
    assert "\x1b" not in done.stdout
    assert done.stderr == ""


def test_a_terminal_gets_colours_and_box_drawing() -> None:
    shown = shown_by("solve", "sudoku")
    assert "\x1b[1m5\x1b[0m" in shown
    assert "┌───────┬" in shown


# What a stranger may write into a name: it would clear a terminal, hide what follows, or turn it round.
NAUGHTY = "a\x9b2Jb\u202ec\x1b[8md\u2066e\x7ff"
SIGNS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


def test_no_name_controls_a_terminal(tmp_path: Path) -> None:
    """Names in models, run files, and claims; and what `--json` says of them, which reads as it was."""
    from covr.runs.folder_claims import _self
    from covr.runs.folder_results import read_head
    from tests.runs.forged import forge

    model = tmp_path / "m.cover"
    model.write_text(f'title "{NAUGHTY}"\ncells r in 1..4\nchoose a(r)   "{NAUGHTY} {{r}}"\nexactly one a\n', "utf-8")
    file, folder = tmp_path / "a.run", tmp_path / "a.pieces"
    begun = run("solve", "queens", "-D", "n=14", "--all", "-q", "--run", str(file), "--limit-time", "0")
    assert begun.returncode == 3
    assert run("split", str(file), "-n", "3", "-o", str(folder)).returncode == 0
    head = read_head(folder)
    claim = {**_self(), "machine": NAUGHTY, "job": NAUGHTY}
    (folder / "claims" / f"{head.key(head.tasks[0])}.0").write_text(json.dumps(claim), "utf-8")
    named = json.dumps([NAUGHTY, "cells r in 1..2\n", ""])
    forge(file, "UPDATE about SET value = ? WHERE key = 'title'", values=[(NAUGHTY,)])
    forge(file, "UPDATE about SET value = ? WHERE key = 'model'", values=[(named,)])
    commands = (("solve", str(model)), ("status", str(file)), ("status", str(folder)), ("status", str(file), "--json"))
    for command in commands:
        shown, _ = on_terminal([*COVR, *command])
        assert not SIGNS.search(shown.replace("\r\n", "\n")), (command, shown)
        assert "\x1b[8m" not in shown
    said = run("status", str(file), "--json").stdout
    assert not SIGNS.search(said)
    assert json.loads(said)["title"] == NAUGHTY


def test_no_color_turns_colours_off() -> None:
    shown = shown_by("solve", "sudoku", NO_COLOR="1")
    assert "\x1b" not in shown
    assert "┌───────┬" in shown


def test_a_dumb_terminal_gets_plain_text() -> None:
    shown = shown_by("solve", "sudoku", TERM="dumb")
    assert shown.isascii()
    assert "\x1b" not in shown


def test_force_color_turns_colours_on() -> None:
    assert "\x1b[" in run("solve", "sudoku", FORCE_COLOR="1").stdout


def test_an_ascii_encoding_is_no_error() -> None:
    done = run("test", "queens", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert done.stdout.startswith("ok  ")


@pytest.mark.parametrize(
    "args", [("solve", "queens", "-D", "n=12", "--all"), ("show", "queens", "-D", "n=40", "--options")]
)
def test_a_closed_pipe_ends_quietly(args: tuple[str, ...]) -> None:
    process = subprocess.Popen([*COVR, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment())
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=30), errors) == (0, b"")


def interrupted(*args: str, until: bytes | None = None, after: float = 0.0) -> tuple[int, str, str]:
    """Send SIGINT once the command has printed `until`, or after so many seconds."""
    process = subprocess.Popen(
        [*COVR, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(), bufsize=0
    )
    assert process.stdout is not None
    first = b""
    if until is None:
        time.sleep(after)
    else:
        while until not in first and (more := process.stdout.read(1)):
            first += more
    process.send_signal(signal.SIGINT)
    try:
        out, err = process.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        process.kill()
        out, err = process.communicate()
        raise AssertionError(f"it goes on: {(first + out).decode()}{err.decode()}") from None
    return process.returncode, (first + out).decode(), err.decode()


def test_ctrl_c_says_what_was_found_and_what_is_not_known() -> None:
    code, out, err = interrupted("solve", "queens", "-D", "n=13", "--all", until=b"answer 2")
    assert code == 130
    assert "(answer 1)" in out
    assert "interrupted: " in err
    assert re.search(r"solutions so far; whether there are more is not known(; [\d.]+ % of the tree)?\n$", err)
    assert "Traceback" not in err


def interrupted_while_searching(*args: str, said: str) -> tuple[int, str, str]:
    """Send SIGINT later and later until the command had begun to search, which nothing printed shows."""
    for after in (1.0, 2.0, 4.0, 8.0, 16.0):
        code, out, err = interrupted(*args, after=after)
        if said in out + err:
            break
    return code, out, err


def test_ctrl_c_while_counting_says_how_many_there_are_at_least() -> None:
    code, out, err = interrupted_while_searching("count", "queens", "-D", "n=18", said="at least")
    assert (code, out) == (130, "")
    assert "interrupted: at least " in err


def test_ctrl_c_ends_a_trace() -> None:
    code, out, err = interrupted("trace", "queens", "-D", "n=40", "--limit-nodes", "1000000000", until=b"choose")
    assert code == 130
    assert "Traceback" not in out + err
    assert "interrupted" in err


def test_ctrl_c_before_there_is_anything_to_search() -> None:
    text = (Path(__file__).parents[3] / "models" / "queens" / "queens.cover").read_text()
    for command in ("check", "why"):
        process = subprocess.Popen(
            [*COVR, command, "-", "-D", "n=400"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=environment(),
        )
        assert process.stdin is not None
        process.stdin.write(text.encode() + b"\n" + b"# more than a pipe holds\n" * 20_000)
        process.stdin.close()  # by now it has read most of it
        process.stdin = None
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
        assert (process.returncode, out, err) == (130, b"", b"\ninterrupted\n")


@pytest.mark.parametrize(
    "module", ["covr.output.streams", "covr.cli.group", "click", "covr.cli.check", "covr.dsl.diagnostics"]
)
def test_ctrl_c_while_it_starts_leaves_no_traceback(module: str) -> None:
    """The interrupt comes just when the command imports this module."""
    code = (
        "import signal, sys\n"
        "signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "from covr.cli import main\n"
        "class Pressed:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        f"        if name == {module!r}:\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Pressed())\n"
        "sys.argv = ['covr', 'check', 'queens']\n"
        "sys.exit(main())\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, env=environment())
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "\ninterrupted\n")


def test_ctrl_c_keeps_the_best_answer() -> None:
    code, out, err = interrupted_while_searching("solve", "queen_domination", "-D", "n=19", said="best")
    assert code == 130
    assert "best " in out
    assert "at least " in out
    assert "whether there is a better solution is not known" in err


def improving(*options: str) -> subprocess.Popen[bytes]:
    """A search for a best answer that takes far longer than any test, which has just told of its first answer."""
    process = subprocess.Popen(
        [*COVR, "solve", "queen_domination", "-D", "n=19", "--json", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
        bufsize=0,
    )
    assert process.stdout is not None
    said = b""
    while b'"solution"' not in said and (more := process.stdout.read(1)):
        said += more
    return process


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM that could be heard")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("options", [("--jobs", "1"), ("--jobs", "2"), ("--run", "best.run", "--jobs", "2")])
def test_a_signal_ends_with_the_best_answer_so_far(
    tmp_path: Path, number: signal.Signals, options: tuple[str, ...]
) -> None:
    process = improving(*[str(tmp_path / o) if o.endswith(".run") else o for o in options])
    process.send_signal(number)
    out, err = process.communicate(timeout=60)
    last = json.loads(out.decode().splitlines()[-1])
    assert process.returncode == 130, err
    assert (last["type"], last["status"], last["exit"], last["answers"]) == ("end", "interrupted", 130, 1)
    assert last["bound"] is not None and last["bound"] < last["cost"]


@pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGTERM that could be heard")
@pytest.mark.parametrize("options", [(), ("--run", "best.run")])
def test_sigterm_sent_twice_at_once_loses_nothing(tmp_path: Path, options: tuple[str, ...]) -> None:
    """`timeout` sends it twice: to its command, and to the group of processes."""
    process = improving("--jobs", "1", *[str(tmp_path / o) if o.endswith(".run") else o for o in options])
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=60)
    last = json.loads(out.decode().splitlines()[-1])
    assert (process.returncode, last["status"], last["answers"]) == (130, "interrupted", 1), err


def test_answers_of_each_come_as_they_are_found() -> None:
    process = subprocess.Popen(
        [*COVR, "solve", "queens", "--each", "n=-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment(),
    )
    out, _ = process.communicate(b"4\n5\n", timeout=30)
    assert out.decode().splitlines() == [".Q.....QQ.....Q.", "Q......Q......Q.Q......Q."]


def test_ctrl_c_ends_the_wait_for_a_record() -> None:
    process = subprocess.Popen(
        [*COVR, "solve", "queens", "--each", "n=-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdin is not None
    process.stdin.write(b"\n" * 200_000)  # empty lines are no records
    process.stdin.flush()  # more than a pipe holds: by now it is reading
    process.send_signal(signal.SIGINT)
    assert process.wait(timeout=30) == 130
    _, errors = process.communicate()
    assert errors.strip() == b"interrupted"


UNWANTED = {
    "modules that no plain question needs": (
        "asyncio", "bz2", "concurrent.futures", "difflib", "hashlib", "importlib.metadata", "interegular", "json",
        "lark", "logging", "multiprocessing", "numpy", "platformdirs", "random", "rich", "socket", "subprocess",
        "tempfile",
    ),
    "rooms and files of covr": (
        "covr.api", "covr.cli.answers", "covr.cli.check", "covr.compiler.formats", "covr.draw.elements",
        "covr.dsl.service", "covr.dsl.tables", "covr.engine.beside", "covr.engine.diagrams",
        "covr.engine.minimum", "covr.engine.outside", "covr.engine.counting.part_count", "covr.engine.pieces",
        "covr.engine.proofs", "covr.engine.reference", "covr.engine.symmetries",
        "covr.explain", "covr.live", "covr.lsp", "covr.runs", "covr.studio",
    ),
}  # fmt: skip
BEFORE_A_MODEL = ("covr.compiler", "covr.dsl.parser", "covr.dsl.syntax", "covr.engine.single", "covr.questions.run")


def imported_by(*arguments: str) -> set[str]:
    """The modules that a command leaves behind in its process."""
    code = (
        "import sys\n"
        "from covr.cli.group import cli\n"
        "cli.main(sys.argv[1:], standalone_mode=False)\n"
        "print('\\n', *sys.modules)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], capture_output=True, text=True, check=True, env=environment()
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("unwanted", UNWANTED)
def test_starting_costs_nothing_that_is_not_needed(unwanted: str) -> None:
    """What is installed beside covr, such as the finder of an editable install, is imported before covr is."""
    imported_by("solve", "sudoku")  # from now on the tables of the grammar are kept
    found = subprocess.run([sys.executable, "-c", "import sys; print(*sys.modules)"], capture_output=True, text=True)
    before = set(found.stdout.split())
    unneeded = (imported_by("solve", "sudoku") - before) & set(UNWANTED[unwanted])
    assert not unneeded


@pytest.mark.parametrize("option", ["--version", "--help"])
def test_what_covr_says_of_itself_needs_no_language(option: str) -> None:
    assert not imported_by(option) & {*BEFORE_A_MODEL, *UNWANTED["rooms and files of covr"], "lark"}


def test_the_gallery_is_found_from_anywhere(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COVR, "count", "queens"], capture_output=True, text=True, cwd=tmp_path, env=environment(), check=True
    )
    assert done.stdout == "92\n"


@pytest.mark.parametrize("shown", [False, True])
def test_a_mistake_of_covr_shows_where_it_happens(shown: bool, tmp_path: Path) -> None:
    """As its message says: with COVR_TRACEBACK the traceback, from every subcommand; the exit code is that of a
    fault."""
    start = tmp_path / "start.py"
    start.write_text(
        "import sys\nfrom covr.cli import main\nfrom covr.cli import shared\n"
        "shared.open_from = lambda *_, **__: ()[0]\nsys.exit(main())\n",
        encoding="utf-8",
    )
    for command in ("solve", "why", "show"):
        done = subprocess.run(
            [sys.executable, str(start), command, "queens"], capture_output=True, text=True, timeout=60, check=False,
            env=environment(COVR_TRACEBACK="1" if shown else ""),
        )  # fmt: skip
        assert done.returncode == 2
        assert ("Traceback (most recent call last)" in done.stderr) == shown, command
        assert "IndexError: tuple index out of range" in done.stderr, command
        assert "can't start" not in done.stderr


def test_the_end_does_not_look_for_cycles() -> None:
    """Python would visit all objects twice. What was registered first is called last."""
    told = "print(gc.get_freeze_count() > 1000, len(gc.get_objects()) < 1000)"
    last = f"import atexit, gc, sys; atexit.register(lambda: {told})"
    done = subprocess.run(
        [sys.executable, "-c", f"{last}; sys.argv = ['covr', '--version']; from covr.cli import main; main()"],
        capture_output=True, text=True, timeout=60, env=environment(), check=False,
    )  # fmt: skip
    assert done.stdout.splitlines()[-1] == "True True"
