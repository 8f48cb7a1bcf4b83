"""The rules of clues that are data: what the model becomes with each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import with_limit_checks
from covr.puzzles.clue_question import ClueRivals
from covr.puzzles.clue_rows import ChoiceNumbers, ModelRows, Row, RowContent, united
from covr.puzzles.clue_switches import ALWAYS, SLOW, Cause, Clues, ClueSwitches, SwitchedRules

if TYPE_CHECKING:
    from covr.compiler.evaluate.values import Value
    from covr.engine.search import Answer

# --- clue singles ----------------------------------------------------------------------------------------------------
# clue_switches.py finds from a few sets of clues what each clue does, unless clues do something together. Where that
# fails, the model is compiled with each clue alone, once for each value, and set beside the model without any. What
# only two clues together do is not seen; so what comes of it is judged by the model itself (clue_maker.py).


ClueValues = Sequence["Value | None"]


class ClueSingles:
    """Finds the rules of clues one by one. blank: the model without clues.  read: the model with these clues."""

    def __init__(self, blank: ModelRows, read: Callable[[ClueValues], ModelRows]) -> None:
        self._blank, self._read = blank, read
        self._seen: dict[tuple[int, Value], ModelRows] = {}

    def of(self, clue_values: ClueValues) -> SwitchedRules:
        """The rules with these clues. Time: one compilation for each clue not met before. Raises ModelErrors."""
        seen = {at: self._alone(clue_values, at, value) for at, value in enumerate(clue_values) if value is not None}
        return SwitchedRules(self._options(seen), self._rows(seen))

    def _alone(self, clue_values: ClueValues, at: int, value: Value) -> ModelRows:
        found = self._seen.get((at, value))
        if found is None:
            only = [value if k == at else None for k in range(len(clue_values))]
            found = self._seen[at, value] = self._read(only)
        return found

    def _options(self, seen: Mapping[int, ModelRows]) -> dict[int, Cause]:
        blank = self._blank.options
        gone: dict[int, list[int]] = {}
        added: dict[int, list[int]] = {}
        for at, model in with_limit_checks(seen.items(), 1):
            for o in blank - model.options:
                gone.setdefault(o, []).append(at)
            for o in model.options - blank:
                added.setdefault(o, []).append(at)
        options = {o: Cause(without=frozenset(gone.get(o, ()))) for o in blank}
        for o, makers in added.items():  # one of several suffices: without any, such a helper stands in no other rule
            options[o] = Cause(needs=frozenset(makers)) if len(makers) == 1 else ALWAYS
        return options

    def _rows(self, seen: Mapping[int, ModelRows]) -> dict[Row, tuple[RowContent, Cause]]:
        versions: dict[Row, dict[int, RowContent]] = {}
        for at, model in with_limit_checks(seen.items(), 1):
            for row, content in model.rows.items():
                versions.setdefault(row, {})[at] = content
        rows: dict[Row, tuple[RowContent, Cause]] = {}
        for row, content in with_limit_checks(self._blank.rows.items(), SLOW):
            own = versions.pop(row, {})
            whole = united([content, *own.values()])
            alike, unlike = self._alike(whole, content, own, seen)
            lost = {at for at, model in seen.items() if at not in own and not content.among(model.options).empty}
            kept = whole if whole is not None and alike else content
            rows[row] = kept, Cause(without=frozenset(lost | unlike))
            for at in unlike:
                rows[*row, at] = own[at], Cause(needs=frozenset([at]))
        for row, own in with_limit_checks(versions.items(), SLOW):
            whole = united(list(own.values()))
            for at, content in own.items():
                right = whole is not None and content.same(whole.among(seen[at].options))
                rows[*row, at] = whole if whole is not None and right else content, Cause(needs=frozenset([at]))
        return rows

    def _alike(
        self,
        whole: RowContent | None,
        content: RowContent,
        own: Mapping[int, RowContent],
        seen: Mapping[int, ModelRows],
    ) -> tuple[bool, Clues]:
        """Whether the whole row stands for that of the blank model, and with which clues it is another one."""
        if whole is not None and content.same(whole.among(self._blank.options)):
            unlike = [at for at, version in own.items() if not version.same(whole.among(seen[at].options))]
            return True, frozenset(unlike)
        unlike = [at for at, version in own.items() if not version.same(content.among(seen[at].options))]
        return False, frozenset(unlike)


# --- clue guesses ----------------------------------------------------------------------------------------------------
# Where a clue says how many, its rule is the same with any value but for the number. If the numbers of two rules differ
# as their values do, those of a third value follow. The rule may be any function of the value, so this only serves to
# choose by.


Rows = dict[Row, tuple[RowContent, Cause]]


class GuessedRules:
    """Finds rules of clues with values that no model was compiled with. known: the rules by compiling, or None."""

    def __init__(self, known: Callable[[ClueValues], SwitchedRules | None]) -> None:
        self._known = known
        self._met: dict[int, dict[Value, Rows]] = {}  # per clue and value, the rules that this clue alone brings
        self._options: dict[int, Cause] = {}
        self._fixed: Rows = {}  # rules that no clue brings

    def of(self, clue_values: ClueValues) -> SwitchedRules | None:
        """The rules with these clues; None if they are not known and can't be guessed."""
        guessed = self._guessed(clue_values)
        if guessed is not None:
            return guessed
        rules = self._known(clue_values)
        if rules is not None:
            self._learn(clue_values, rules)
        return rules

    def _learn(self, clue_values: ClueValues, rules: SwitchedRules) -> None:
        own: dict[int, Rows] = {at: {} for at, value in enumerate(clue_values) if value is not None}
        fixed: Rows = {}
        for row, (content, cause) in rules.rows.items():
            if not cause.needs:
                fixed[row] = content, cause
            elif len(cause.needs) == 1:
                own[min(cause.needs)][row] = content, cause
        if any(len(cause.needs) > 1 for _, cause in rules.rows.values()) or any(
            cause.needs for cause in rules.options.values()
        ):
            self._met = {}
            return
        if rules.options.keys() != self._options.keys() or not _alike(fixed, self._fixed):
            self._met, self._options, self._fixed = {}, {}, {}
        # What a clue takes away is told only where there is one.
        self._options = {o: _both(cause, self._options.get(o)) for o, cause in rules.options.items()}
        before = self._fixed
        self._fixed = {
            row: (content, _both(cause, before[row][1] if row in before else None))
            for row, (content, cause) in fixed.items()
        }
        for at, rows in own.items():
            value = clue_values[at]
            assert value is not None
            self._met.setdefault(at, {})[value] = rows

    def _guessed(self, clue_values: ClueValues) -> SwitchedRules | None:
        rows = dict(self._fixed)
        for at, value in enumerate(clue_values):
            if value is None:
                continue
            own = self._met.get(at, {})
            found = own.get(value)
            if found is None:
                found = _between(own, value)
                if found is None:
                    return None
                own[value] = found
            rows.update(found)
        return SwitchedRules(self._options, rows) if self._options else None


