"""Runs commands with standard output or standard error closed, on a full disk, or a pipe that nobody reads.

`python -m tests.covr.cli.hostile < CASES > RESULTS`: each line of CASES is a JSON list, of arguments and of some WAYS;
RESULTS has for each a line, written at once: for each of the ways `[exit code, standard output, standard error]`. Each
runs in a process of its own that is forked from one where covr is imported already, gets its standard streams as Python
makes them, and ends as Python ends.
"""

from __future__ import annotations

import gc
import io
import json
import os
import sys
import tempfile
from contextlib import redirect_stderr, redirect_stdout

OUT = ("out closed", "out full", "out gone")
ERR = ("err closed", "err full", "err gone")
BOTH = ("all closed", "both full")
WAYS = ("plain", *OUT, *ERR, *BOTH)
WARM = (
    "solve queens --jobs 1", "solve queens --json", "count queens --jobs 1", "solve experts --jobs 1", "solve nothing",
    "check queens", "test toy", "why queens -D n=3", "trace toy", "show toy", "params kirkman", "sample toy --seed 1",
    "convert toy - --to dlx", "explain E102",
)  # fmt: skip


def attach(number: int, how: str, kept: int) -> None:
    """Make a descriptor what a way says."""
    if how == "closed":
        os.close(number)
    elif how == "full":
        os.dup2(os.open("/dev/full", os.O_WRONLY), number)
    elif how == "gone":
        reader, writer = os.pipe()
        os.close(reader)
        os.dup2(writer, number)
    else:
        os.dup2(kept, number)


def begin(way: str, out: int, err: int) -> None:
    """The standard streams of a process that begins."""
    which, _, how = way.partition(" ")
    empty = os.open(os.devnull, os.O_RDONLY)
    os.dup2(empty, 0)
    attach(1, how if which in ("out", "all", "both") else "", out)
    attach(2, how if which in ("err", "all", "both") else "", err)
    if which == "all":
        os.close(0)
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        try:
            os.fstat(number)
        except OSError:
            setattr(sys, name, None)
            continue
        binary = open(number, mode + "b", closefd=False)  # noqa: SIM115
        setattr(sys, name, io.TextIOWrapper(binary, encoding="utf-8", line_buffering=number == 2))


def run(args: list[str], way: str) -> tuple[int, str, str]:
    """What a command says and returns."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        child = os.fork()
        if not child:
            begin(way, out.fileno(), err.fileno())
            from covr.cli import main

            sys.argv = ["covr", *args]
            sys.exit(main())
        _, status = os.waitpid(child, 0)
        out.seek(0)
        err.seek(0)
        return os.waitstatus_to_exitcode(status), out.read().decode(), err.read().decode()


def main() -> None:
    from covr.cli.group import cli

    asked = os.fdopen(os.dup(0), encoding="utf-8")
    for args in WARM:  # what they import and read is there already when they are forked
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            cli.main(args.split(), standalone_mode=False)
    gc.freeze()
    told = os.fdopen(os.dup(1), "w", encoding="utf-8")
    for line in iter(asked.readline, ""):
        args, ways = json.loads(line)
        print(json.dumps({way: run(args, way) for way in ways}), file=told, flush=True)


if __name__ == "__main__":
    main()
