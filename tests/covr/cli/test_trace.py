"""`covr trace`: the steps in words and as JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from covr.engine import Status, build
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.proofs.trace import trace
from tests.covr.command import run


def test_the_toy_is_traced_step_by_step() -> None:
    result = run("trace", "toy")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()[2:]
    assert [line for line in lines if "covers" not in line and "removes" not in line] == [
        "choose item a: 2 options, the fewest; the first of 5 such",
        "  take take(2) (1 of 2)",
        "| choose item b: 1 option, the fewest; the first of 3 such",
        "|   take take(3) (1 of 1)",
        "| | item e: no option is left",
        "|   undo take(3)",
        "  undo take(2)",
        "  take take(4) (2 of 2)",
        "| choose item b: 1 option, the fewest; the first of 4 such",
        "|   take take(5) (1 of 1)",
        "| | choose item c: 1 option, the fewest; the first of 2 such",
        "| |   take take(1) (1 of 1)",
        "| | | answer 1: take(1), take(4), take(5)",
        "| |   undo take(1)",
        "|   undo take(5)",
        "  undo take(4)",
    ]
    assert result.stderr == "1 solution, 6 nodes\n"


def test_a_limit_ends_the_trace() -> None:
    result = run("trace", "queens", "--limit-nodes", "5")
    assert result.exit_code == 0
    assert result.stdout.count("take queen") == 4
    assert result.stderr == "stopped after 5 nodes, 0 solutions so far; --limit-nodes shows more\n"


def test_steps_are_written_as_json() -> None:
    result = run("trace", "toy", "--json")
    start, *steps, end = map(json.loads, result.stdout.splitlines())
    assert start["type"] == "start"
    assert {s["type"] for s in steps} == {"step"}
    assert steps[0] == {
        "type": "step", "step": "choose", "depth": 0, "item": "item a", "options": 2, "need": 1, "others": 4,
    }  # fmt: skip
    assert [s["option"] for s in steps if s["step"] == "take"] == [f"take({o})" for o in (2, 3, 4, 5, 1)]
    assert [s["choices"] for s in steps if s["step"] == "answer"] == [["take(1)", "take(4)", "take(5)"]]
    assert (end["type"], end["nodes"], end["answers"], end["complete"]) == ("end", 6, 1, True)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("choose f(i)\nexactly 2 f", "choose exactly 2 f: 2 of 3 options, 2 ways, the fewest"),
        ("choose f(i)\nexactly 2 f where i = 1", "exactly 2 f: 1 option left, 2 are wanted"),
        ("choose f(i)\nat most one f", "every rule is met; 3 options may still be taken or left"),
        ("choose f(i)\nat most one f", "answer 4: nothing is chosen"),
        ("choose f(i)\nexactly one f\ngiven f(1)\ngiven f(2)", "given f(2): what was taken before excludes it"),
        ("choose f(i)\nexactly one f\ngiven f(1)", "given f(1)\n    covers exactly one f\n    removes f(2), f(3)"),
        ("choose f(i)\nat least one f\nminimize i of f", "answer 1, value 1: f(1)"),
        ("choose f(i)\nat least one f\nminimize i of f", "nothing below is better than the best answer so far"),
        ("choose f(i)\nat least one f\nmaximize i of f", "value 6: f(1), f(2), f(3)"),
        (
            "values v in 1..2\nchoose f(i, v)\nexactly one f per i\nagree f on 0 = v",
            "covers exactly one f for i = 1, agree f on 0",
        ),
    ],
)
def test_every_kind_of_step_is_told(text: str, said: str) -> None:
    result = run("trace", "-", input="cells i in 1..3\n" + text)
    assert result.exit_code == 0
    assert said in result.stdout


def test_long_lists_are_cut() -> None:
    assert " and 1 more" in run("trace", "queens", "-D", "n=4").stdout


@pytest.mark.long
def test_deep_searches_are_traced() -> None:
    text = "cells i in 1..1100\nchoose f(i)\nexactly one f per i"
    result = run("trace", "-", "--limit-nodes", "1101", input=text)
    assert result.exit_code == 0
    assert result.stderr == "1 solution, 1101 nodes\n"


def test_wrong_usage_is_refused() -> None:
    assert run("trace", "nowhere").exit_code == 2
    result = run("trace", "nowhere", "--json")
    assert result.exit_code == 2
    assert [json.loads(line)["type"] for line in result.stdout.splitlines()] == ["error", "end"]
    assert run("trace", "toy", "--limit-nodes", "0").exit_code == 2


def process(*args: str, **more: str) -> subprocess.Popen[bytes]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "LC_ALL")}
    return subprocess.Popen(
        [sys.executable, "-m", "covr", *args],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**kept, "TERM": "xterm-256color", "PYTHONUTF8": "1", **more},
    )


def test_a_closed_pipe_ends_quietly() -> None:
    running = process("trace", "queens", "--limit-nodes", "3000")
    assert running.stdout is not None
    assert running.stderr is not None
    running.stdout.readline()
    running.stdout.close()
    errors = running.stderr.read()
    running.stderr.close()
    assert (running.wait(timeout=30), errors) == (0, b"")


@pytest.mark.parametrize(("variable", "coloured"), [("FORCE_COLOR", True), ("NO_COLOR", False)])
def test_colours_follow_the_environment(variable: str, coloured: bool) -> None:
    for command in (("trace", "toy"), ("why", "queens", "-D", "n=2")):
        out, errors = process(*command, **{variable: "1"}).communicate(timeout=30)
        assert (b"\x1b[" in out) is coloured
        assert b"Traceback" not in errors


def test_a_limit_of_time_ends_it_within_a_step() -> None:
    """A step walks all live options."""
    done = run("trace", "-", "--limit-time", "0", input="choose f(i) for i in 1..6\nexactly one f\n")
    assert done.exit_code == 0
    assert "stopped after 0 s and 1 node, 0 solutions so far; --limit-time shows more" in done.stderr
    looks = 0

    def stop() -> Status | None:
        nonlocal looks
        looks += 1
        return Status.LIMIT if looks == 7 else None

    steps = trace(build([(1, 1)] * 4000, [[o // 2] for o in range(8000)]))
    with pytest.raises(LimitReached), limits_checked_by(stop):
        list(steps)
