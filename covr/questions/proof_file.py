"""Promises and proofs: `expect` lines, and proofs in files that are checked."""

from __future__ import annotations

import gzip
import os
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO, TextIO

from attrs import evolve

from covr.compiler import Compiled, Expectation, compile_model
from covr.compiler.evaluate.values import show_value
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.engine import Limits
from covr.engine.base.limits import Status
from covr.engine.proofs.logged import ProofLog
from covr.faults import unwritable_file, usage_error, whole_file
from covr.frozen import frozen
from covr.questions.answer import digits, spare_own_files
from covr.questions.options import Options
from covr.questions.run import Run
from covr.text import quantity, reason_of
from covr.verify.checker import BadProof, Opb, PbGoal, ProofResult, read_opb, verify

# --- proof file ------------------------------------------------------------------------------------------------------
# Two files: the problem as OPB with the options' names as comments, and the proof of engine/proofs/logged.py, found by
# a search of its own. Both appear together, when they are complete; a proof that a limit cut short says so.


ENDINGS = (".pbp", ".pbp.gz")


def problem_file(path: str) -> str:
    """The name of the problem's file beside that of the proof. Raises ModelErrors E508 for a name that no proof has."""
    for ending in ENDINGS:
        if path.endswith(ending) and os.path.basename(path) != ending:
            return path[: -len(ending)] + ending.replace("pbp", "opb")
    help = f"for example proof{ENDINGS[0]}, or proof{ENDINGS[1]} to have it compressed"
    raise usage_error("E508", f"`{path}` is no name of a proof: it should end with {' or '.join(ENDINGS)}", help=help)


def numbered_file(path: str, number: int) -> str:
    """The name of one of several proofs: `proof-3.pbp`."""
    ending = next(ending for ending in ENDINGS if path.endswith(ending))
    return f"{path.removesuffix(ending)}-{number}{ending}"


def proof_refusal(compiled: Compiled, counted: bool) -> str | None:
    """Why no proof can be written about a model yet; None if one can. counted: whether the proof must say how many
    answers there are."""
    from covr.compiler.formats import Unwritable
    from covr.compiler.formats.linear import Linear

    if counted and compiled.has_symmetry:
        return "no proof can be written of answers that count as one (`up to`)"
    if counted and compiled.problem.projection is not None:
        return "no proof can be written of answers counted by some of their choices (`answers by`)"
    try:
        Linear(compiled.problem)
    except Unwritable as fault:
        return f"no proof can be written: {fault}"
    return None


def ask_for_proof(compiled: Compiled, path: str | None = None, counted: bool = True) -> None:
    """Raises ModelErrors E603 with the reason why no proof can be written, and E508 where one at this path would be
    written over a file of the model. counted: as above."""
    if path is not None:
        _spare_own_files(compiled, path)
    reason = proof_refusal(compiled, counted)
    if reason is not None:
        help = "`--verify` answers once more with another engine, for every model"
        raise usage_error("E603", reason, help=help)


def problem_lines(compiled: Compiled) -> Iterator[str]:
    """The lines of the problem's file."""
    from covr.compiler.formats.linear import write_opb

    return write_opb(compiled.problem, compiled.goal == "maximize", compiled.lowered.stages)


def write_proof(compiled: Compiled, path: str, log: ProofLog, known: Sequence[int] | None = None) -> None:
    """Write both files, which appear together. known: a best answer, if the model has a goal. Raises ModelErrors E508
    for a file that can't be written, or of which the model is made; both old files are then as they were."""
    _spare_own_files(compiled, path)
    problem = problem_file(path)
    with _writing(problem) as about, _writing(path) as proof:
        _pour(problem_lines(compiled), about)
        about.flush()  # so that a full disk is met before the proof appears
        _pour(log.lines(known), proof)


def _spare_own_files(compiled: Compiled, path: str) -> None:
    for file in (path, problem_file(path)):
        spare_own_files(compiled, file)


