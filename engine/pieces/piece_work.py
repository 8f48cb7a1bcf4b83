"""The search of one piece, and its answers as bytes."""

from __future__ import annotations

import sys
import zlib
from array import array
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Final

from attrs import evolve

from covr.engine.base.alone import thread_time
from covr.engine.base.limits import BRIEF, COMPILED_STEPS, HEAVY, Status
from covr.engine.check import cost
from covr.engine.pieces.ledger import UP_TO, PieceBudget, PieceResult, Watch
from covr.engine.pieces.split import Prefix
from covr.engine.search import Answer, KernelSearch

if TYPE_CHECKING:
    from covr.engine.pieces.piece import Pieces

# --- packing ---------------------------------------------------------------------------------------------------------
# Answers as bytes: option numbers, packed and compressed, for a file or for another process.
#
#     kind      one byte: how wide a number is, `H` (16 bits) or `I` (32 bits), little-endian
#     size      eight bytes: how many answers
#     numbers   zlib: per answer its length, then the answers' options one after another
#
# What would have more than `MOST` bytes of numbers is packed in several such parts, one after another, and no part with
# more is unpacked: a file that was made up can stand for a thousand times its size.
#
# Compression uses zlib's fastest level: a tiling with 12 pieces takes 5 to 8 bytes. The slowest level saves another
# fifth but takes ten times as long.


LEVEL = 1  # of zlib's compression: the fastest
WIDTHS = "HI"  # the widths of numbers, narrowest first, as codes of `struct` and `array`
HEAD = 9  # bytes before the numbers of a part
MOST = (
    1 << 27
)  # bytes of numbers in a part: ten million answers of a tiling with 12 pieces, and no more memory than that


def pack(answers: Sequence[Sequence[int]]) -> bytes:
    """Answers, each an increasing run of option numbers from 0, as bytes. Linear time."""
    lengths = list(map(len, answers))
    largest = max(chain(lengths, (a[-1] for a in answers if a)), default=0)
    kind = "H" if largest < 1 << 16 else "I"
    most = MOST // array(kind).itemsize
    if len(lengths) + sum(lengths) <= most:
        return _part(kind, lengths, answers)
    parts, begin, held = [], 0, 0
    for end, length in enumerate(lengths):
        if held + 1 + length > most and end > begin:
            parts.append(_part(kind, lengths[begin:end], answers[begin:end]))
            begin, held = end, 0
        held += 1 + length
    return b"".join((*parts, _part(kind, lengths[begin:], answers[begin:])))


def _part(kind: str, lengths: list[int], answers: Sequence[Sequence[int]]) -> bytes:
    numbers = array(kind, chain(lengths, chain.from_iterable(answers)))
    if sys.byteorder == "big":
        numbers.byteswap()
    return kind.encode() + len(answers).to_bytes(8, "little") + zlib.compress(numbers.tobytes(), LEVEL)


def unpack(data: bytes) -> Iterator[tuple[int, ...]]:
    """The answers, in the order in which they were packed; one part is in memory at a time. Raises ValueError if the
    bytes were not made by `pack`."""
    while True:
        kind = data[:1].decode("latin-1")
        if kind not in WIDTHS or len(data) < HEAD:
            raise ValueError("these are no packed answers")
        raw, rest = inflated(data[HEAD:], MOST)
        numbers = array(kind)
        if len(raw) % numbers.itemsize:
            raise ValueError("packed answers are cut off")
        numbers.frombytes(raw)
        del raw
        if sys.byteorder == "big":
            numbers.byteswap()
        size = int.from_bytes(data[1:HEAD], "little")
        end = size
        if len(numbers) < size or len(numbers) != size + sum(numbers[:size]):
            raise ValueError("packed answers are cut off")
        for length in numbers[:size]:
            yield tuple(numbers[end : end + length])
            end += length
        if not rest:
            return
        data = rest


def inflated(data: bytes, most: int) -> tuple[bytes, bytes]:
    """What zlib has compressed, and what comes behind it. Raises ValueError for more than `most` bytes, of which no
    more are unpacked, and for what zlib has not made."""
    unpacker = zlib.decompressobj()
    try:
        found = unpacker.decompress(data, most)
        if not unpacker.eof and unpacker.decompress(unpacker.unconsumed_tail, 1):
            raise ValueError(f"a part unpacks to more than {most:,} bytes")
    except zlib.error as error:
        raise ValueError(f"these are no packed answers: {error}") from None
    if not unpacker.eof:
        raise ValueError("packed answers are cut off")
    return found, unpacker.unused_data


