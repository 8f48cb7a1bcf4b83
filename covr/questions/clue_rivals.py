"""Other answers of a model with some of the clues of an answer, asked of one clingo in which these are switched."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.heed import heeded
from covr.engine.outside.clingo_switched import OtherAnswers, Switched, Untaken
from covr.questions.clue_rows import ChoiceNumbers
from covr.questions.clue_switches import Cause, SwitchedRules
from covr.questions.clue_words import RuleWords

if TYPE_CHECKING:
    from covr.engine.search import Answer


class ClueRivals:
    """Looks for rivals of one answer of the blank model. nodes: conflicts and questions so far."""

    def __init__(self, rules: SwitchedRules, answer: Answer, names: ChoiceNumbers, stopped: Callable[[], bool]) -> None:
        """names: whose first model is the blank one. Raises Unsuited and Stopped as `OtherAnswers` does."""
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
        for o in heeded(self._wide):
            cause = self._rules.options[o]
            for at in cause.needs:
                yield Switched((-self._switch[at],), Untaken(self._local[o]))
            for at in cause.without:
                yield Switched((self._switch[at],), Untaken(self._local[o]))
        for content, cause in heeded(self._rules.rows.values()):
            if not cause.switched:
                continue
            when = *(self._switch[at] for at in cause.needs), *(-self._switch[at] for at in cause.without)
            yield Switched(when, self._words.rule(content))


__all__ = ["ClueRivals"]
