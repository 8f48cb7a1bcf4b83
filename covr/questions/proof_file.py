"""A proof and what it is about, as two files: the problem as OPB with the options' names as comments, and the proof.

The proof is that of engine/proofs/logged.py, found by a search of its own after the question was answered. Both files
appear only when they are complete; a proof that a limit or Ctrl-C cut short is complete, too, and says that it is
unfinished.
"""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterable, Sequence
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


def ask_for_proof(compiled: Compiled) -> None:
    """Raises ModelErrors E603 for a model about which no proof can be written yet, with the reason."""
    from covr.compiler.formats import Unwritable
    from covr.compiler.formats.linear import Linear

    help = "`--verify` answers once more with another engine, for every model"
    reason = None
    if compiled.has_symmetry:
        reason = "of answers that count as one (`up to`)"
    elif compiled.problem.projection is not None:
        reason = "of answers that are told apart by some of their choices (`answers by`)"
    if reason is not None:
        raise usage_error("E603", f"no proof can be written {reason}", help=help)
    try:
        Linear(compiled.problem)
    except Unwritable as fault:
        raise usage_error("E603", f"no proof can be written: {fault}", help=help) from None


def write_proof(compiled: Compiled, path: str, log: ProofLog, known: Sequence[int] | None = None) -> None:
    """Write both files. known: a best answer, if the model has a goal. Raises ModelErrors E508 for a file that can't be
    written; the old files are then as they were."""
    from covr.compiler.formats.opb import write_opb

    _write(problem_file(path), write_opb(compiled.problem))
    _write(path, log.lines(known))


def _write(path: str, texts: Iterable[str]) -> None:
    try:
        with whole_file(path) as file:
            if path.endswith(".gz"):
                with gzip.GzipFile("", "wb", fileobj=file, mtime=0) as packed:
                    _pour(texts, packed)
            else:
                _pour(texts, file)
    except (OSError, ValueError) as error:
        raise unwritable_file(path, error) from None


def _pour(texts: Iterable[str], file: BinaryIO | gzip.GzipFile) -> None:
    for text in texts:
        file.write(text.encode("ascii"))