# --- piece work ------------------------------------------------------------------------------------------------------
# The search of one piece, which is judged from time to time and cut if it is too long.
#
# How long a piece takes can only be found by trying. So its search begins, and checks from time to time how much of its
# tree is done. A piece that seems to need many times its *budget* of nodes is cut at once (split.py), so that little
# work is lost; one that seems small enough is continued. If that guess was wrong, the piece is cut after `FAR` budgets.
#
# When a piece is cut, the answers found in it are dropped, because its parts find them again; only the best answer in a
# search for a minimum is kept. A count has a memo. As long as the memo saves at least as many nodes as are
# searched, the piece is not cut at all, because each part would have to compute again what all of them share. Counting
# the dominoes on 18 by 18 squares takes 4 seconds as one piece; in parts, it was not finished after 200 seconds.
#
# A linear program takes as long as a thousand nodes of Dancing Links; a piece that uses one is given seconds instead of
# nodes.
#

LOOKS: Final = 16  # how often per budget a piece checks what the others have found; after the first check it is judged
FAR: Final = 12.0  # budgets: a piece that takes more is cut, and one that is likely to, once a twelfth of a budget is
# spent on it; before that it must be likely to take even more, since early estimates say little
# How many pieces a piece is cut into: at least, where its size is not known, at most, and at most for the first piece.
FEWEST_PARTS, PARTS, MOST_PARTS, MOST_FIRST = 8, 16, 64, 1024
UNEVEN: Final = 4.0  # seconds that such a piece may take before it is cut


