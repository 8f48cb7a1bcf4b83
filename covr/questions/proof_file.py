"""A proof and what it is about, as two files: the problem as OPB with the options' names as comments, and the proof.

The proof is that of engine/proofs/logged.py, found by a search of its own after the question was answered. Both files
appear together, and only when they are complete; a proof that a limit or Ctrl-C cut short is complete, too, and says
that it is unfinished.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, BinaryIO

from covr.faults import unwritable_file, usage_error
from covr.whole_file import whole_file

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.proofs.logged import ProofLog

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
    answers there are, so that it matters which of them count as one."""
    from covr.compiler.formats import Unwritable
    from covr.compiler.formats.linear import Linear

    if counted and compiled.has_symmetry:
        return "no proof can be written of answers that count as one (`up to`)"
    if counted and compiled.problem.projection is not None:
        return "no proof can be written of answers that are told apart by some of their choices (`answers by`)"
    try:
        Linear(compiled.problem)
    except Unwritable as fault:
        return f"no proof can be written: {fault}"
    return None


def ask_for_proof(compiled: Compiled, path: str | None = None, counted: bool = True) -> None:
    """Raises ModelErrors E603 for a model about which no proof can be written yet, with the reason, and E508 where one
    at this path would be written over a file of the model. counted: as above."""
    if path is not None:
        _spare_own_files(compiled, path)
    reason = proof_refusal(compiled, counted)
    if reason is not None:
        help = "`--verify` answers once more with another engine, for every model"
        raise usage_error("E603", reason, help=help)


def problem_lines(compiled: Compiled) -> Iterator[str]:
    """The lines of the problem's file."""
    from covr.compiler.formats.opb import write_opb

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
    from covr.questions.own_files import spare_own_files

    for file in (path, problem_file(path)):
        spare_own_files(compiled, file)


@contextmanager
def _writing(path: str) -> Iterator[BinaryIO | gzip.GzipFile]:
    """A file that appears at the end, whole; not at all if anything fails. Raises ModelErrors E508 where the file
    itself does."""
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
