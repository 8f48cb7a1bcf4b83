"""`covr check`, `covr params` and `covr test`: faults, params and promises of models."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import count
from typing import TYPE_CHECKING, Any

import click

from covr.cli import shared
from covr.cli.asking import check_proof, proof_options
from covr.cli.group import CompilingStopped, command
from covr.cli.progress import compiling, limited
from covr.compiler import Compiled, compile_model
from covr.compiler.evaluate.operators import noting
from covr.compiler.evaluate.values import abbreviate
from covr.draw.canvas import clean
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import CheckedModel, Choose, Expect
from covr.engine import Limits
from covr.inputs.library import find_linked, is_link, open_model
from covr.output.streams import FAULT, FOUND, NONE, UNKNOWN, known, remark, report
from covr.questions.answer import jsonable
from covr.questions.options import Options
from covr.text import quantity

if TYPE_CHECKING:
    from covr.explain.drawn_answer import Judgement
    from covr.links.file import Linked
    from covr.questions.proof_file import Prove, Verdict

# --- `covr check`: errors and warnings, without solving ---------------------------------------------------------------


@command("check")
@click.argument("models", metavar="MODEL...", nargs=-1, required=True, shell_complete=shared.complete_models)
@shared.data_options
@shared.json_option
def check_command(models: tuple[str, ...], defines: tuple[str, ...], as_json: bool) -> int:
    """Look for errors in each MODEL: its syntax, its names, its data, and rules that probably do not say what you mean.

    A folder stands for all models in it. A matrix in another program's format is only read. A comment
    `# covr: allow W202` beside a statement, or on the line above it, silences that warning.

    If a puzzle's file shows an answer, covr checks it against the rules: it is right, unfinished or wrong, and
    covr names what is wrong.

    The exit code is 2 if there is an error, and 0 if there are only warnings. For a drawn answer it is 0 if it is
    right, 1 if it is wrong, and 3 if it is unfinished.

    \b
    Examples:
      covr check mine.cover
      covr check models/ --json
      covr check board.txt
    """
    from covr.puzzles.made_puzzle import contradicted_clues
    from covr.questions.run import remarks

    code = FOUND
    known(UNKNOWN)
    for model, _ in shared.models_in(models):
        judgement, many = None, 0
        try:
            with noting() as noted:
                linked = find_linked(model)
                compiled = shared.open_from(model, defines, idle=True)
                found = list(remarks(compiled, noted))
            if not any(d.is_error for d in found):
                found += contradicted_clues(compiled)
            many += bool(compiled.model.source.remark)
            if linked is not None:
                found = [remark for remark in found if remark.code not in IDLE]
                judgement = _judged(compiled, linked)
        except ModelErrors as errors:
            found = list(errors.diagnostics)
        if any(d.is_error for d in found):
            code = FAULT
        elif judgement is not None:
            code = _worse(code, _CODES[judgement.verdict])
        known(code)
        _write(model, found, many, judgement, as_json)
    return code


# Of a link, these say what the puzzle has not: a model of many constraints has rules for all of them.
IDLE = frozenset({"W204", "W205"})
_CODES = {"right": FOUND, "wrong": NONE, "unfinished": UNKNOWN, "unknown": UNKNOWN}


def _worse(code: int, other: int) -> int:
    """The code of several models: a fault, then something wrong, then something open."""
    return min((code, other), key=(FAULT, NONE, UNKNOWN, FOUND).index)


def _judged(compiled: Compiled, linked: Linked) -> Judgement | None:
    """What is known of the answer that is drawn in a puzzle's file; None if nothing is drawn there."""
    from covr.explain.drawn_answer import drawn_on, judge

    return judge(compiled, linked.board, linked.kind) if drawn_on(linked.board, linked.kind) else None


def _write(model: str, found: list[Diagnostic], remarks: int, judgement: Judgement | None, as_json: bool) -> None:
    """Write what was found. remarks: how many were said already about the link that the model was read from."""
    if as_json:
        from covr.output import writers

        writers.emit_diagnostics(found)
        if judgement is not None:
            writers.emit(
                "drawn",
                verdict=judgement.verdict,
                places=list(judgement.places),
                rules=list(judgement.rules),
                minimal=judgement.minimal,
            )
        writers.emit("end", model=model, **_figures(found))
        return
    report(found)
    errors, warnings = _figures(found).values()
    counts = ((errors, "error"), (warnings, "warning"), (remarks, "note"))
    parts = [quantity(n, word) for n, word in counts if n]
    if not parts and judgement is None:
        click.echo(f"{model}: no errors")
    elif parts:
        click.echo(f"{model}: {', '.join(parts)}")
    if judgement is not None:
        click.echo(judgement if is_link(model) else f"{model}: {judgement}")


