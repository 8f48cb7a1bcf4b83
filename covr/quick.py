"""A collection of puzzles, solved in batches: from the characters of a record to options, from options to a line.

What covr does for one puzzle — evaluate its data, start a search, draw the answer — takes milliseconds, the search
itself microseconds. Where a model lets each clue decide for itself (see compiler/entries.py), the work is done once
for each clue and each mark that occurs. Anything out of the ordinary is left to the ordinary way, record by record:
then `add` says False, or a count is UNKNOWN, or `line` is drawn.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from operator import getitem
from threading import Event
from typing import Any

from covr.answer import Answer
from covr.compiler import Compiled
from covr.compiler.entries import Entries, find_entries
from covr.compiler.show import option_marks
from covr.draw.compact import EMPTY
from covr.draw.styled import clean
from covr.engine.batch import BatchResult, Template
from covr.options import Options

# Nodes after which a record is left to the ordinary way, which knows more ways to search.
BUDGET = 50_000


class Quick:
    """Many records of one param. Made by `find_quick`.

    line: an answer on one line, as `Answer.line` draws it.
    """

    def __init__(self, compiled: Compiled, entries: Entries, limit: int) -> None:
        self._compiled = compiled
        self._entries = entries
        self._template = Template(entries.base.problem, limit=limit, budget=BUDGET)
        self.line = Lines(compiled)

    @property
    def native(self) -> bool:
        """Whether this is worth while."""
        return self._template.native

    def add(self, text: str, givens: array[int]) -> bool:
        """Add what a record gives to `givens`; False, and nothing added, for one that must be read with care."""
        characters = self._entries.flat(text)
        if characters is None or characters.startswith("@"):
            return False
        size = len(givens)
        try:
            givens.extend(map(getitem, self._entries.places, characters))
        except KeyError:
            del givens[size:]
            self._entries.learn(sorted(set(characters)))
            try:
                givens.extend(map(getitem, self._entries.places, characters))
            except KeyError:
                del givens[size:]
                return False
        return True

    def solve(self, givens: array[int], begin: array[int], stop: Event | None = None) -> BatchResult:
        """One chunk; see Template.solve_flat."""
        return self._template.solve_flat(givens, begin, stop)


def find_quick(compiled: Compiled, name: str, limit: int | None, options: Options) -> Quick | None:
    """The batch way for records of a param, where it answers the question exactly as the ordinary way does."""
    plain = options == Options(jobs=options.jobs)
    if limit is None or not plain or compiled.goal is not None or compiled.has_symmetry:
        return None
    entries = find_entries(compiled, name)
    if entries is None:
        return None
    quick = Quick(compiled, entries, limit)
    return quick if quick.native else None


class Lines:
    """Answers of a model on one line each."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        pictures = compiled.pictures(())
        self._board = pictures[0] if len(pictures) == 1 and pictures[0].axes else None
        self._at: dict[int, int] = _Lazy(self._learn)
        self._text: dict[int, str] = _Lazy(self._learn)
        if self._board is not None:
            places = sorted(self._board.places)
            self._number = {place: k for k, place in enumerate(places)}
            self._every = list(range(len(places)))
            self._blank = [EMPTY] * len(places)
            for mark in self._board.marks:
                self._blank[self._number[mark.at]] = mark.text.replace(" ", "") or EMPTY

    def _learn(self, option: int) -> None:
        """Where an option is shown, and how; -1 where it is not shown at one place of the board."""
        marks = option_marks(self._compiled.drawings, self._compiled.lowered.option_choices[option])
        at, text = -1, ""
        if len(marks) == 1:
            at, text = self._number.get(marks[0][0], -1), marks[0][1].replace(" ", "") or EMPTY
        self._at[option], self._text[option] = at, text

    def __call__(self, options: Sequence[int]) -> str:
        if self._board is not None:
            at = [*map(self._at.__getitem__, options)]
            if at == self._every:
                cells = [*map(self._text.__getitem__, options)]
                joined = "".join(cells)
            elif -1 not in at and len(set(at)) == len(at):
                cells = self._blank.copy()
                for k, option in zip(at, options, strict=True):
                    cells[k] = self._text[option]
                joined = "".join(cells)
            else:
                return Answer(self._compiled, tuple(options)).line
            return clean(joined if len(joined) == len(cells) else " ".join(cells))
        return Answer(self._compiled, tuple(options)).line


class _Lazy(dict[int, Any]):
    """Values that are worked out when they are first asked for."""

    def __init__(self, learn: Callable[[int], None]) -> None:
        super().__init__()
        self._learn = learn

    def __missing__(self, key: int) -> Any:
        self._learn(key)
        return self[key]
