"""`covr test`: checks whether models keep their promises."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.asking import check_proof, proof_options
from covr.cli.common.help import command
from covr.cli.common.progress import CompilingStopped, compiling, limited
from covr.cli.common.shared import (
    FROM,
    complete_models,
    from_option,
    models_in,
    open_from,
    options_from,
    search_options,
)
from covr.dsl.diagnostics import ModelErrors
from covr.inputs.library import open_model
from covr.output.streams import FAULT, FOUND, NONE, UNKNOWN, known, remark, report
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.dsl.syntax import CheckedModel
    from covr.questions.proof_file import Prove, Verdict


@command("test")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, shell_complete=complete_models)
@from_option
@search_options
@proof_options
def test_command(paths: tuple[str, ...], proof: str | None, limit_proof: int, **words: Any) -> int:
    """Run the `expect` lines of models: files, folders with models in them, or names of the gallery.

    Limits hold for compiling and for each line separately. The exit code is 1 if a promise is broken, and 3 if a limit left one open.
    With --proof, each line that is kept has its own proof (FILE-1.pbp, FILE-2.pbp, …), which is checked at once.

    \b
    Examples:
      covr test models/
      covr test queens --limit-time 10
    """
    options = options_from(words).alone()
    options.settings()
    check_proof(proof, {})
    prove = None if proof is None else _prover(proof, limit_proof, options)
    totals: Counter[str] = Counter()
    known(UNKNOWN)
    for path, in_folder in models_in(paths):
        _test(path, in_folder, options, totals, prove)
        known(_code(totals))
    click.echo(_summary(totals))
    return _code(totals)


def _code(totals: Counter[str]) -> int:
    """The exit code, given the number of lines of each kind."""
    if totals["faulty"]:
        return FAULT
    if totals["broken"]:
        return NONE
    return UNKNOWN if totals["open"] else FOUND


def _prover(path: str, size: int, options: Options) -> Prove:
    """Writes one proof after another, with numbers from 1."""
    from covr.engine import Limits
    from covr.questions.proof_file import ProofWriter

    writer = ProofWriter(path, size, Limits(nodes=options.limit_nodes, seconds=options.limit_time))
    numbers = count(1)
    return lambda compiled, kind, run: writer.prove(compiled, kind, run, next(numbers))


def _test(path: str, in_folder: bool, options: Options, totals: Counter[str], prove: Prove | None) -> None:
    """Run a model's `expect` lines, and count them by kind in `totals`. A file without any is a library; this is
    mentioned only if the file was named by itself."""
    from covr.compiler import compile_model
    from covr.dsl.syntax import Choose, Expect
    from covr.inputs.matrices import may_be_matrix
    from covr.questions.proof_file import run_expectations

    try:
        form = click.get_current_context().meta.get(FROM)
        compiled = open_from(path, ()) if may_be_matrix(path, form) else None
        if compiled is not None and compiled.is_matrix:
            remark(f"{path}: a matrix, which promises nothing")
            return
        model = open_model(path) if compiled is None else compiled.model
        if not model.all(Expect):
            if not in_folder:
                _remark_unpromised(path, model)
            return
        if not model.all(Choose):
            remark(f"{path}: there is nothing to choose, so its only answer is empty")
        options.ask(model.has_goal, counting=True)
        if compiled is None:
            with limited(options), compiling():
                compiled = compile_model(model)
        for verdict in run_expectations(compiled, options, prove):
            unproved = verdict.proof is not None and verdict.proof.done is False
            kind = "open" if unproved else {True: "kept", False: "broken", None: "open"}[verdict.kept]
            totals[kind] += 1
            if kind != "kept":
                known(_code(totals))
            _write(path, verdict, kind)
    except CompilingStopped as stopped:
        totals["open"] += 1
        known(_code(totals))
        click.echo(f"{_sign('open')} {path}: {stopped.said}")
    except ModelErrors as errors:
        totals["faulty"] += 1
        known(_code(totals))
        click.echo(f"{_sign('broken')} {path}")
        report(errors.diagnostics)


def _remark_unpromised(path: str, model: CheckedModel) -> None:
    """Say of a model without `expect` lines that there is nothing to test."""
    from covr.dsl.bound_names import unpromised

    said = unpromised(model.source, model.statements)
    if said:
        report(said)
    elif model.statements:
        remark(f"{path}: no `expect` lines")
    else:
        known = model.definitions or model.libraries or model.title is not None
        remark(f"{path}: {'a library, which promises nothing' if known else 'this model is empty'}")


def _write(path: str, verdict: Verdict, kind: str) -> None:
    text = f"{_sign(kind)} {path}:{verdict.line}  {verdict.expected}"
    if verdict.kept:
        text += f"  ({verdict.seconds:.2f} s)" if verdict.proof is None else f": {verdict.proof.words}"
    else:
        text += f": found {verdict.found}"
    click.echo(text)
    report(verdict.fault)


def _sign(kind: str) -> str:
    """The mark of a line: a tick if the output can show it, otherwise a word."""
    signs = {"kept": "✓", "broken": "✗", "open": "?"}
    words = {"kept": "ok  ", "broken": "FAIL", "open": "open"}
    try:
        signs[kind].encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return words[kind]
    return signs[kind]


def _summary(totals: Counter[str]) -> str:
    parts = [f"{totals['kept']} kept", f"{totals['broken']} broken"]
    parts += [f"{totals['open']} open"] if totals["open"] else []
    parts += [f"{totals['faulty']} faulty model{'' if totals['faulty'] == 1 else 's'}"] if totals["faulty"] else []
    return ", ".join(parts)