@contextmanager
def _writing(path: str) -> Iterator[BinaryIO | gzip.GzipFile]:
    """A file that appears at the end, whole, or not at all. Raises ModelErrors E508."""
    try:
        with whole_file(path) as file:
            if path.endswith(".gz"):
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    yield packed
            else:
                yield file
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def _pour(texts: Iterable[str], file: BinaryIO | gzip.GzipFile) -> None:
    for text in texts:
        file.write(text.encode("ascii"))


# --- proof check -----------------------------------------------------------------------------------------------------


@frozen
class CheckedProof:
    """What a proof shows of a problem, if all its lines follow."""

    about: Opb
    shown: ProofResult

    @property
    def answer(self) -> tuple[str, ...] | None:
        """What the one answer, or the best one, takes, by its names; None if it is not shown to be that."""
        shown = self.shown
        is_best = shown.kind == "bounds" and shown.least == shown.most
        if not shown.true or not (is_best or (shown.kind, shown.answers) == ("all", 1)):
            return None
        return tuple([self.about.names[v] for v in shown.true if v in self.about.names])

    def in_words(self) -> str:
        """What was shown, in a sentence."""
        shown = self.shown
        lines = "1 line" if shown.steps == 1 else f"{shown.steps} lines"
        match shown.kind:
            case "unsat":
                return f"verified: there is no answer ({lines})"
            case "all" if shown.answers == 1:
                return f"verified: there is exactly one answer ({lines})"
            case "all":
                return f"verified: there are exactly {shown.answers} answers ({lines})"
            case "sat":
                least = "is an answer" if shown.answers == 1 else f"are at least {shown.answers} answers"
                return f"verified: there {least} ({lines})"
            case "bounds":
                return f"verified: {_bounds(shown, self.about)} ({lines})"
        found = f"; {shown.answers} answers were shown" if shown.answers else ""
        return f"every line is right, but the proof is unfinished and shows nothing else{found} ({lines})"


class RefusedProof(Exception):
    """A file that is no problem, or a line of a proof that does not follow. line: counted from 1, or 0.  what: a
    sentence."""

    def __init__(self, path: str, fault: BadProof) -> None:
        super().__init__(fault.what)
        self.path, self.line, self.what = path, fault.line, fault.what


def read_problem(path: str) -> Opb:
    """The problem of a file. Raises RefusedProof, and ModelErrors E501 if it can't be read."""
    with _opened(path, MOST_PROBLEM) as lines:
        try:
            return read_opb(lines)
        except BadProof as fault:
            raise RefusedProof(path, fault) from None


def check_proof_file(about: Opb, path: str) -> CheckedProof:
    """What the proof of a file shows. Raises RefusedProof, and ModelErrors E501 if it can't be read."""
    with _opened(path) as lines:
        try:
            return CheckedProof(about, verify(about, lines))
        except BadProof as fault:
            raise RefusedProof(path, fault) from None


def _bounds(shown: ProofResult, about: Opb) -> str:
    if about.goals:
        return _in_order(shown, about.goals)
    if about.opposite and shown.least is not None:
        if shown.least == shown.most:
            return f"the greatest value of the sum that is maximised is {-shown.least}"
        least = "" if shown.most is None else f", and an answer has at least {-shown.most}"
        return f"the sum that is maximised is at most {-shown.least}{least}"
    if shown.least == shown.most:
        return f"the least value of the sum that is minimised is {shown.least}"
    most = "" if shown.most is None else f", and an answer has at most {shown.most}"
    return f"the sum that is minimised is at least {shown.least}{most}"


def _in_order(shown: ProofResult, goals: Sequence[PbGoal]) -> str:
    terms = [f"{'-' if g.weight < 0 else '+'} {abs(g.weight)} · goal {k}" for k, g in enumerate(goals, 1)]
    plus = sum(g.weight * g.plus for g in goals)
    terms += [f"{'-' if plus > 0 else '+'} {abs(plus)}"] if plus else []
    total = " ".join(terms).removeprefix("+ ")
    if shown.least != shown.most:
        most = "" if shown.most is None else f", and an answer has at most {shown.most}"
        return f"{total} is at least {shown.least}{most}"
    values = [f"{'maximum' if g.weight < 0 else 'minimum'} {g.value(shown.true)}" for g in goals]
    return f"{', then '.join(values)}: the least value of {total} is {shown.least}"


