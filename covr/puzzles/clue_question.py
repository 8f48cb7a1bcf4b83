"""Whether some of the clues of an answer leave it the only one, and the fewest that do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from random import Random
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler.clues import ClueReader
from covr.engine.base.limits import LimitReached, Status, with_limit_checks
from covr.engine.check import check
from covr.engine.outside.clingo_answers import OtherAnswers, Switch, Switched, TakenOptions, Untaken
from covr.engine.problem import Problem
from covr.engine.puzzles.clues import Uniqueness, Unit, flat, leave_out
from covr.engine.puzzles.fewest_clues import FewestSearch
from covr.engine.search import Answer
from covr.frozen import frozen
from covr.puzzles.clue_rows import ChoiceNumbers, Row, RowContent, RuleWords
from covr.puzzles.clue_switches import Cause, SwitchedRules

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.values import Value
    from covr.puzzles.clue_maker import ClueMaker


class ClueRivals:
    """Looks for rivals of one answer of the blank model by one clingo in which clues are switched.
    nodes: conflicts and questions so far."""

    def __init__(self, rules: SwitchedRules, answer: Answer, names: ChoiceNumbers, stopped: Callable[[], bool]) -> None:
        """names: whose first model is the blank one. Raises Unsuited and LimitReached as `OtherAnswers` does."""
        self._rules = rules
        self._blank = blank = names.first
        self._words = RuleWords(names.in_order(rules.options))
        self._wide, self._local = self._words.wide, self._words.local
        self._spots = sorted({at for cause in self._causes() for at in cause.needs | cause.without})
        self._switch = {at: k for k, at in enumerate(self._spots, 1)}
        own = set(answer)
        # What the answer has and a clue takes away is missing from every answer with that clue, and tells nothing.
        telling = [o for o in self._wide if o < blank and not (o in own and rules.options[o].without)]
        self._asked = OtherAnswers(
            self._words.always(rules),
            [*self._switched()],
            [self._local[o] for o in answer],
            [self._local[o] for o in telling],
            stopped,
        )

    @property
    def nodes(self) -> int:
        return self._asked.nodes

    @property
    def settled(self) -> bool:
        """Whether the last question was answered."""
        return self._asked.settled

    @property
    def core(self) -> frozenset[int]:
        """The clues that leave the answer the only one; after a question that found no rival."""
        return frozenset(self._spots[s - 1] for s in self._asked.core)

    def other(self, clues: Iterable[int], nodes: int | None, lacking: Iterable[int] = ()) -> tuple[int, ...] | None:
        """A rival that these clues leave, which lacks one of the options in `lacking`, if there are any; None if there
        is none, or if `settled` is false. Options of the blank model have their numbers, and others higher ones."""
        on = [self._switch[at] for at in clues if at in self._switch]
        found = self._asked.ask(on, nodes, [self._local[o] for o in lacking])
        return None if found is None else tuple([self._wide[k] for k in found])

    def blank_part(self, rival: Sequence[int]) -> frozenset[int]:
        """The options of the blank model that a rival takes."""
        return frozenset(o for o in rival if o < self._blank)

    def taken_away(self, option: int) -> bool:
        """Whether a clue takes an option away."""
        return bool(self._rules.options[option].without)

    # --- the rules, in the engine's words ---

    def _causes(self) -> Iterator[Cause]:
        yield from self._rules.options.values()
        for _, cause in self._rules.rows.values():
            yield cause

    def _switched(self) -> Iterator[Switched]:
        for o in with_limit_checks(self._wide):
            cause = self._rules.options[o]
            for at in cause.needs:
                yield Switched((-self._switch[at],), Untaken(self._local[o]))
            for at in cause.without:
                yield Switched((self._switch[at],), Untaken(self._local[o]))
        for content, cause in with_limit_checks(self._rules.rows.values()):
            if not cause.switched:
                continue
            when = *(self._switch[at] for at in cause.needs), *(-self._switch[at] for at in cause.without)
            yield Switched(when, self._words.rule(content))


# --- clue open -------------------------------------------------------------------------------------------------------


class OpenChoices:
    """Finds the choices that some answer with the same clues takes and the known answer does not.
    Serves one answer after another while the other rules stay the same. nodes: conflicts and questions so far."""

    def __init__(self, rules: SwitchedRules, names: ChoiceNumbers, stopped: Callable[[], bool]) -> None:
        """names: whose first model is the blank one. Raises Unsuited and LimitReached as `TakenOptions` does."""
        self._rules = rules
        self._always = _always(rules)
        self._words = RuleWords(names.in_order(rules.options))
        self._asked = TakenOptions(self._words.always(rules), names.first, stopped)
        self._rows: dict[Row, list[tuple[RowContent, Switch]]] = {}
        self._out: dict[int, Switch] = {}

    @property
    def nodes(self) -> int:
        return self._asked.nodes

    @property
    def settled(self) -> bool:
        """Whether the last question was answered in full."""
        return self._asked.settled

    def suits(self, rules: SwitchedRules) -> bool:
        """Whether these rules are those of before, but for the rows that clues bring."""
        return rules.options.keys() == self._rules.options.keys() and _always(rules) == self._always

    def of(
        self, rules: SwitchedRules, clues: frozenset[int], answer: Collection[int], most: int | None, nodes: int
    ) -> frozenset[int] | None:
        """The open options of the blank model, or those found with these nodes, as `settled` says; None if more than
        `most`.
        clues: the spots of all clues that the answer has."""
        self._write(rules, clues)
        on = [self._out[o] for o, cause in rules.options.items() if not cause.met(clues)]
        for row, (content, cause) in rules.rows.items():
            if cause.switched and cause.met(clues):
                on.append(next(switch for known, switch in self._rows[row] if _same(known, content)))
        own = frozenset(answer)
        known = [self._words.local[o] for o in answer if rules.options[o].met(clues)]
        found = self._asked.ask(on, known, None if most is None else most + len(known), nodes)
        return None if found is None else found - own

    def _write(self, rules: SwitchedRules, clues: frozenset[int]) -> None:
        out = [o for o, cause in rules.options.items() if o not in self._out and not cause.met(clues)]
        rows = [
            (row, content)
            for row, (content, cause) in rules.rows.items()
            if cause.switched
            and cause.met(clues)
            and not any(_same(known, content) for known, _ in self._rows.get(row, ()))
        ]
        if not out and not rows:
            return
        words = self._words
        made = self._asked.switches(
            [*(Untaken(words.local[o]) for o in out), *(words.rule(content) for _, content in rows)]
        )
        for o, switch in zip(out, made[: len(out)], strict=True):
            self._out[o] = switch
        for (row, content), switch in zip(rows, made[len(out) :], strict=True):
            self._rows.setdefault(row, []).append((content, switch))


def _always(rules: SwitchedRules) -> dict[Row, RowContent]:
    return {row: content for row, (content, cause) in rules.rows.items() if not cause.switched}


def _same(one: RowContent, other: RowContent) -> bool:
    return one is other or (one == other and one.edges == other.edges)


# --- clue question ---------------------------------------------------------------------------------------------------


MOST_RIVALS = 4000  # rivals of one answer that are kept, at most
ASKED_APART = 12  # rivals that are looked for to see what all have in common


@frozen
class Apart:
    """Two answers that the same clues leave.
    common: what an answer of the blank model has of what both share.  size: how many choices only one of them has."""

    common: frozenset[int]
    size: int


class ClueQuestion:
    """Whether some of the clues of one answer of the blank model leave it the only one. clue_values: all its clues."""

    def __init__(self, maker: ClueMaker, answer: Answer) -> None:
        self._maker = maker
        self.answer = answer
        self.clue_values: Sequence[Value | None] = maker.reader.clue_values(answer)
        self._rivals: list[frozenset[int]] = []  # for each rival, the spots whose clue is another there
        self.rivals = maker.rivals(answer, self.clue_values)

    # --- by switches ---

    def switched_out(self, units: Sequence[Unit]) -> list[int] | None:
        """The clues that are left if units are left out, the last first, and with each whatever else was not needed to
        see that it can go; None without switches. Raises LimitReached."""
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
        """Whether these clues leave a rival: this one, which switches found, or any by the compiled model."""
        return self._stands(rival, clues) or not self.enough(clues)

    def _stands(self, rival: Sequence[int], clues: Sequence[int]) -> bool:
        """Whether a rival is an answer of the blank model with the same clues, by the model itself."""
        unlike = self._unlike(rival)
        return unlike is not None and unlike.isdisjoint(clues)

    def _unlike(self, rival: Sequence[int]) -> frozenset[int] | None:
        """The spots whose clue a rival has otherwise; None if it is no answer of the blank model."""
        assert self.rivals is not None
        part = self._completed(self.rivals.blank_part(rival))
        if check(self._maker.asked.problem, part) is not None:
            return None
        return self._other_clues(self._maker.reader.clue_values(part))

    def _other_clues(self, clue_values: Sequence[Value | None]) -> frozenset[int]:
        return frozenset(at for at, (a, b) in enumerate(zip(self.clue_values, clue_values, strict=True)) if a != b)

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
        assert self.rivals is not None
        core = self.rivals.core
        return [unit for unit in units if not core.isdisjoint(unit)]

    def _other(self, clues: Sequence[int], lacking: Iterable[int] = ()) -> tuple[int, ...] | None:
        """A rival by switches, which lacks one of the options in `lacking`, if there are any. Raises LimitReached."""
        rivals, asked = self.rivals, self._maker.asked
        assert rivals is not None
        asked.check_limits()
        asked.questions += 1
        before = rivals.nodes
        found = rivals.other(clues, asked.nodes_left, lacking)
        asked.nodes += rivals.nodes - before
        if not rivals.settled:
            asked.check_limits()
            raise LimitReached(Status.LIMIT)
        return found

    def apart_switched(self, clues: Sequence[int]) -> Apart | None:
        """What the answer shares with rivals that these clues leave, or the first of them; None if there is none."""
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
        """Whether the model with these clues has one answer. Raises LimitReached."""
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
            return list(reader.clue_values(found[0])) == list(self.clue_values)
        for answer in found:
            unlike = self._other_clues(reader.clue_values(answer))
            if unlike and given.isdisjoint(unlike) and len(self._rivals) < MOST_RIVALS:
                self._rivals.append(unlike)
        return False

    def unlike(self, clues: Sequence[int]) -> frozenset[int] | None:
        """The spots whose clue another answer with these clues has otherwise; None if there is no other answer. By
        switches if there are any, which may be wrong of None. Empty if these clues are not enough for another reason.
        Raises LimitReached."""
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
        others = [self._other_clues(reader.clue_values(answer)) for answer in found]
        if len(found) == 1 and not others[0]:
            return None
        return next((unlike for unlike in others if unlike), frozenset())

    def alone(self, clues: Sequence[int]) -> bool:
        """Whether the compiled model with these clues has one answer, this one; rivals are not used. Raises
        LimitReached."""
        compiled = self._compiled(clues)
        found = self.answers(bare(compiled.problem))
        reader = ClueReader(compiled, self._maker.spots)
        return len(found) == 1 and list(reader.clue_values(found[0])) == list(self.clue_values)

    def thinned(self, units: Sequence[Unit]) -> list[int]:
        """The clues that are left if units are left out, the last first, while the rest is enough: a minimal set.
        Raises LimitReached."""
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
        return self._maker.with_some(self.clue_values, clues)

    def answers(self, problem: Problem) -> list[Answer]:
        """Two answers of a problem, or all there are. Raises LimitReached."""
        asked = self._maker.asked
        asked.check_limits()
        asked.questions += 1
        return asked.two(problem)


def bare(problem: Problem) -> Problem:
    """The problem without costs and names, which do not matter here."""
    return evolve(problem, costs=(), item_names=(), option_names=())


# --- fewest told -----------------------------------------------------------------------------------------------------
# A set of clues excludes another answer exactly if it holds a clue of their *difference*: the clues that would be
# others. So the fewest clues are a minimum cover of all differences, if the answers with the same clues are those of
# the model with these clues. As what clues do is up to the rules, each difference is first confirmed by the model,
# compiled with all other clues, which must have several answers; and each best set must have one answer by the model.
# The proof rests on this alone: leaving out clues never makes an answer the only one.
#
# Where a difference is not confirmed, only the model is asked from then on: the difference of a set that is not enough
# is all that it lacks, made smaller while the rest is not enough.


class FewestDataClues(FewestSearch):
    """Looks for the fewest clues of one answer where clues are data that rules read. `run` may be called once."""

    def __init__(self, asked: Uniqueness, question: ClueQuestion, units: Sequence[Unit], rng: Random) -> None:
        """units: clues (numbers of spots) that leave the answer the only one, also by the model itself."""
        super().__init__(asked, question.answer, units, rng)
        self._question = question
        self._all = frozenset(range(len(units)))
        self._plain = False  # whether the model alone is asked

    def _clues(self, units: set[int] | frozenset[int]) -> list[int]:
        return flat(self._units[k] for k in sorted(units))

    def _minimal(self, units: set[int]) -> set[int]:
        order = [self._units[k] for k in sorted(units)]
        self._rng.shuffle(order)
        return {self._number[at] for at in self._question.thinned(order)}

    def _lacking(self, given: set[int]) -> set[int] | None:
        clues = self._clues(given)
        if not self._plain:
            unlike = self._question.unlike(clues)
            if unlike is None:
                return None
            lacks = {self._number[at] for at in unlike if at in self._number}
            if lacks and not lacks & given:
                return lacks
            self._plain = True
        return None if self._question.alone(clues) else set(self._all - given)

    def _surely_lacking(self, given: set[int]) -> set[int] | None:
        lacks = self._lacking(given)
        if lacks is not None or self._plain or self._question.alone(self._clues(given)):
            return lacks
        self._question.rivals = None  # the model says otherwise, and it is right
        return self._lacking(given)

    def _shrink(self, given: set[int], lacks: set[int]) -> set[int]:
        found = super()._shrink(given, lacks)
        if self._plain or not self._question.alone(self._clues(self._all - found)):
            return found
        self._plain = True
        left = self._lacking(given)
        return set() if left is None else super()._shrink(given, left)

    def _near(self, order: Sequence[int]) -> None:
        return None
