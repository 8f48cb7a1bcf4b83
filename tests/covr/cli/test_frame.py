"""What stands around the work of every subcommand: exclusions, faults under `--json`, blocks of options, the alarm."""

from __future__ import annotations

import codecs
import io
import json
import signal
import sys
from collections.abc import Callable
from typing import Any

import click
import pytest
from hypothesis import given
from hypothesis import strategies as st

from covr.cli import progress, shared
from covr.cli.asking import exclude, exclude_with
from covr.cli.group import COMMANDS, OutOfTime, cli
from covr.cli.shared import block
from covr.output.streams import _guarded, is_unbroken
from covr.questions.options import CommandOptions
from tests.covr.command import Covr, covr, write

__all__ = ["covr"]


def options_of(name: str) -> set[str | None]:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return {param.name for param in command.params}


# `params` reports its faults on standard error in any case.
ABOUT_A_MODEL = [name for name in COMMANDS if {"model", "as_json"} <= options_of(name) and name != "params"]
FORMATTED = [name for name in ABOUT_A_MODEL if "form" in options_of(name)]
ASKED = [(name, "--json") for name in ABOUT_A_MODEL] + [(name, "--format=json") for name in FORMATTED]

# The title is only worked out where it is written, when the model is compiled already.
LATE = """
param n = 0
title "{4 div n} rooks"
cells i in 1..2
choose a(i)
exactly one a per i
"""


def test_there_are_commands_to_try() -> None:
    assert {"solve", "count", "sample", "why", "trace"} <= set(ABOUT_A_MODEL)
    assert {"solve", "sample"} <= set(FORMATTED)


@pytest.mark.parametrize(("name", "flag"), ASKED)
@pytest.mark.parametrize("text", ["choose a(\n", LATE], ids=["syntax", "late"])
def test_a_fault_of_the_model_is_told_as_objects(covr: Covr, name: str, flag: str, text: str) -> None:
    write("m.cover", text)
    result = covr(name, "m.cover", flag)
    *errors, end = map(json.loads, result.stdout.splitlines())
    assert (result.exit_code, result.stderr) == (2, "")
    assert errors and {error["type"] for error in errors} == {"error"}
    assert (end["type"], end["status"], end["exit"]) == ("end", "fault", 2)


@pytest.mark.parametrize("name", ABOUT_A_MODEL)
def test_a_fault_of_the_model_is_told_in_words_otherwise(covr: Covr, name: str) -> None:
    write("m.cover", LATE)
    result = covr(name, "m.cover")
    if name == "count":  # it writes no title
        assert (result.exit_code, result.stdout) == (0, "1\n")
        return
    assert result.exit_code in (0, 2) and '"type"' not in result.stdout
    assert result.exit_code == 0 or result.stderr.startswith(("error[E203]", "error[E515]"))


NAMES = ["-a", "-b", "--long", "--other"]


@given(st.dictionaries(st.sampled_from(NAMES), st.booleans(), min_size=1))
def test_at_most_one_is_given(flags: dict[str, bool]) -> None:
    if list(flags.values()).count(True) < 2:
        exclude(flags)
        return
    with pytest.raises(click.UsageError, match="exclude each other") as caught:
        exclude(flags)
    assert [name for name in NAMES if name in caught.value.message.replace(",", "").split()] == [
        name for name in NAMES if name in flags
    ]


@given(st.booleans(), st.booleans(), st.booleans(), st.booleans())
def test_options_that_exclude_each_other_are_refused_in_one_sentence(a: bool, b: bool, c: bool, d: bool) -> None:
    ones, others = {"-a": a, "-b": b}, {"-c": c, "-d": d}
    if not ((a or b) and (c or d)):
        exclude_with(ones, others)
        return
    with pytest.raises(click.UsageError) as caught:
        exclude_with(ones, others)
    assert caught.value.message == "-a and -b go with neither -c nor -d."


def test_lists_are_read_aloud() -> None:
    with pytest.raises(click.UsageError) as caught:
        exclude_with({"-a": True}, {"-b": True, "-c": False, "-d": False})
    assert caught.value.message == "-a goes with neither -b, -c nor -d."
    with pytest.raises(click.UsageError) as caught:
        exclude({"-a": True, "-b": True, "-c": False})
    assert caught.value.message == "-a, -b and -c exclude each other."