class PieceWork:
    """The search of one piece. It is used once."""

    def __init__(
        self, pieces: Pieces, prefix: Prefix, budget: PieceBudget | None, watch: Watch, alone: float | None
    ) -> None:
        self.pieces, self.prefix, self.budget, self.watch, self.alone = pieces, prefix, budget, watch, alone
        self.started = thread_time()
        self.goal, self.keep = pieces.ask.goal, pieces.ask.keep
        self.found: list[Answer] = []
        self.count = 0
        self.best: int | None = None
        self.known_bound: int | None = None  # the lower bound that the watch knows
        self.answer: Answer | None = None
        self.classes = pieces.ask.classes
        self.part = None if self.classes is None else self.classes.part_of(prefix)
        compared = self.classes is not None and self.part is not None and not self.classes.parts[self.part].alone
        self.listing = self.goal != "count" or self.keep is not None or compared
        # The answers of a plain list may be millions, so they are renumbered only once, as they leave the kernel.
        self.renumbered = (
            ((self.goal == "list" and self.keep is None) or compared)
            and pieces.in_order and not pieces.problem.costs
            and pieces.ask.settings.engine != "reference" and pieces.problem.is_pure
        )  # fmt: skip

    def run(self) -> PieceResult:
        """Search the piece to its end, or until it is cut or stopped."""
        if not self.pieces.feasible:
            return PieceResult(True, answers=pack(()) if self.goal == "list" else None)
        self.rest = rest = self.pieces.rest(self.prefix)
        self.ceiling = self.watch.ceiling() if self.goal == "minimum" else None
        self.search = search = self.pieces.start(rest, self.ceiling)
        search.leave_unchecked()
        if not self.listing:
            search.only_count()
        elif self.renumbered:
            assert isinstance(search, KernelSearch), "a list without a goal is searched by one kernel"
            search.renumber(rest.whole)
        step = COMPILED_STEPS if self.budget is None else max(min(self.budget.nodes // LOOKS, COMPILED_STEPS), 1)
        if self.alone is not None:
            step = BRIEF
        if not search.even:
            step = HEAVY
        more = True
        while more:
            more = search.step(step, self.listing)
            self._take()
            if not more:
                break
            nodes, fraction = search.counters.nodes, search.measure()
            self._tell_bound()
            if not self.watch.goes_on(nodes, fraction):
                return self._result(False)
            self._lower()
            if self._is_long(nodes, fraction):
                cut = self.pieces.cut(self.prefix, self._parts(nodes, fraction))
                if cut[0]:
                    return self._cut(*cut)
                self.budget = self.alone = None
        # Not done if the watch stopped it while another order was being prepared.
        return self._result(search.status is Status.EXHAUSTED)

    def _take(self) -> None:
        """Take over the answers of the last slice."""
        answers = self.search.waiting()
        if not self.renumbered:
            answers = [self.pieces.own(self.rest.whole(answer)) for answer in answers]
        if self.goal == "minimum":
            for answer in answers:
                self._better(answer)
            return
        if self.classes is not None and self.part is not None:
            smallest = self.goal == "list" or self.keep is not None
            answers = self.classes.representatives(answers, self.part, smallest)
        if self.keep is not None:
            answers = [answer for answer in answers if self.keep(answer)]
        self.count += len(answers)
        if self.goal == "list":
            self.found += answers

    def _better(self, answer: Answer) -> None:
        value = cost(self.pieces.problem, answer)
        if self.best is None or value < self.best:
            self.best, self.answer = value, answer
            self.watch.found(value, answer)

    def _tell_bound(self) -> None:
        bound = self._bound(False)
        if bound is not None and (self.known_bound is None or bound > self.known_bound):
            self.known_bound = bound
            self.watch.proved(bound)

    def _lower(self) -> None:
        if self.goal != "minimum":
            return
        ceiling = self.watch.ceiling()
        if ceiling is not None and (self.ceiling is None or ceiling < self.ceiling):
            self.ceiling = ceiling
            self.search.lower_ceiling(ceiling - self.rest.cost)

    def _work(self, nodes: int) -> float:
        """How many budgets this many nodes amount to."""
        if self.search.spared >= nodes > 0:
            return 0.0
        if self.alone is not None:
            return (thread_time() - self.started) / max(self.alone, 1e-9)
        if self.budget is None:
            return 0.0
        if not self.search.even:
            return (thread_time() - self.started) / UNEVEN
        return max(nodes / self.budget.nodes, self.count / self.budget.answers if self.goal == "list" else 0)

    def _is_long(self, nodes: int, fraction: float | None) -> bool:
        work = self._work(nodes)
        if self.alone is not None or fraction is None:
            return work >= 1
        if work < 1 / LOOKS:
            return False
        whole = work / max(fraction, 1e-9)
        far = (None if self.budget is None else self.budget.far) or FAR
        return work >= far or whole >= max(1 / work, far)

    def _parts(self, nodes: int, fraction: float | None) -> int:
        if self.alone is not None:
            whole = self._work(nodes) / max(fraction, 1e-6) if fraction else 0.0
            return int(min(max(whole / 2, MOST_PARTS), MOST_FIRST))  # half a second each, alone being a quarter
        if fraction is None:
            return PARTS
        return int(min(max(self._work(nodes) / max(fraction, 1e-3), FEWEST_PARTS), MOST_PARTS))

    def _cut(self, children: tuple[Prefix, ...], weights: tuple[float, ...], nodes: int, updates: int) -> PieceResult:
        result = self._result(False)
        return evolve(
            result, children=children, weights=weights, nodes=nodes, updates=updates, wasted=self.search.counters.nodes
        )

    def _result(self, done: bool) -> PieceResult:
        search = self.search
        assert not done or search.status is Status.EXHAUSTED
        counters = search.counters
        count = self.count if self.listing else counters.answers
        return PieceResult(
            done,
            count=count if done and self.goal != "minimum" else 0,
            answers=pack(self.pieces.arranged(self.found)) if done and self.goal == "list" else None,
            best=self.best,
            answer=self.answer,
            bound=self._bound(done),
            nodes=counters.nodes,
            updates=counters.updates,
            seconds=thread_time() - self.started,
            engine=search.engine + ("" if self.classes is None else UP_TO),
        )

    def _bound(self, done: bool) -> int | None:
        """The lower bound that is proved for the piece. done: whether it was searched to its end."""
        if self.goal != "minimum":
            return None
        known = [b for b in (self.best, None if self.ceiling is None else self.ceiling + 1) if b is not None]
        if done:
            return min(known, default=None)
        root = self.search.bound
        return None if root is None else min([root + self.rest.cost, *known])
