"""An order of puzzles whose clues are data that rules read, for other processes: they compile the model themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from attrs import evolve, field

from covr.compiler.compiled_model import compile_model
from covr.compiler.evaluate.limits import CompileLimits
from covr.engine.base.limits import Limits
from covr.engine.settings import Settings
from covr.frozen import frozen
from covr.questions.clue_maker import ClueMaker
from covr.questions.puzzle_run import Wish

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value
    from covr.dsl.syntax import CheckedModel


@frozen
class ClueOrder:
    """What puzzles are to be like. It can be pickled.

    model: the statements, with those of its libraries.  data: the values of all params, so that no file is read again.
    wish: without the user's test of each puzzle."""

    model: CheckedModel = field(repr=False)
    data: Mapping[str, Value] = field(repr=False)
    compiling: CompileLimits
    seed: int
    wish: Wish

    def maker(self, limits: Limits, settings: Settings) -> ClueMaker:
        """What makes attempts at such puzzles. Takes the time of compiling the model twice, once without clues."""
        compiled = compile_model(self.model, self.data, limits=self.compiling)
        return ClueMaker(compiled, limits, settings, self.seed, self.wish)


def clue_order(compiled: Compiled, seed: int, wish: Wish) -> ClueOrder:
    """The order of puzzles of a compiled model."""
    data = {name: value for name, _, _, value in compiled.parameters}
    return ClueOrder(compiled.model, data, compiled.scope.limits, seed, evolve(wish, fits=None))


__all__ = ["ClueOrder", "clue_order"]
