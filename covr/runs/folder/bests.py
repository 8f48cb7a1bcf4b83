"""The better answers of a search for a minimum: one file for each, named by its cost, which all processes read.

An answer is checked before anything is proved with its help: a damaged file only costs time.
"""

from __future__ import annotations

import json
import time
from contextlib import suppress
from pathlib import Path

from covr.engine.check import check, cost
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.runs.folder.files import names, read_whole, sealed, unsealed, write_once, write_over
from covr.runs.folder.head import ASIDE, BESTS, Head

KIND = b"covr best 1\n"
LOOK = 2.0  # seconds between two looks for what others have found


class Bests:
    """The best answer of a folder, as far as it is known here. problem: what answers are checked against; None to trust
    their checksums."""

    def __init__(self, head: Head, problem: Problem | None) -> None:
        self._folder, self._problem = head.folder / BESTS, problem
        self.cost: int | None = None
        self.answer: Answer | None = None
        self.damaged: set[Path] = set()
        self._looked = float("-inf")
        self._seen: set[str] = set()
        if head.best is not None:
            self._take(head.best.cost, head.best.answer)

    def look(self, at_once: bool = False) -> None:
        """Take over what others have found, if some seconds are over since the last look."""
        now = time.monotonic()
        if now - self._looked < LOOK and not at_once:
            return
        self._looked = now
        for name in names(self._folder):
            if name not in self._seen and not name.endswith(ASIDE):
                self._seen.add(name)
                self._read(self._folder / name)

    def offer(self, value: int, answer: Answer) -> bool:
        """Write down an answer if it is better than what is known. Raises OSError."""
        if self.cost is not None and value >= self.cost:
            return False
        data = sealed(KIND, json.dumps([value, list(answer)]).encode())
        path = self._folder / str(value)
        if not write_once(path, data) and not self._read(path):
            write_over(path, data)
        self._take(value, answer)
        return True

    def _read(self, path: Path) -> bool:
        try:
            value, options = json.loads(unsealed(KIND, read_whole(path))[0])
            answer = tuple(options)
            if str(value) != path.name or not all(type(one) is int for one in (value, *answer)):
                raise ValueError("it has another's name")
            if self._problem is not None and (
                check(self._problem, answer) is not None or cost(self._problem, answer) != value
            ):
                raise ValueError("it is no answer of that cost")
        except FileNotFoundError:
            return False
        except (OSError, ValueError, TypeError, IndexError, OverflowError, RecursionError):
            self.damaged.add(path)
            return False
        with suppress(KeyError):
            self.damaged.remove(path)
        self._take(value, answer)
        return True

    def _take(self, value: int, answer: Answer) -> None:
        if self.cost is None or value < self.cost:
            self.cost, self.answer = value, answer
