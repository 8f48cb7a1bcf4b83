"""`covr verify`: checks a proof, by a program that shares nothing with the one that wrote it."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

from covr.cli.common.help import command
from covr.faults import usage_error
from covr.output.exits import FAULT, FOUND, NONE, UNKNOWN

if TYPE_CHECKING:
    from covr.verify.checker import ProofResult
    from covr.verify.opb import Opb


@command("verify")
@click.argument("problem", metavar="FILE.opb")
@click.argument("proof", metavar="FILE.pbp")
def verify_command(problem: str, proof: str) -> int:
    """Check a proof that --proof wrote, or another solver, and say what it shows.

    The checker shares nothing with covr's searches. It reads the problem as OPB and the proof in VeriPB's format,
    versions 2.0 and 3.0, as far as they say `rup`, `pol`, `solx`, `soli` and `del`. The exit code is 1 if a line does
    not follow, and 3 if the proof is right as far as it goes and concludes nothing.

    \b
    Examples:
      covr count queens --proof queens.pbp
      covr verify queens.opb queens.pbp
    """
    from covr.verify.checker import verify
    from covr.verify.opb import BadProof, read_opb

    with _opened(problem) as lines:
        try:
            about = read_opb(lines)
        except BadProof as fault:
            click.echo(f"error: {problem}:{fault.line}: {fault.what}", err=True)
            return FAULT
    with _opened(proof) as lines:
        try:
            shown = verify(about, lines)
        except BadProof as fault:
            place = f"{proof}:{fault.line}" if fault.line else proof
            click.echo(f"not verified: {place}: {fault.what}", err=True)
            return NONE
    click.echo(_said(shown, about))
    if shown.true and (shown.kind == "bounds" or (shown.kind == "all" and shown.answers == 1)):
        names = [about.names[v] for v in shown.true if v in about.names]
        click.echo(f"the answer: {', '.join(names)}" if names else "the answer has no names in the file")
    return UNKNOWN if shown.kind == "nothing" else FOUND


def _said(shown: ProofResult, about: Opb) -> str:
    """What a proof shows, in a sentence."""
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
            return f"verified: {_bounds(shown)} ({lines})"
    found = f"; {shown.answers} answers were shown" if shown.answers else ""
    return f"every line is right, but the proof is unfinished and shows nothing else{found} ({lines})"


def _bounds(shown: ProofResult) -> str:
    if shown.least == shown.most:
        return f"the least value of the sum that is minimised is {shown.least}"
    most = "" if shown.most is None else f", and an answer has at most {shown.most}"
    return f"the sum that is minimised is at least {shown.least}{most}"


@contextmanager
def _opened(path: str) -> Iterator[Iterator[str]]:
    """The lines of a file, which may be compressed. Raises ModelErrors E501 if it can't be read."""
    try:
        if path.endswith(".gz"):
            with gzip.open(path, "rt", encoding="ascii", errors="replace") as packed:
                yield iter(packed)
        else:
            with open(path, encoding="ascii", errors="replace") as file:
                yield iter(file)
    except (OSError, EOFError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise usage_error("E501", f"`{path}` can't be read: {reason[:1].lower()}{reason[1:]}") from None