def _alike(one: Rows, other: Rows) -> bool:
    return one.keys() == other.keys() and all(content == other[row][0] for row, (content, _) in one.items())


def _both(cause: Cause, other: Cause | None) -> Cause:
    return cause if other is None else Cause(without=cause.without | other.without)


def _between(own: dict[Value, Rows], value: Value) -> Rows | None:
    """The rules with this value; None if those with other values don't tell."""
    known = [other for other in own if type(other) is int]
    if type(value) is not int or len(known) != len(own) or len(known) < 2:
        return None
    one, other = known[0], known[1]
    if own[one].keys() != own[other].keys():
        return None
    rows: Rows = {}
    for row, (content, cause) in own[one].items():
        second = own[other][row][0]
        shape = _along(content.shape, second.shape, value - one, other - one)
        if not isinstance(shape, tuple) or content.terms != second.terms or content.edges != second.edges:
            return None
        rows[row] = RowContent(shape, content.terms, content.edges), cause
    return rows


def _along(first: object, second: object, steps: int, apart: int) -> object:
    """What is reached from `first` after so many steps, if `second` is reached after `apart`; None if nothing is."""
    if isinstance(first, tuple) and isinstance(second, tuple) and len(first) == len(second):
        parts = tuple([_along(a, b, steps, apart) for a, b in zip(first, second, strict=True)])
        return None if None in parts else parts
    if type(first) is int and type(second) is int:
        whole, rest = divmod((second - first) * steps, apart)
        return None if rest else first + whole
    return first if first == second else None


