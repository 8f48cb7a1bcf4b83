"""`covr hint`: the next step that a person would make, or all steps to the end."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import click

from covr.cli.common.frame import json_faults
from covr.cli.common.help import command
from covr.cli.common.interrupt import interrupts
from covr.cli.common.shared import (
    define_option,
    from_option,
    model_argument,
    open_from,
    search_options,
    telling_options,
    unverified_options_from,
)
from covr.cli.common.writing import output_options
from covr.output.exits import FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.output.report import remark
from covr.output.streams import known

if TYPE_CHECKING:
    from covr.explain.because import Because, LookAhead, LookAheadPart
    from covr.explain.hint import Hint
    from covr.explain.hints import HintPath, HintRun
    from covr.explain.member import Member


@command("hint")
@model_argument
@click.option("-n", "number", type=click.IntRange(min=1), metavar="K", help="Show the next K moves.  [default: 1]")
@click.option("--all", "whole", is_flag=True, help="Show all steps to the end, each with all that follows at once.")
@define_option
@from_option
@output_options
@search_options
@telling_options
@json_faults
def hint_command(
    model: str, number: int | None, whole: bool, defines: tuple[str, ...], output: str | None, theme: str,
    as_json: bool, progress: bool, **words: Any,
) -> int:  # fmt: skip
    """Show the next move in MODEL that a person would make: what follows, and from how few rules.

    In the picture `=5` is what follows, and `-5` what is ruled out.

    \b
    Examples:
      covr hint sudoku
      covr hint slitherlink -n 3
      covr hint star_battle --all -o steps.pdf
    \f
    The exit code is 0 if there is a hint (with --all, if all steps were found), 1 if there is no answer or nothing
    follows, and 3 if a limit was hit before.
    """
    from covr.cli.common.progress import following
    from covr.explain.hints import HintRun
    from covr.questions.own_files import spare_own_files

    options = unverified_options_from(words)
    if number is not None and whole:
        raise click.UsageError("-n does not go with --all.")
    if output is not None:
        from covr.draw.files import check_target

        check_target(output, theme)
    run = HintRun(open_from(model, defines, options=options), options)
    if output is not None:
        spare_own_files(run.compiled, output)
    known(UNKNOWN)
    if as_json:
        from covr.output import stream

        stream.emit_start(run.compiled)
    with interrupts(run), following(run, progress and as_json) as meter:
        told: list[Hint] = []
        for hint in run.hints() if whole else run.moves():
            told.append(hint)
            known(FOUND if not whole else UNKNOWN)
            with meter.aside():
                if as_json:
                    _emit(hint)
                else:
                    _say(hint, drawn=output is None)
            if not whole and len(told) == (number or 1):
                break
    path = run.path(whole)
    code = known(_code(path, run))
    if output is not None:
        _draw(told, path, output, theme)
    if as_json:
        _emit_end(path, run, code)
    else:
        for line in ending(path, whole):
            click.echo(line)
        if not path.complete and path.solvable is not False:
            why = "interrupted" if code == INTERRUPTED else "stopped"
            remark(f"{why} after {run.options.elapsed(run.clock.spent):.1f} s: there may be more")
    return code


def _code(path: HintPath, run: HintRun) -> int:
    if run.interrupted:
        return INTERRUPTED
    if not path.complete and path.solvable is not False:
        return UNKNOWN
    return FOUND if path.hints else NONE


def ending(path: HintPath, whole: bool) -> list[str]:
    """What is said after the steps. whole: whether all of them were asked for."""
    if path.solvable is False:
        return ["no solution"]
    if not path.whole or (path.hints and not whole):
        return []
    count = len(path.open)
    if count:
        more = "nothing more follows" if path.hints else "nothing follows"
        return [f"{more}: {count} choice{' is' if count == 1 else 's are'} in some answers and not in others"]
    return [str(path.grade) if path.hints else "nothing is left to find"]


def _say(hint: Hint, drawn: bool) -> None:
    """Write a step, and its picture if it is not drawn into a file."""
    from covr.draw.styled import Part, clean
    from covr.draw.surface import surface_of, write
    from covr.draw.text import draw

    surface = surface_of(sys.stdout)
    lines = [(Part(clean(line), "title" if number == 0 else ""),) for number, line in enumerate(hint.lines())]
    pictures = draw(hint.pictures(), surface) if drawn else []
    write([*lines, (), *pictures, ()] if pictures else lines, surface)


def _draw(told: list[Hint], path: HintPath, output: str, theme: str) -> None:
    from covr.draw.svg import Shown
    from covr.output.pictures import save_pictures

    shown = [
        Shown(pictures, f"{'step' if hint.more is None else 'move'} {hint.number}")
        for hint in told
        if (pictures := hint.pictures())
    ]
    if shown:
        save_pictures(output, shown, path.compiled.title, theme)
    else:
        remark("there is nothing to draw: there is no step, or the model has no board")


def _emit(hint: Hint) -> None:
    from covr.output import stream

    stream.emit(
        "hint",
        number=hint.number,
        size=hint.size,
        proved=hint.proved,
        reasons=[_because(because) for because in hint.reasons],
        struck=list(map(str, hint.struck)),
        more=hint.more,
        text="\n".join(hint.lines()),
    )


def _because(because: Because) -> dict[str, Any]:
    texts = {"known": because.known, "taken": because.taken, "out": because.out}
    return {
        "rules": [_rule(rule) for rule in because.rules],
        "before": [_rule(rule) for rule in because.before],
        "full": [_rule(rule) for rule in because.full],
        "otherwise": because.otherwise,
        "ahead": None if because.ahead is None else _ahead(because.ahead),
        **{name: list(map(str, choices)) for name, choices in texts.items()},
    }


def _ahead(line: LookAhead) -> dict[str, Any]:
    supposed = "taken" if line.taken else "out"
    return {
        "supposed": {supposed: str(line.supposed)},
        "parts": [_part(part) for part in (*line.facts, *line.parts)],
        "broken": _rule(line.broken),
    }


def _part(part: LookAheadPart) -> dict[str, Any]:
    texts = {"taken": part.taken, "out": part.out}
    return {
        "rules": [_rule(rule) for rule in part.rules],
        **{name: list(map(str, choices)) for name, choices in texts.items()},
    }


def _rule(rule: Member) -> dict[str, Any]:
    return {"kind": rule.kind, "name": rule.name, "file": rule.span.source.name, "line": rule.line}


def _emit_end(path: HintPath, run: HintRun, code: int) -> None:
    from covr.output import stream

    stream.emit(
        "end",
        status=stream.STATUS.get(code, "found"),
        exit=code,
        complete=path.complete,
        steps=len(path),
        open=len(path.open),
        seconds=round(run.clock.spent, 6),
    )
