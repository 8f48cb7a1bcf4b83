"""A text led through every stage before the search, watched: what it may not do is an error of the test."""

from __future__ import annotations

import os
import signal
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from attrs import evolve

from covr.compiler import CompileLimits
from covr.compiler.compiled import CompiledModel
from covr.compiler.evaluate.bind import bind
from covr.compiler.lower.matrix import lower
from covr.compiler.review.review import review
from covr.draw.book import Shown, draw_svg
from covr.draw.text import as_text
from covr.dsl import ModelErrors, Source, parse, render
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.format import begins, laid_out, pieces, words_at
from covr.dsl.grammar import load
from covr.dsl.load import load_module
from covr.dsl.syntax import Outline, Print, Show
from covr.inputs.library import Libraries

SMALL = CompileLimits(
    values=20_000, steps=100_000, options=3_000, items=3_000, entries=30_000, group=500, group_entries=100_000,
    data=100_000, text=20_000,
)  # fmt: skip
SECONDS = 20.0  # of work; what takes longer hangs: at these limits a tenth of a second is usual
DRAWING = (Show, Print, Outline)  # without which covr chooses what is drawn
FOLDER = Path(__file__).parents[2] / "models"
FORBIDDEN = (
    "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "socket.", "ctypes.",
    "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.symlink", "os.link", "os.chmod", "shutil.",
)  # fmt: skip

watched: list[str] | None = None


def audit(event: str, args: tuple[Any, ...]) -> None:
    """Notes what a model made covr do: files opened outside the models and Python itself, anything written or run."""
    if watched is None:
        return
    if event == "open" and isinstance(args[0], str | bytes | os.PathLike):
        path, flags = os.fsdecode(args[0]), args[2]
        writing = isinstance(flags, int) and bool(flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT))
        if writing or not allowed(os.path.realpath(path)):
            watched.append(f"open {path} {args[1]}")
    elif event.startswith(FORBIDDEN):
        watched.append(f"{event} {args}")


def allowed(path: str) -> bool:
    root = str(Path(__file__).parents[2])
    return path.startswith((os.path.realpath(FOLDER), root, sys.prefix, sys.base_prefix)) and "/etc/" not in path


load()  # the grammar's cache is read once, before anything is watched
sys.addaudithook(audit)


@contextmanager
def alarm(text: str) -> Iterator[None]:
    def ring(signum: int, frame: FrameType | None) -> None:
        raise AssertionError(f"this takes more than {SECONDS} s:\n{text}")

    before = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def lead(text: str, met: Counter[str]) -> None:
    """Lead a text through the stages, as far as it comes. met: counts the models that entered each stage, and codes.

    Raises whatever is no ModelErrors, and AssertionError for what a model must not do.
    """
    global watched
    load()  # a test of the grammar may have thrown it away
    writes, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # what Python keeps is not the model's doing
    watched = []
    try:
        with alarm(text):
            _lead(text, met)
    except ModelErrors as errors:
        _shown(errors.diagnostics, met)
    finally:
        seen, watched = watched, None
        sys.dont_write_bytecode = writes
    assert not seen, f"{seen}\n{text}"


def _lead(text: str, met: Counter[str]) -> None:
    source = Source("fuzz.cover", text, str(FOLDER / "fuzz.cover"))
    met["parse"] += 1
    module = parse(source)
    met["format"] += 1
    laid = laid_out(pieces(text, words_at(text), begins(module)), module.statements)
    again = Source("fuzz.cover", laid)
    parsed = parse(again)
    assert parsed.statements == module.statements, text
    assert laid_out(pieces(laid, words_at(laid), begins(parsed)), parsed.statements) == laid, text
    met["load"] += 1
    model = load_module(module, Libraries(source))
    met["bind"] += 1
    scope = bind(model, {}, limits=SMALL)
    met["lower"] += 1
    compiled = CompiledModel(model, scope, lower(model, scope))
    met["review"] += 1
    _shown(review(compiled), met)
    met["rest"] += 1
    _ = compiled.title, compiled.expectations, compiled.symmetry, compiled.impossible
    undrawn = evolve(model, statements=tuple(s for s in model.statements if not isinstance(s, DRAWING)))
    for one in (CompiledModel(undrawn, scope, compiled.lowered), compiled):
        one.try_drawings()
        for pictures in (one.puzzle(), one.pictures(range(min(compiled.problem.options, 20)))):
            as_text(pictures)
            draw_svg([Shown(pictures)])


def _shown(diagnostics: tuple[Diagnostic, ...], met: Counter[str]) -> None:
    for fault in diagnostics[:20]:
        met[fault.code] += 1
        said = render(fault)
        assert all(c.isprintable() or c == "\n" for c in said), repr(said)
        assert "Traceback" not in said and "__ANON" not in said and "RPAR" not in said, said


__all__ = ["SMALL", "lead"]
