"""Runs the `expect` lines of a model: compares what it promises with what is found."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler import Compiled, Expectation, compile_model
from covr.compiler.evaluate.values import show_value
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.frozen import frozen
from covr.questions.digits import digits
from covr.questions.options import Options
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.questions.expected_proofs import ExpectedProof

    Prove = Callable[[Compiled, str, Run], ExpectedProof]


@frozen
class Verdict:
    """The result of an `expect` line. expected: its promise in words.  kept: whether it holds; None if a limit left
    that open.  found: what was found, in words.  seconds: time spent.  fault: why the model can't be compiled with
    these values, or None.  proof: what became of the proof, if one was asked for and the promise is kept."""

    expected: str
    kept: bool | None
    found: str
    seconds: float
    line: int
    fault: tuple[Diagnostic, ...] = ()
    proof: ExpectedProof | None = None


def run_expectations(
    compiled: Compiled,
    options: Options = Options(),  # noqa: B008
    prove: Prove | None = None,
) -> Iterator[Verdict]:
    """Yields a verdict for each `expect` line, in order. options: their limits hold for each line separately.  prove:
    writes a proof for a line that is kept."""
    for expectation in compiled.expectations:
        yield run_expectation(compiled, expectation, options, prove)


def run_expectation(
    compiled: Compiled, expectation: Expectation, options: Options, prove: Prove | None = None
) -> Verdict:
    """The verdict on one `expect` line. For `with`, the model is compiled again with those values."""
    line = expectation.span.place[0]
    words = describe(expectation)
    try:
        if expectation.settings:
            compiled = compile_model(compiled.model, dict(expectation.settings))
        run = Run(compiled, options)
        kept, found = _ASK[expectation.kind](run, expectation.value)
        proof = prove(compiled, expectation.kind, run) if kept and prove is not None else None
    except ModelErrors as errors:
        faults = tuple(evolve(d, span=expectation.span) if d.code == "E322" else d for d in errors.diagnostics)
        return Verdict(words, False, "an error", 0.0, line, faults)
    return Verdict(words, kept, found, run.seconds, line, proof=proof)


def describe(expectation: Expectation) -> str:
    """An expectation in words: `92 solutions with n = 8`."""
    value = expectation.value
    what = {
        "solutions": f"{value} solution{'' if value == 1 else 's'}",
        "unique": "a unique solution",
        "none": "no solution",
        "minimum": f"minimum {value}",
        "maximum": f"maximum {value}",
    }[expectation.kind]
    settings = ", ".join(f"{name} = {_short(v)}" for name, v in expectation.settings.items())
    return f"{what} with {settings}" if settings else what


def _short(value: object, width: int = 40) -> str:
    text = show_value(value).replace("\n", " ")  # type: ignore[arg-type]
    return text if len(text) <= width else text[: width - 3] + "..."


def _solutions(run: Run, value: int | None) -> tuple[bool | None, str]:
    counted = run.count()
    if counted.complete:
        return counted.value == value, _solutions_in_words(counted.value)
    too_many = value is not None and counted.value > value
    return (False if too_many else None), f"at least {_solutions_in_words(counted.value)}"


def _unique(run: Run, _: int | None) -> tuple[bool | None, str]:
    found = len(list(islice(run.answers(), 2)))
    if found == 2:
        return False, "more than one solution"
    if not run.complete:
        return None, f"at least {_solutions_in_words(found)}"
    return found == 1, _solutions_in_words(found)


def _none(run: Run, _: int | None) -> tuple[bool | None, str]:
    if run.first() is not None:
        return False, "a solution"
    return (True, "no solution") if run.complete else (None, "no solution so far")


def _best(run: Run, value: int | None) -> tuple[bool | None, str]:
    if run.subject.goal is None:
        return False, "a model without a goal"
    run.first()
    if run.best is None:
        return (False, "no solution") if run.complete else (None, "no solution so far")
    word = "minimum" if run.subject.goal == "minimize" else "maximum"
    if run.best.proved:
        return run.best.value == value, f"{word} {run.best.value}"
    return None, f"{run.best.value}, not proved to be the {word}"


def _solutions_in_words(count: int) -> str:
    return {0: "no solution", 1: "1 solution"}.get(count, f"{digits(count)} solutions")


_ASK = {"solutions": _solutions, "unique": _unique, "none": _none, "minimum": _best, "maximum": _best}
