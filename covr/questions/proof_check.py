"""Checks a proof's two files by covr/verify, and says what they show."""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO

from covr.faults import usage_error
from covr.frozen import frozen
from covr.verify.checker import ProofResult, verify
from covr.verify.opb import BadProof, Opb, PbGoal, read_opb


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
    """A file that is no problem, or a line of a proof that does not follow. path: of the file.  line: counted from 1,
    or 0.  what: a sentence."""

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
    """The same for goals in order: the value of each, and what their sum is."""
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
    """The lines of a file, which may be compressed. most: bytes that it may have in all. Raises ModelErrors E501 if it
    can't be read."""
    try:
        if path.endswith(".gz"):
            with gzip.open(path, "rt", encoding="ascii", errors="replace") as packed:
                yield _lines(packed, most)
        else:
            with open(path, encoding="ascii", errors="replace") as file:
                yield _lines(file, most)
    except (OSError, EOFError, ValueError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise usage_error("E501", f"`{path}` can't be read: {reason[:1].lower()}{reason[1:]}") from None


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
