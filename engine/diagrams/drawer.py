"""Draws answers uniformly from the diagram of a problem, in the manner of `Drawer` (sample.py), which knows only bounds
of 1: this one knows any bounds and colours, and no other sides."""

from __future__ import annotations

from random import Random

from covr.engine.base.deadline import Deadline
from covr.engine.base.heed import Stopped, look
from covr.engine.base.status import Counters, Status
from covr.engine.checks import Checks
from covr.engine.diagrams.build import DiagramBuilder
from covr.engine.diagrams.diagram import Diagram
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings

ROOM = 256 << 20  # bytes that a diagram may take where it was not asked for, but may save a search


def room(settings: Settings) -> int:
    """How many bytes a diagram may take that was not asked for: no more than the memo of a count."""
    return min(settings.memory, ROOM)


class DiagramDrawer:
    """Draws answers, with replacement. name: of this way.  counters, clock: the nodes made, and the time it took."""

    name = "decision diagram"

    def __init__(self, problem: Problem, settings: Settings) -> None:
        """Raises Unsuited for a problem in which only some options tell answers apart. May raise Stopped
        (heed.py)."""
        self._builder = DiagramBuilder(problem, room(settings), settings.interpreted)
        self._checks = Checks(problem)
        self.clock = Deadline()
        self._diagram: Diagram | None = None
        self._stop = False

    @property
    def counters(self) -> Counters:
        """The work; `answers` is the number of all answers, once they are counted."""
        if self._diagram is None:
            return Counters(nodes=self._builder.nodes)
        return Counters(nodes=len(self._diagram), answers=self._diagram.count)

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self._stop = True

    def total(self) -> int:
        """The number of answers. Builds the diagram: raises TooLarge if it does not fit, and Stopped where whoever is
        heeded asks for it (heed.py)."""
        if self._diagram is None:
            with self.clock:
                self._diagram = self._builder.run()
        return self._diagram.count

    def draw(self, rng: Random) -> Answer:
        """A random answer; all are equally likely. Raises Stopped if interrupted or where whoever is heeded asks for
        it, and ValueError if there are no answers."""
        self.total()
        assert self._diagram is not None
        if self._stop:
            raise Stopped(Status.INTERRUPTED)
        look()
        drawn = self._diagram.draw(rng)
        self._checks([drawn])
        return drawn
