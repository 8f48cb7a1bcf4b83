"""A search for one answer of each class, in pieces, where the group is too large to be listed.

As class_pieces.py, but with the parts of chain_cut.py. An answer represents its class if it is the smallest of all its
images, whatever part it is found in. So pieces may be searched in any order, and cut further in any way.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from attrs import field

from covr.engine.base.heed import look
from covr.engine.base.limits import Limits
from covr.engine.pieces.chain_cut import cut_by_chain
from covr.engine.pieces.class_count import ClassCount
from covr.engine.pieces.class_cut import ClassPart, Permutation, cut_by_group, flat_images
from covr.engine.pieces.class_pieces import ClassPieces
from covr.engine.pieces.split import Prefix
from covr.engine.plan import CLASSES, Query
from covr.engine.problem import Problem
from covr.engine.search import Answer
from covr.engine.settings import Settings
from covr.engine.symmetries.chain import ChainGroup
from covr.frozen import frozen


@frozen
class ChainComparer:
    """Tells which answers represent their classes, as the kernel `Classes` does for small groups. given: the options
    that every answer has, and that every symmetry carries to each other."""

    group: ChainGroup = field(repr=False)
    given: frozenset[int]

    def is_first(self, answer: Sequence[int], part: int) -> bool:
        """Whether an answer is the smallest of its class."""
        look()
        return self.group.is_smallest(sorted(o for o in answer if o not in self.given))

    def firsts(self, answers: Sequence[Answer], part: int) -> list[Answer]:
        """Those answers that are the smallest of their classes, in the order given."""
        return [answer for answer in answers if self.is_first(answer, part)]

    def chosen(self, answers: Sequence[Answer], part: int, alone: bool) -> list[Answer]:
        """The same, each as an increasing tuple."""
        return [tuple(sorted(answer)) for answer in self.firsts(answers, part)]

    def smallest(self, answer: Sequence[int]) -> Answer:
        """The smallest of the class of an answer for which `is_first` is true."""
        return tuple(sorted(answer))


@frozen(eq=False)
class ChainPieces(ClassPieces):
    """The parts of a search for one answer of each class. Threads may share it; it can be pickled.

    images: not used.  parts: what `cut_by_chain` returned.  group, given: as in `ChainComparer`.
    """

    group: ChainGroup = field(kw_only=True, repr=False)

    def __reduce__(self) -> tuple[object, tuple[ChainGroup, tuple[ClassPart, ...], tuple[int, ...]]]:  # type: ignore[override]
        return _pieces, (self.group, self.parts, self.given)

    def part_of(self, prefix: Prefix) -> int | None:
        """A number, the same for all pieces; None for the first piece, unless that is the only part."""
        return None if prefix == Prefix() != self.parts[0].prefix else 0

    def representatives(self, answers: Sequence[Answer], part: int, smallest: bool) -> list[Answer]:
        """Those of a part's answers that are the smallest of their classes, in the order given."""
        return self.kernel.chosen(answers, part, False) if smallest else self.kernel.firsts(answers, part)

    @property
    def kernel(self) -> ChainComparer:
        """What compares answers with their images. Any number of threads may use it."""
        return ChainComparer(self.group, frozenset(self.given))

    def counting(self, problem: Problem, settings: Settings) -> ClassCount | None:
        """None: the members of the group are not listed, so that Burnside's lemma does not help."""
        return None

    @property
    def digest(self) -> str:
        """A checksum of the group, the same for the same generators."""
        return digest_of_chain(self.group)


def _pieces(group: ChainGroup, parts: tuple[ClassPart, ...], given: tuple[int, ...]) -> ChainPieces:
    return ChainPieces((), parts, given, group=group)


def pieces_of(problem: Problem, group: Sequence[Permutation] | ChainGroup, settings: Settings) -> ClassPieces | None:
    """The parts of a search for one answer of each class; None where it can't handle this problem or these settings, so
    that the caller has to sort the answers into classes.

    group: of permutations of the options that carry the problem to itself: all but the identity, or, where there are
    too many to be listed, as a chain. Raises Stopped where a limit of the calling search is met.
    """
    if not group or CLASSES.against(Query(problem, "all", Limits(), settings)) is not None:
        return None
    if isinstance(group, ChainGroup):
        parts = cut_by_chain(problem, group)
        return _pieces(group, parts, problem.given) if parts else None
    flat = flat_images(problem, group)
    parts = cut_by_group(problem, group, flat)
    return ClassPieces(group, parts, problem.given, flat) if parts else None


def digest_of_chain(group: ChainGroup) -> str:
    """A checksum of a group: of its order and of the least points of its orbits under the members that fix 0, 1, … of
    the first points, until nothing moves. Equal groups have equal checksums, whatever their generators."""
    sum = blake2b(str(group.order).encode("ascii"), digest_size=20)
    fixed: list[int] = []
    while group.order_fixing(fixed) > 1:
        lows = group.lows(fixed)
        sum.update(repr(lows).encode("ascii"))
        fixed.append(next(p for p in range(group.degree) if p not in fixed and lows.count(lows[p]) > 1))
    return sum.hexdigest()
