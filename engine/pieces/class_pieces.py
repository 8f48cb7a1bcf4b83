"""A search for one answer of each class, in pieces: what they need to tell which answers represent their classes.

The first piece is cut at once into the parts of class_cut.py, each of which becomes a piece; pieces that take long are
cut further, like those of any other search (piece.py). A piece passes an answer on if it is the smallest of those of
its images that are met in any part, and gives the smallest image of all, as class_search.py does. This depends on the
parts and on nothing else, so it does not matter in which session, process or order the pieces are searched. But the
parts must be the same throughout: whoever keeps pieces for later has to keep the parts as well.

A count first tries the other way (class_count.py) for `TRIAL` nodes, and goes on with it to the end where that pays.
Like a piece whose memo pays, it is not cut.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from functools import cached_property
from hashlib import blake2b
from threading import Lock
from typing import Any

from attrs import field

from covr.engine.kernels.loading import load
from covr.engine.pieces.class_count import MOST, ClassCount
from covr.engine.pieces.class_cut import ClassPart, Permutation
from covr.engine.pieces.split import Prefix
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.frozen import frozen

TRIAL = 20_000  # nodes for which a count tries the other way


@frozen(eq=False)
class ClassPieces:
    """The parts of a search for one answer of each class. Threads may share it; it can be pickled.

    images: a group of permutations of the options that carry the problem to itself, the identity left out; not empty.
    parts: what `cut_by_group` returned for them.  given: the options that the problem takes anyway.
    """

    images: Sequence[Permutation] = field(repr=False)
    parts: tuple[ClassPart, ...] = field(repr=False)
    given: tuple[int, ...] = field(default=(), repr=False)
    _flat: Any = field(default=None, repr=False)
    _lock: Lock = field(factory=Lock, repr=False, init=False)  # the kernel has room for one answer at a time

    def __reduce__(self) -> tuple[type[ClassPieces], tuple[Any, ...]]:
        return ClassPieces, (self.images, self.parts, self.given)

    @property
    def digest(self) -> str:
        """A checksum of the group."""
        return digest_of_group(self.images)

    @property
    def prefixes(self) -> tuple[Prefix, ...]:
        """The pieces into which the first one is cut, in order."""
        return tuple(part.prefix for part in self.parts)

    def part_of(self, prefix: Prefix) -> int | None:
        """The number of the part to which a piece belongs; None for the first piece."""
        for size in range(1, len(prefix.taken) + 1):
            number = self._numbers.get(prefix.taken[:size])
            if number is not None:
                return number
        return None

    def representatives(self, answers: Sequence[Answer], part: int, smallest: bool) -> list[Answer]:
        """Those of a part's answers that are first of their classes, in the order given; or, if asked, the smallest
        members of these classes. Time: the size of the group for each answer."""
        alone = self.parts[part].alone
        with self._lock:
            if smallest:
                found: list[Answer] = self.kernel.chosen(answers, part, alone)
            else:
                found = list(answers) if alone else self.kernel.firsts(answers, part)
        return found

    def counting(self, problem: Problem, settings: Settings) -> ClassCount | None:
        """The other way to count, which has not begun; None where it does not suit."""
        plain = problem.is_exact and settings.ceiling is None and settings.engine in ("auto", "memo")
        return ClassCount(problem, self.images, settings) if plain and len(self.images) < MOST else None

    @cached_property
    def _numbers(self) -> dict[tuple[int, ...], int]:
        return {part.prefix.taken: number for number, part in enumerate(self.parts)}

    @cached_property
    def kernel(self) -> Any:
        """What compares answers with their images; only one thread at a time may use it."""
        told = [(part.prefix.taken, part.prefix.excluded, part.sort) for part in self.parts]
        return load("_classes").Classes(len(self.images[0]), self.images, told, self._flat, self.given)


def digest_of_group(images: Sequence[Permutation]) -> str:
    """A checksum of a group, the same for equal groups in whatever order. Time and space: its size times the number of
    options."""
    sum = blake2b(digest_size=20)
    for image in sorted(array("q", image).tobytes() for image in images):
        sum.update(image)
    return sum.hexdigest()
