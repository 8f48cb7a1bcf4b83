"""`covr verify`: checks a proof, by a program that shares nothing with the one that wrote it."""

from __future__ import annotations

import click

from covr.cli.common.help import command
from covr.output.exits import FAULT, FOUND, NONE, UNKNOWN


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
    from covr.questions.proof_check import RefusedProof, check_proof_file, read_problem

    try:
        about = read_problem(problem)
    except RefusedProof as fault:
        click.echo(f"error: {problem}:{fault.line}: {fault.what}", err=True)
        return FAULT
    try:
        checked = check_proof_file(about, proof)
    except RefusedProof as fault:
        place = f"{proof}:{fault.line}" if fault.line else proof
        click.echo(f"not verified: {place}: {fault.what}", err=True)
        return NONE
    click.echo(checked.in_words())
    if checked.answer is not None:
        names = ", ".join(checked.answer)
        click.echo(f"the answer: {names}" if names else "the answer has no names in the file")
    return UNKNOWN if checked.shown.kind == "nothing" else FOUND
