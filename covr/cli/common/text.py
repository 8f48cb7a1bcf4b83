"""Writes answers as pictures in text, which is the default, with the verdict below them."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from covr.cli.common.verdicts import (
    WOULD_LEARN,
    at_goal,
    broken_wishes,
    changed_choices,
    optimum,
    share,
    solutions,
    stopped,
)
from covr.output.report import remark, report
from covr.questions.remarks import reasons

if TYPE_CHECKING:
    from covr.cli.common.asking import Question
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending
    from covr.questions.found import Best


class TextWriter:
    """Writes answers as pictures, with the title over each and the verdict below them."""

    def __init__(self, compiled: Compiled, question: Question) -> None:
        from covr.draw.surface import surface_of

        self.compiled = compiled
        self.question = question
        self.surface = surface_of(sys.stdout)
        self.shown = 0

    def begin(self) -> None:
        """Nothing is written before the first answer."""

    def improved(self, best: Best) -> None:
        """Answers that are only the best so far are not shown."""

    def answer(self, answer: Answer) -> None:
        from covr.draw.styled import Part, clean
        from covr.draw.surface import write
        from covr.draw.text import draw

        self.shown += 1
        title = clean(self.compiled.title)
        if self.question.listed or (self.question.unique and self.shown > 1):
            title = f"{title} (answer {self.shown})" if title else f"answer {self.shown}"
        lines = draw(answer.pictures, self.surface) or [(Part("(nothing is chosen)"),)]
        if title:
            lines = [(Part(title, "title"),), (), *lines]
        if self.shown > 1:
            lines = [(), *lines]
        if answer.broken:
            lines = [*lines, (), *((Part(line),) for line in broken_wishes(answer.broken))]
        if answer.changed is not None and any(answer.changed):
            lines = [*lines, (), *((Part(line),) for line in changed_choices(answer.changed))]
        write(lines, self.surface)
        sys.stdout.flush()

    def end(self, run: Ending, code: int, shown: int) -> None:
        goal = self.compiled.goal
        gap = "\n" if self.shown else ""
        if run.best is not None and goal is not None:
            click.echo(gap + optimum(run.best, goal))
        if self.question.unique and shown > 1:
            click.echo(f"{gap}not unique")
        elif self.question.unique and shown and run.complete:
            click.echo(f"{gap}unique")
        elif not shown and run.complete:
            click.echo("no solution")
            report(reasons(self.compiled))
            if self.compiled.impossible is None:
                from covr.cli.common.hint import why_command

                remark(f"help: `{why_command(self.compiled)}` says why")
        elif self.question.listed and run.complete:
            remark(solutions(shown))
        if run.verified is not None:
            remark(run.verified.words)
        if run.status in ("limit", "interrupted") or run.reached == "answers":
            remark(f"{stopped(run)}{self._where(run)}: {self._unknown(run, shown)}{share(run)}")
            if run.lacks_sat and run.reached == "time":
                remark(f"help: {WOULD_LEARN}")

    def _where(self, run: Ending) -> str:
        """At which of several goals the search was stopped, in words."""
        best = run.best
        return f", at {at_goal(best.stages)}" if best is not None and best.stages and not best.proved else ""

    def _unknown(self, run: Ending, shown: int) -> str:
        """A sentence that says what is not known because the search was stopped."""
        if run.best is not None and not run.best.proved:
            return "whether there is a better solution is not known"
        if not shown:
            return "whether there is a solution is not known"
        if self.question.unique:
            return "whether there is another solution is not known"
        return f"{solutions(shown)} so far; whether there are more is not known"
