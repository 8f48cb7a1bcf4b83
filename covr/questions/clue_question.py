"""Whether some of the clues of an answer leave it the only one: asked by switches, and of the model itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler.clues import ClueReader
from covr.engine.base.heed import Stopped
from covr.engine.base.status import Status
from covr.engine.check import check
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import Unit, flat, leave_out
from covr.engine.search import Answer
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value
    from covr.questions.clue_maker import ClueMaker

MOST_RIVALS = 4000  # rivals of one answer that are kept, at most
ASKED_APART = 12  # rivals that are looked for to see what all have in common


@frozen
class Apart:
    """Two answers that the same clues leave. common: what an answer of the blank model has of what both share.  size:
    how many choices only one of them has."""

    common: frozenset[int]
    size: int


class ClueQuestion:
    """Whether some of the clues of one answer of the blank model leave it the only one. told: all its clues."""

    def __init__(self, maker: ClueMaker, answer: Answer) -> None:
        self._maker = maker
        self.answer = answer
        self.told: Sequence[Value | None] = maker.reader.told(answer)
        self._rivals: list[frozenset[int]] = []  # for each rival, the spots whose clue is another there
        self.rivals = maker.rivals(answer, self.told)

    # --- by switches ---

    def switched_out(self, units: Sequence[Unit]) -> list[int] | None:
        """The clues that are left if units are left out, the last first, and with each whatever else was not needed to
        see that it can go; None without switches. Raises Stopped."""
        if self.rivals is None:
            return None
        waiting = list(units)
        kept: list[Unit] = []
        rival = self._other(flat(waiting))
        if rival is None:
            waiting = self._needed(waiting)
        elif self._leave_a_rival(rival, flat(waiting)):
            return None
        while waiting:
            tried = waiting.pop()
            left = flat(kept) + flat(waiting)
            rival = self._other(left)
            if rival is None:
                waiting = self._needed(waiting)
            elif self._leave_a_rival(rival, left):
                kept.append(tried)
        return flat(kept)

    def _leave_a_rival(self, rival: Sequence[int], clues: Sequence[int]) -> bool:
        """Whether these clues leave a rival: this one, which switches say they leave, or any by the compiled model."""
        return self._stands(rival, clues) or not self.enough(clues)

    def _stands(self, rival: Sequence[int], clues: Sequence[int]) -> bool:
        """Whether a rival is one, whatever is thought of switches: an answer of the blank model with the same clues."""
        unlike = self._unlike(rival)
        return unlike is not None and unlike.isdisjoint(clues)

    def _unlike(self, rival: Sequence[int]) -> frozenset[int] | None:
        """The spots whose clue a rival has otherwise; None if it is no answer of the blank model."""
        assert self.rivals is not None
        part = self._completed(self.rivals.blank_part(rival))
        if check(self._maker.asked.problem, part) is not None:
            return None
        return self._other_clues(self._maker.reader.told(part))

    def _other_clues(self, told: Sequence[Value | None]) -> frozenset[int]:
        return frozenset(at for at, (a, b) in enumerate(zip(self.told, told, strict=True)) if a != b)

    def _completed(self, part: Iterable[int]) -> Answer:
        """The same with the options that clues take away and that items of the blank model want."""
        problem, rivals = self._maker.asked.problem, self.rivals
        assert rivals is not None
        taken = set(part)
        held = Counter(i for o in taken for i in problem.option(o))
        for o in range(problem.options):
            own = problem.option(o)
            if o in taken or not rivals.taken_away(o) or all(held[i] >= problem.low[i] for i in own):
                continue
            if all(held[i] < problem.high[i] for i in own):
                taken.add(o)
                held.update(own)
        return tuple(sorted(taken))

    def _needed(self, units: Sequence[Unit]) -> list[Unit]:
        """Those of these units that the last question needed to find no rival."""
        assert self.rivals is not None
        core = self.rivals.core
        return [unit for unit in units if not core.isdisjoint(unit)]

    def _other(self, clues: Sequence[int], lacking: Iterable[int] = ()) -> tuple[int, ...] | None:
        """A rival with these clues, by switches, which lacks one of the options in `lacking`, if there are any. Raises
        Stopped."""
        rivals, asked = self.rivals, self._maker.asked
        assert rivals is not None
        asked.heed()
        asked.questions += 1
        before = rivals.nodes
        found = rivals.other(clues, asked.nodes_left, lacking)
        asked.nodes += rivals.nodes - before
        if not rivals.settled:
            asked.heed()
            raise Stopped(Status.LIMIT)
        return found

    def apart_switched(self, clues: Sequence[int]) -> Apart | None:
        """What the answer has in common with every rival that these clues leave, or with the first ones; None if they
        leave none."""
        rival = self._other(clues)
        if rival is None or not self._leave_a_rival(rival, clues):
            return None
        rivals = self.rivals
        assert rivals is not None
        safe = {o for o in self.answer if rivals.taken_away(o)}
        common = set(self.answer) - safe
        for _ in range(ASKED_APART):
            common &= rivals.blank_part(rival)
            if not common:
                break
            rival = self._other(clues, common)
            if rival is None:
                break
        return Apart(frozenset(common | safe), len(self.answer) - len(common | safe))

    def only(self, clues: Sequence[int]) -> bool:
        """Whether these clues leave the answer the only one; by switches, if there are any."""
        if self.rivals is None:
            return self.enough(clues)
        rival = self._other(clues)
        return rival is None or not self._leave_a_rival(rival, clues)

    # --- by compiling the model ---

    def enough(self, clues: Sequence[int]) -> bool:
        """Whether the model with these clues has one answer. Raises Stopped."""
        given = set(clues)
        if any(given.isdisjoint(unlike) for unlike in self._rivals):
            return False
        maker = self._maker
        compiled = self._compiled(clues)
        found = self.answers(bare(compiled.problem))
        if not found:
            return False
        reader = ClueReader(compiled, maker.spots)
        if len(found) == 1:  # it is another one where what is left out says something, too
            return list(reader.told(found[0])) == list(self.told)
        for answer in found:
            unlike = self._other_clues(reader.told(answer))
            if unlike and given.isdisjoint(unlike) and len(self._rivals) < MOST_RIVALS:
                self._rivals.append(unlike)
        return False

    def unlike(self, clues: Sequence[int]) -> frozenset[int] | None:
        """The spots whose clue another answer with these clues has otherwise, which may be none if the model says that
        these clues are not enough for another reason; None if they leave no other answer. By switches, if there are
        any, which may be wrong of `None`. Raises Stopped."""
        if self.rivals is not None:
            rival = self._other(clues)
            if rival is None:
                return None
            unlike = self._unlike(rival)
            if unlike and unlike.isdisjoint(clues):
                return unlike
        compiled = self._compiled(clues)
        found = self.answers(bare(compiled.problem))
        reader = ClueReader(compiled, self._maker.spots)
        others = [self._other_clues(reader.told(answer)) for answer in found]
        if len(found) == 1 and not others[0]:
            return None
        return next((unlike for unlike in others if unlike), frozenset())

    def alone(self, clues: Sequence[int]) -> bool:
        """Whether the model with these clues has one answer, this one; nothing that is known of rivals is used. Raises
        Stopped."""
        compiled = self._compiled(clues)
        found = self.answers(bare(compiled.problem))
        return len(found) == 1 and list(ClueReader(compiled, self._maker.spots).told(found[0])) == list(self.told)

    def thinned(self, units: Sequence[Unit]) -> list[int]:
        """The clues that are left if units are left out, the last first, as long as the rest is enough. What is left is
        minimal. Raises Stopped."""
        kept = self.switched_out(units)
        if kept is None or not self.enough(kept):
            self.rivals = None
            kept = flat(leave_out(list(units), self.enough))
        return kept

    def apart(self, clues: Sequence[int]) -> Apart:
        """Two answers of the model with these clues, which are not enough."""
        compiled, blank = self._compiled(clues), self._maker.blank
        found = self.answers(bare(compiled.problem))
        sets = [{(c.family, c.args) for c in compiled.choices(a)} for a in found]
        shared = set.intersection(*sets) if sets else set()
        families = compiled.lowered.families
        kept = []
        for o in self.answer:
            choice = blank.choice(o)
            known = choice.family in families and compiled.option(choice.family, choice.args) is not None
            if not known or (choice.family, choice.args) in shared:
                kept.append(o)
        return Apart(frozenset(kept), len(set.union(*sets) - shared) if sets else 0)

    def problem(self, clues: Sequence[int]) -> Problem:
        """The problem of the model with these clues."""
        return bare(self._compiled(clues).problem)

    def _compiled(self, clues: Sequence[int]) -> Compiled:
        return self._maker.with_some(self.told, clues)

    def answers(self, problem: Problem) -> list[Answer]:
        """Two answers of a problem, or all there are. Raises Stopped."""
        asked = self._maker.asked
        asked.heed()
        asked.questions += 1
        return asked.two(problem)


def bare(problem: Problem) -> Problem:
    """The problem without costs and names, which do not matter here."""
    return evolve(problem, costs=(), item_names=(), option_names=())
