"""`--proof FILE`: after an answer, the proof that another program checks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import click

from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import Size, block
from covr.output.exits import FOUND, INTERRUPTED, UNKNOWN
from covr.output.report import remark

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine import Limits
    from covr.questions.options import Options

F = TypeVar("F", bound=Callable[..., Any])

DEFAULT = "1G"  # bytes of a proof, before it is compressed


def proof_options(command: F) -> F:
    """Add --proof and --limit-proof."""
    return block(
        click.option(
            "--proof", metavar="FILE.pbp",
            help="Also write a proof that `covr verify` and VeriPB check, and beside it the problem as FILE.opb. A "
            "name that ends with .pbp.gz has both compressed.",
        ),
        click.option(
            "--limit-proof", metavar="SIZE", type=Size(), default=DEFAULT, show_default=True,
            help="End a proof that becomes longer than this, before it is compressed; it then says that it is "
            "unfinished.",
        ),
    )(command)  # fmt: skip


def check_proof(path: str | None, others: Mapping[str, bool]) -> None:
    """Raise UsageError if --proof was given with an option that it does not go with, and ModelErrors E508 for a name
    that no proof has. others: whether each was given."""
    if path is None:
        return
    from covr.cli.common.frame import exclude_with
    from covr.questions.proof_file import problem_file

    exclude_with({"--proof": True}, others)
    problem_file(path)


def prove(
    compiled: Compiled, path: str, size: int, options: Options, known: Sequence[int] | None = None,
    most: int | None = None, count: int | None = None,
) -> int:  # fmt: skip
    """Write the proof, and say so; returns the exit code for it. known: a best answer.  most: how many answers are
    enough.  count: how many answers there are, as far as is known: the proof must agree."""
    from covr.compiler.formats.opb import pseudo_boolean
    from covr.engine.base.status import Status
    from covr.engine.proofs.logged import ProofLog
    from covr.questions.proof_file import problem_file, write_proof

    log = ProofLog(pseudo_boolean(compiled.problem), _limits(options), size, most)
    with interrupts(log):
        write_proof(compiled, path, log, known)
    checks = "" if options.verify else "; `covr verify` checks them"
    remark(f"wrote {problem_file(path)} and {path}: {log.lines_written} lines{checks}")
    if log.status in (Status.LIMIT, Status.INTERRUPTED):
        reason = "it was interrupted" if log.status is Status.INTERRUPTED else "a limit was reached"
        remark(f"the proof is unfinished: {reason}")
        return INTERRUPTED if log.status is Status.INTERRUPTED else UNKNOWN
    agrees = count is None or log.status is not Status.EXHAUSTED or log.answers == count
    assert agrees, f"the proof has {log.answers} answers, and the search found {count}"
    if options.verify:
        from covr.questions.proof_check import check_proof_file, read_problem

        remark(check_proof_file(read_problem(problem_file(path)), path).in_words())
    return FOUND


def _limits(options: Options) -> Limits:
    from covr.engine import Limits

    return Limits(nodes=options.limit_nodes, seconds=options.limit_time)
