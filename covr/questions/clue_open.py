"""What clues leave open: the choices that some answer with the same clues takes, and the known answer does not."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING

from covr.engine.outside.clingo_switched import Switch, Untaken
from covr.engine.outside.clingo_taken import TakenOptions
from covr.questions.clue_rows import ChoiceNumbers, Row, RowContent
from covr.questions.clue_words import RuleWords

if TYPE_CHECKING:
    from covr.questions.clue_switches import SwitchedRules


class OpenChoices:
    """Tells what the clues of one answer after another leave open, as long as the rest of the rules stays the same.

    nodes: conflicts and questions so far."""

    def __init__(self, rules: SwitchedRules, names: ChoiceNumbers, stopped: Callable[[], bool]) -> None:
        """names: whose first model is the blank one. Raises Unsuited and Stopped as
        `TakenOptions` does."""
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
        """The options of the blank model that are open, or those found with these nodes, as `settled` tells; None if
        they are more than `most`. rules: which suit.  clues: the spots of all clues that the answer has."""
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


__all__ = ["OpenChoices"]