def test_a_block_lists_its_options_in_order() -> None:
    inner = block(click.option("--two"), click.option("--three"))
    command = click.command()(block(click.option("--one"), inner, click.option("--four"))(lambda **_: 0))
    assert [param.name for param in command.params] == ["one", "two", "three", "four"]


# --- the alarm: a command that is at work long after its limit of time ends wherever it is ---------------------------


LIMITED = [name for name in ABOUT_A_MODEL if "limit_time" in options_of(name) and name != "answers"]
SMALL = """cells r, c in 1..3
choose queen(r, c)
exactly one queen per r
exactly one queen per c
at most one queen per r - c
"""


def ring_at(monkeypatch: pytest.MonkeyPatch, share: Callable[[int], int]) -> list[int]:
    """Let the alarm ring at some of the calls that a command makes from when it is set. share: at which, counted from
    1, with 0 for none. Returns a list to which each command adds how many it made."""
    counts: list[int] = []

    def ring_after(options: CommandOptions) -> None:
        at, calls = share(len(counts)), 0

        def called(_frame: object, event: str, _argument: object) -> None:
            nonlocal calls
            calls += event == "call"
            if event == "call" and at and calls >= at and (calls - at) % 5000 < 2:
                signal.raise_signal(signal.SIGALRM)  # the first says that the limit is reached

        def stop() -> None:
            sys.setprofile(None)
            counts.append(calls)

        progress.ring_after(options)
        click.get_current_context().call_on_close(stop)
        sys.setprofile(called)

    monkeypatch.setattr(shared, "ring_after", ring_after)
    monkeypatch.setattr(progress, "LATER", -1.0)
    return counts


def test_an_alarm_in_a_codec_keeps_its_words() -> None:
    def decode(text: Any) -> Any:
        raise OutOfTime("stopped after 1 s")

    def find(name: str) -> codecs.CodecInfo | None:
        return codecs.CodecInfo(decode, decode) if name == "rings" else None

    codecs.register(find)
    try:
        with pytest.raises(OutOfTime) as raised:
            b"x".decode("rings")
    finally:
        codecs.unregister(find)
    assert str(raised.value) == "stopped after 1 s"


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="there is no alarm on Windows")
@pytest.mark.parametrize("name", LIMITED)
def test_the_alarm_ends_a_command_wherever_it_is(covr: Covr, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    write("m.cover", SMALL)
    more = {"why": ["queen(1, 1)"], "size": ["--probes", "2"], "show": ["--plan"]}.get(name, [])
    words = [name, "m.cover", *more, "--limit-time", "1000", "--json"]
    shares = 0.05, 0.5, 0.9
    counts = ring_at(monkeypatch, lambda n: int(min(counts[:3]) * shares[n - 3]) + 1 if n > 2 else 0)
    before = signal.getsignal(signal.SIGALRM)
    for _ in ("cold", "warm", "warm again"):
        assert covr(*words).exit_code in (0, 1)
    for _ in shares:
        result = covr(*words)
        *_, end = map(json.loads, result.stdout.splitlines())
        assert result.exit_code == 3
        assert "stopped after 1000 s, in the middle of its work: no more is known\n" in result.stderr
        assert (end["type"], end["status"], end["exit"], end["limit"]) == ("end", "unknown", 3, "time")
        assert (end["complete"], end["answers"]) == (False, None)
    assert signal.getsignal(signal.SIGALRM) == before and signal.getitimer(signal.ITIMER_REAL) == (0, 0)


def test_no_alarm_interrupts_what_is_being_written() -> None:
    """Else the bytes would be written twice."""
    seen = []

    class Stream(io.BytesIO):
        def write(self, data: Any) -> int:
            seen.append(is_unbroken(sys._getframe(1)))
            return super().write(data)

    raw = io.TextIOWrapper(io.BufferedWriter(io.BytesIO()))
    monkey = _guarded(raw, essential=True)
    monkey.buffer.raw._raw = Stream()  # type: ignore[attr-defined]
    monkey.write("text")
    monkey.flush()
    assert seen == [True] and not is_unbroken(sys._getframe()) and not is_unbroken(None)