# --- clue rules ------------------------------------------------------------------------------------------------------
# An attempt has to come out the same whatever was made before it, and in whatever process (puzzle_attempts.py), and
# what clingo finds depends on the models in which rules were seen. So an attempt knows only what can be learned from
# the answers with which it and the attempts before it begin, at most `TAUGHT`, and what it finds by itself is forgotten
# with it.


TAUGHT = 12  # answers that attempts begin with, of which every later attempt knows
GIVE_UP_AFTER = 2  # answers in a row whose clues had no switches, after which none are looked for in that way


class ClueRules:
    """The rules of clues, as far as an attempt knows them."""

    def __init__(
        self,
        switches: Callable[[], ClueSwitches],
        begun: Callable[[int], ClueValues | None],
        stopped: Callable[[], bool],
    ) -> None:
        """switches: makes one that knows nothing.  begun: all clues of the answer with which an attempt begins, by its
        number; None if there is none.  stopped: as of `ClueRivals`."""
        self._new, self._begun, self._stopped = switches, begun, stopped
        self._taught: ClueSwitches | None = None
        self._answers = 0  # with which the first attempts begin, that taught it
        self._puzzling = 0  # of these, in a row, whose clues could not be told apart
        self._switches: ClueSwitches | None = None  # of this attempt
        self._singles: ClueSingles | None = None  # in their place, where what clues do can't be told apart
        self._mixed = 0  # answers in a row where it could not
        self._failed = 0  # answers in a row whose clues had no switches

    def begin(self, number: int) -> None:
        """Know what the attempt of this number knows at its beginning. Raises LimitReached."""
        answers = min(number + 1, TAUGHT)
        if self._taught is None or self._answers > answers:  # an attempt that was handed back
            self._singles = None
            self._taught, self._answers, self._puzzling = self._new(), 0, 0
        while self._answers < answers:
            clue_values = self._begun(self._answers)
            if clue_values is not None and self._puzzling < GIVE_UP_AFTER:
                self._puzzling = 0 if self._taught.of(clue_values) is not None else self._puzzling + 1
            self._answers += 1
        self._switches, self._mixed, self._failed = self._taught.copy(), self._puzzling, 0

    def rivals(self, answer: Answer, clue_values: ClueValues) -> ClueRivals | None:
        """Rivals of an answer with these clues, by switches; None if there are none. Raises LimitReached."""
        switches = self._switches
        if switches is None:
            return None
        try:
            found = ClueRivals(self._rules(switches, clue_values), answer, switches.names, self._stopped)
        except Unsuited:
            self._failed += 1
            if self._failed == GIVE_UP_AFTER:
                self._switches = None
            return None
        self._failed = 0
        return found

    @property
    def names(self) -> ChoiceNumbers | None:
        """The numbers of choices; None if no rules are looked for."""
        return None if self._switches is None else self._switches.names

    def of(self, clue_values: ClueValues) -> SwitchedRules | None:
        """The rules with these clues; None if no rules are looked for. Raises LimitReached."""
        return None if self._switches is None else self._rules(self._switches, clue_values)

    def _rules(self, switches: ClueSwitches, clue_values: ClueValues) -> SwitchedRules:
        rules = switches.of(clue_values) if self._mixed < GIVE_UP_AFTER else None
        self._mixed = 0 if rules is not None else self._mixed + 1
        if rules is None:
            self._singles = self._singles or ClueSingles(switches.blank, switches.read)
            rules = self._singles.of(clue_values)
        return rules
