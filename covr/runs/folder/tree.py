"""The pieces of a folder as a tree: those that it began with, and the parts of those that were cut since."""

from __future__ import annotations

from collections.abc import Iterator

from covr.engine.pieces.ledger import Task
from covr.runs.folder.claims import Claims
from covr.runs.folder.head import Head
from covr.runs.folder.results import DamagedResult, read


class PieceTree:
    """The pieces of a folder, as far as they were looked at. What is done or cut stays so, and is read once.

    damaged: the results that can't be read; their pieces count as open.
    """

    def __init__(self, head: Head) -> None:
        self._head = head
        self._over: set[str] = set()  # names of pieces that are done, with all of their parts
        self._parts: dict[str, tuple[Task, ...]] = {}  # per name of a piece that is cut
        self.damaged: dict[str, DamagedResult] = {}

    def open_ones(self, root: Task) -> Iterator[Task]:
        """The pieces below this one that are neither done nor cut, in documented order, as they are when each is
        reached."""
        pending = [root]
        while pending:
            task = pending.pop()
            if not self.is_over(task) and not self._look(task):
                yield task
            if not self.is_over(task):
                pending += reversed(self._parts.get(task.name, ()))

    def free(self, root: Task, claims: Claims) -> Task | None:
        """The first open piece below this one at which nobody is at work; None if there is none."""
        for task in self.open_ones(root):
            if not claims.is_held(self._head.key(task)):
                return task
        return None

    def is_over(self, task: Task) -> bool:
        """Whether the piece is known to be done, with all of its parts."""
        return task.name in self._over

    def _look(self, task: Task) -> bool:
        """Whether the piece is done or cut."""
        parts = self._parts.get(task.name)
        if parts is None:
            try:
                outcome = read(self._head, task)
            except DamagedResult as fault:
                self.damaged[task.name] = fault
                return False
            self.damaged.pop(task.name, None)
            if outcome is None:
                return False
            if outcome.result.done:
                self._over.add(task.name)
                return True
            self._parts[task.name] = parts = outcome.children
        if all(part.name in self._over for part in parts):
            self._over.add(task.name)
        return True
