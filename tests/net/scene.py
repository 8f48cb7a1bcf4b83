"""What a check looks at: a draw, its model, and the command in a folder."""

from __future__ import annotations

import random
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from attrs import define
from click.testing import CliRunner, Result

from covr.api.model import Model
from covr.cli.group import cli
from covr.dsl.diagnostics import ModelErrors
from tests.net.drawn import Drawn
from tests.net.kinds import Answer, Choice

EXITS = (0, 1, 2, 3)  # the documented exit codes but that of Ctrl-C


class Wrong(Exception):
    """covr said something that is not so."""


def same(said: object, true: object, what: str) -> None:
    """Raise Wrong unless these are equal."""
    if said != true:
        raise Wrong(f"{what}: covr says {said}, brute force {true}")


def mine(family: str, args: Iterable[object]) -> Choice:
    """A choice of covr's as the draw writes it."""
    return family, tuple(a if isinstance(a, int) else frozenset(a) for a in args)  # type: ignore[call-overload]


def answer_of(choices: Iterable[object]) -> Answer:
    return frozenset(mine(c.family, c.args) for c in choices)  # type: ignore[attr-defined]


def refused(error: ModelErrors, *codes: str) -> bool:
    """Whether an error is a refusal with one of these codes; otherwise raises Wrong."""
    if {d.code for d in error.diagnostics} <= set(codes):
        return True
    raise Wrong(f"refused with {error.diagnostics[0].code}: {error}")


@define(slots=False)
class Scene:
    """drawn: what is true.  text, model: what covr is asked about.  folder: where files may be written."""

    drawn: Drawn
    text: str
    model: Model
    folder: Path
    rng: random.Random

    @cached_property
    def path(self) -> str:
        path = self.folder / "drawn.cover"
        path.write_text(self.text, encoding="utf-8")
        return str(path)

    def covr(self, *args: str) -> Result:
        """Run the command; raises Wrong if it crashes, or ends with an exit code that is not documented."""
        result = CliRunner().invoke(cli, args)
        if result.exception is not None and not isinstance(result.exception, SystemExit):
            raise result.exception
        said = result.stdout + result.stderr
        if result.exit_code not in EXITS or "a mistake in covr itself" in said or "Traceback" in said:
            raise Wrong(f"covr {' '.join(args)}: exit code {result.exit_code}: {said[-1500:]}")
        if result.exit_code == 2 and "error[" not in said and '"error"' not in said and "rror:" not in said:
            raise Wrong(f"covr {' '.join(args)}: exit code 2 without an error: {said[-1500:]}")
        return result