def _figures(found: list[Diagnostic]) -> dict[str, int]:
    errors = sum(d.is_error for d in found)
    return {"errors": errors, "warnings": len(found) - errors}


# --- `covr params`: which values of a model may be set from outside ---------------------------------------------------


@command("params")
@shared.model_argument
@shared.define_option
@shared.json_option
def params_command(model: str, defines: tuple[str, ...], as_json: bool) -> int:
    """List the params of MODEL: each with its value, its condition, and its default as written in the model.

    \b
    Examples:
      covr params sudoku
      covr params queens -D n=12
    """
    from covr.output.writers import json_text

    rows = []
    for name, default, condition, value in shared.compile_from(model, defines).parameters:
        if as_json:
            row = {"type": "param", "name": name, "value": jsonable(value), "default": default, "condition": condition}
            click.echo(json_text(row))
        else:
            lines = default.split("\n")
            written = lines[0] + (f" … ({len(lines) - 2} lines)" if len(lines) > 1 else "")
            rows.append((name, abbreviate(value, 40), f"where {condition}" if condition else "", written))
    widths = [max((len(row[i]) for row in rows), default=0) for i in range(3)]
    for name, shown, condition, written in rows:
        cells = [f"{name:{widths[0]}} = {shown:{widths[1]}}"]
        if widths[2]:
            cells.append(f"{condition:{widths[2]}}")
        click.echo(clean("  ".join([*cells, f"default {written}"])))
    return FOUND


@command("test")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, shell_complete=shared.complete_models)
@shared.from_option
@shared.search_options
@proof_options
def test_command(paths: tuple[str, ...], proof: str | None, limit_proof: int, **words: Any) -> int:
    """Run the `expect` lines of models: files, folders with models in them, or names of the gallery.

    Limits hold for compiling and for each line separately. The exit code is 1 if a promise is broken, and 3 if a limit
    left one open.
    With --proof, each line that is kept has its own proof (FILE-1.pbp, FILE-2.pbp, …), which is checked at once.

    \b
    Examples:
      covr test models/
      covr test queens --limit-time 10
    """
    options = shared.options_from(words).alone()
    options.settings()
    check_proof(proof, {})
    prove = None if proof is None else _prover(proof, limit_proof, options)
    totals: Counter[str] = Counter()
    known(UNKNOWN)
    for path, in_folder in shared.models_in(paths):
        _test(path, in_folder, options, totals, prove)
        known(_code_of(totals))
    click.echo(_summary(totals))
    return _code_of(totals)


def _code_of(totals: Counter[str]) -> int:
    if totals["faulty"]:
        return FAULT
    if totals["broken"]:
        return NONE
    return UNKNOWN if totals["open"] else FOUND


def _prover(path: str, size: int, options: Options) -> Prove:
    from covr.questions.proof_file import ProofWriter

    writer = ProofWriter(path, size, Limits(nodes=options.limit_nodes, seconds=options.limit_time))
    numbers = count(1)
    return lambda compiled, kind, run: writer.prove(compiled, kind, run, next(numbers))


def _test(path: str, in_folder: bool, options: Options, totals: Counter[str], prove: Prove | None) -> None:
    """Run a model's `expect` lines, and count them by kind in `totals`. Of a file without any that is only said if it
    was named itself."""
    from covr.inputs.matrices import may_be_matrix
    from covr.questions.proof_file import run_expectations

    try:
        form = click.get_current_context().meta.get(shared.FROM)
        compiled = shared.open_from(path, ()) if may_be_matrix(path, form) else None
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
                known(_code_of(totals))
            _write_verdict(path, verdict, kind)
    except CompilingStopped as stopped:
        totals["open"] += 1
        known(_code_of(totals))
        click.echo(f"{_sign('open')} {path}: {stopped.said}")
    except ModelErrors as errors:
        totals["faulty"] += 1
        known(_code_of(totals))
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


def _write_verdict(path: str, verdict: Verdict, kind: str) -> None:
    text = f"{_sign(kind)} {path}:{verdict.line}  {verdict.expected}"
    if verdict.kept:
        text += f"  ({verdict.seconds:.2f} s)" if verdict.proof is None else f": {verdict.proof.words}"
    else:
        text += f": found {verdict.found}"
    click.echo(text)
    report(verdict.fault)


def _sign(kind: str) -> str:
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
    parts += [f"{quantity(totals['faulty'], 'faulty model')}"] if totals["faulty"] else []
    return ", ".join(parts)