LONGEST_LINE = 50_000_000  # bytes of a line: a sum of two million terms; a compressed file can stand for any length
MOST_PROBLEM = 200_000_000  # bytes of a problem, which is kept in memory; a proof is read line by line


@contextmanager
def _opened(path: str, most: int | None = None) -> Iterator[Iterator[str]]:
    """The lines of a file, which may be compressed. most: bytes in all. Raises ModelErrors E501 if it can't be read."""
    try:
        if path.endswith(".gz"):
            with gzip.open(path, "rt", encoding="ascii", errors="replace") as packed:
                yield _lines(packed, most)
        else:
            with open(path, encoding="ascii", errors="replace") as file:
                yield _lines(file, most)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise usage_error("E501", f"`{path}` can't be read: {reason_of(error)}") from None


def _lines(file: TextIO, most: int | None) -> Iterator[str]:
    """Raises ValueError for a line that is too long, and for more than so many bytes."""
    read = 0
    while line := file.readline(LONGEST_LINE + 1):
        read += len(line)
        if len(line) > LONGEST_LINE:
            raise ValueError(f"a line has more than {LONGEST_LINE:,} bytes")
        if most is not None and read > most:
            raise ValueError(f"it has more than {most:,} bytes")
        yield line


# --- expected proofs -------------------------------------------------------------------------------------------------


BEST = ("minimum", "maximum")


@frozen
class ExpectedProof:
    """The proof of an `expect` line.
    done: whether the promise is proved, and the proof was checked; None where no proof can be written.
    words: which file it is, or why there is none."""

    done: bool | None
    words: str


@frozen
class ProofWriter:
    """Writes proofs of promises, and checks them: `covr test --proof`.
    path: of the first, whose name the others have with numbers.  size: characters of a proof at most.
    limits: of the search for each."""

    path: str
    size: int
    limits: Limits

    def prove(self, compiled: Compiled, kind: str, run: Run, number: int) -> ExpectedProof:
        """Prove the promise of an `expect` line which the run has found to be kept. number: which proof it is, from
        1. Raises ModelErrors E508 for a file that can't be written."""
        from covr.compiler.formats.linear import pseudo_boolean

        counted = kind in ("solutions", "unique")
        reason = proof_refusal(compiled, counted)
        if reason is None and compiled.goal is not None and counted:
            reason = "no proof can be written of how many answers have the best value"
        if reason is not None:
            return ExpectedProof(None, reason)
        path = numbered_file(self.path, number)
        log = ProofLog(pseudo_boolean(compiled.problem), self.limits, self.size)
        known = run.best.answer if kind in BEST and run.best is not None else None
        write_proof(compiled, path, log, known)
        checked = check_proof_file(read_problem(problem_file(path)), path)
        if log.status is not Status.EXHAUSTED:
            return ExpectedProof(False, f"{path} is unfinished: a limit was reached")
        shown = checked.shown
        right = {"minimum": "bounds", "maximum": "bounds", "none": "unsat"}.get(kind, "all" if log.answers else "unsat")
        assert shown.kind == right and shown.answers == (log.answers if right == "all" else shown.answers)
        assert right != "bounds" or shown.least == shown.most == log.best
        assert kind != "unique" or shown.answers == 1
        return ExpectedProof(True, f"{path} shows it in {shown.steps} lines")


# --- expectations ----------------------------------------------------------------------------------------------------


if TYPE_CHECKING:
    Prove = Callable[[Compiled, str, Run], ExpectedProof]


@frozen
class Verdict:
    """The result of an `expect` line.
    expected, found: in words.  kept: whether it holds; None if a limit left that open.  seconds: time spent.
    fault: why the model can't be compiled with these values.  proof: what became of the proof, if one was asked for."""

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
    """Yields a verdict for each `expect` line, in order. options: their limits hold for each line separately.
    prove: writes a proof for a line that is kept."""
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
        "solutions": quantity(value, "solution"),
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
    found = len(list(run.answers(limit=2)))
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
