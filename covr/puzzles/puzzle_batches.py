"""Solves a collection of puzzles in batches: from the characters of a record to options, and from options to a line.

To evaluate data, start a search and draw an answer takes milliseconds, the search microseconds. If each clue determines
its given choices independently of the others (compiler/clues.py), this work is done once for each clue and mark.
Anything unusual is left to the ordinary way, record by record.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from threading import Event

from covr.compiler import Compiled
from covr.compiler.clues import FAULTY, UNKNOWN, Entries, find_entries
from covr.compiler.display.prints import Picture
from covr.compiler.display.show import option_marks
from covr.draw.text import EMPTY
from covr.engine.batch import BatchResult, BatchTemplate
from covr.engine.kernels.loading import load
from covr.questions.answer import Answer
from covr.questions.options import Options

# Nodes per record. A record that takes more is solved in the ordinary way, which can choose among more kinds of search.
BUDGET = 50_000


class Quick:
    """Solves many records of one param in batches. Made by `find_quick`."""

    def __init__(self, compiled: Compiled, entries: Entries, limit: int) -> None:
        self._compiled = compiled
        self._entries = entries
        self._template = BatchTemplate(entries.base.problem, limit=limit, budget=BUDGET)
        self._spell = load("_spell")
        self.lines = PuzzleLines(compiled)

    @property
    def native(self) -> bool:
        """Whether the kernel solves whole batches, so that batches are worthwhile."""
        return self._template.native

    def read(self, grids: Sequence[str | None]) -> tuple[array[int], array[int], list[bool], list[str]]:
        """Read grids that have one character for each place. Returns the given options in the form that `solve` takes;
        per grid, whether it could be read here, as the others must be read in the ordinary way; and per grid, the
        characters that make it faulty."""
        entries, size = self._entries, self._entries.rows * self._entries.columns
        quick = [g is not None and len(g) == size and g.isascii() for g in grids]
        faulty = [""] * len(quick)
        read = [g for g, good in zip(grids, quick, strict=True) if good and g is not None]
        givens, unread = self._spell.read("".join(read).encode("ascii"), size, entries.table)
        if unread:
            entries.learn(sorted(set().union(*(read[k] for k in unread))))
            givens, unread = self._spell.read("".join(read).encode("ascii"), size, entries.table)
            numbers = [k for k, good in enumerate(quick) if good]
            kept, left = array("i"), set(unread)
            for k, number in enumerate(numbers):
                given = givens[k * size : (k + 1) * size]
                if k not in left:
                    kept.extend(given)
                    continue
                quick[number] = False
                faulty[number] = "".join(sorted({c for c, o in zip(read[k], given, strict=True) if o == FAULTY}))
            givens = kept
        return givens, array("i", range(0, len(givens) + 1, size)), quick, faulty

    def gives(self, grid: str) -> frozenset[int] | None:
        """The options that a grid gives; None if it can't be read here."""
        givens, _, quick, _ = self.read([grid])
        return frozenset(o for o in givens if o >= 0) if quick[0] else None

    def solve(self, givens: array[int], begin: array[int], stop: Event | None = None) -> BatchResult:
        """Solve one chunk; see BatchTemplate.solve_flat."""
        return self._template.solve_flat(givens, begin, stop)


def find_quick(
    compiled: Compiled, name: str, limit: int | None, options: Options, word: Callable[[str], str] = str
) -> Quick | None:
    """A `Quick` for records of a param, or None if it would not answer the question exactly as the ordinary way does.
    word: turns a character of a grid into the word that it stands for."""
    plain = options == Options(jobs=options.jobs)
    if limit is None or not plain or compiled.goal is not None or compiled.has_symmetry:
        return None
    entries = find_entries(compiled, name)
    if entries is None:
        return None
    entries.word = word
    quick = Quick(compiled, entries, limit)
    return quick if quick.native else None


class PuzzleLines:
    """Draws answers of a model on one line each, exactly as `Answer.line` does."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._spell = load("_spell")
        self._place = array("i", [UNKNOWN]) * compiled.problem.options
        self._letter = array("B", bytes(compiled.problem.options))
        self._number: dict[tuple[int, ...], int] = {}
        self._blank = b""
        pictures = compiled.pictures(())
        if len(pictures) == 1 and pictures[0].axes:
            self._lay_out(pictures[0])

    def _lay_out(self, board: Picture) -> None:
        number = {place: k for k, place in enumerate(sorted(board.places))}
        cells = [EMPTY] * len(number)
        for mark in board.marks:
            if mark.option >= 0 or not mark.given:
                cells[number[mark.at]] = mark.text.replace(" ", "") or EMPTY
        if all(_is_letter(cell) for cell in cells):
            self._number, self._blank = number, "".join(cells).encode("ascii") + b"\n"

    def _learn(self, option: int) -> None:
        marks = option_marks(self._compiled.drawings, self._compiled.lowered.option_choices[option])
        if len(marks) == 1:
            at, text = marks[0][0], marks[0][1].replace(" ", "") or EMPTY
            if at in self._number and _is_letter(text):
                self._place[option] = self._number[at]
                self._letter[option] = ord(text)

    def __call__(self, result: BatchResult) -> list[str]:
        """A line for each answer, in order."""
        if not self._blank:
            return [self._drawn(result, k) for k in range(len(result.ends))]
        args = (result.options, result.ends, self._place, self._letter, self._blank)
        text, unwritten = self._spell.write(*args)
        if unwritten:
            for option in set().union(*(_answer(result, k) for k in unwritten)):
                if self._place[option] == UNKNOWN:
                    self._learn(option)
            text, unwritten = self._spell.write(*args)
        lines: list[str] = text.decode("ascii").split("\n")[:-1]
        for k in unwritten:
            lines[k] = self._drawn(result, k)
        return lines

    def of(self, answer: Answer) -> str:
        """The line of one answer. A hundred times faster than `Answer.line` if every option is shown as one letter."""
        if not self._blank:
            return answer.line
        options = answer.options
        return self(BatchResult((1,), array("q", [len(options)]), array("i", options)))[0]

    def _drawn(self, result: BatchResult, number: int) -> str:
        return Answer(self._compiled, _answer(result, number)).line


def _answer(result: BatchResult, number: int) -> tuple[int, ...]:
    begin = result.ends[number - 1] if number else 0
    return tuple(result.options[begin : result.ends[number]])


def _is_letter(text: str) -> bool:
    return len(text) == 1 and text.isascii() and text.isprintable()
