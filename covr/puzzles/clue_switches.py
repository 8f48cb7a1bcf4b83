"""Which rules of a model come from which of its clues, so that the rules of each clue can be switched.

The model is compiled with some sets of clues: all, none, classes in which no neighbours are together, random halves. A
row or option that is there exactly when one clue is, belongs to that clue; one that is there unless a clue is, is taken
away by it; likewise for two clues, or more whose keys are named in the row. That is enough when it foretells what the
next two halves make of the model. A row that lacks an option which a clue took away is still the same row.

What is found is kept. Other values of the clues change numbers in rows: these are seen in the model with all clues,
compiled once for each answer with a clue not met before; if the rest is not as before, all is found anew. A row changes
with the clues that it needs and those that its options need.

A model that can't be taken apart so has no switches (None): then each clue is looked at alone (clue_rules.py).
clue_maker.py asks the compiled model itself about each puzzle that it made.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from copy import copy
from itertools import islice
from random import Random
from typing import TYPE_CHECKING, Any

from attrs import field

from covr.compiler.evaluate.values import Record, Seq, Set, Value
from covr.engine.base.limits import check_limits, with_limit_checks
from covr.frozen import frozen
from covr.puzzles.clue_rows import ChoiceNumbers, ModelRows, Row, RowContent, united

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.clues import ClueSpot

ClueValues = Sequence["Value | None"]
Clues = frozenset[int]  # spots, by number
Values = tuple["Value | None", ...]  # of clues
Slot = tuple[str, int, int]  # a clue of this param has its key at this place of a name, and its key is so long
Pattern = tuple[tuple[Slot, ...], tuple[Slot, ...]]  # where clues that are needed are named, and those that take away
MOST_SETS = 11  # sets of clues with which the model is compiled
GIVE_UP_AFTER = 7  # sets after which causes have to be found
MOST_PARTS = 50  # values of a set in a key that are looked at
CONFIRMATIONS = 2  # halves in a row that were known beforehand
SLOW = 16  # steps between two looks at the limits where a step goes through all models, or all clues
NONE: Clues = frozenset()


@frozen
class Cause:
    """The condition for a row or option to exist: all of `needs` are given, none of `without`."""

    needs: Clues = NONE
    without: Clues = NONE

    def met(self, clues: Clues) -> bool:
        """Whether the condition holds with these clues."""
        return self.needs <= clues and not self.without & clues

    @property
    def switched(self) -> bool:
        """Whether the condition depends on clues."""
        return bool(self.needs or self.without)


ALWAYS = Cause()


@frozen
class SwitchedRules:
    """The rules of a model with switches for some clues. options, rows: with their causes, always or not."""

    options: Mapping[int, Cause] = field(repr=False)
    rows: Mapping[Row, tuple[RowContent, Cause]] = field(repr=False)

    def with_clues(self, clues: Clues) -> ModelRows:
        """What the model is with these clues, as far as is known here."""
        options = frozenset(o for o, cause in with_limit_checks(self.options.items()) if cause.met(clues))
        rows = {
            row: content.among(options)
            for row, (content, cause) in with_limit_checks(self.rows.items())
            if cause.met(clues)
        }
        return ModelRows(options, rows)

    def predicts(self, clues: Clues, seen: ModelRows) -> bool:
        """Whether the model with these clues is what was to be expected."""
        known = self.with_clues(clues)
        ours, theirs = _effective(known), _effective(seen)
        return (
            known.options == seen.options
            and ours.keys() == theirs.keys()
            and all(content.same(theirs[row]) for row, content in with_limit_checks(ours.items()))
        )


def _whole(content: RowContent, before: RowContent | None, options: Collection[int], model: ModelRows) -> RowContent:
    """A row of a model with all clues, together with what clues took away from it, as far as it had that before.
    options: those that there are with some of these clues."""
    if before is None:
        return content
    away = {o: what for o, what in before.terms.items() if o in options and o not in model.options}
    return RowContent(content.shape, {**away, **content.terms}, before.edges)


def _values(clue_values: ClueValues, clues: Clues) -> Values:
    return tuple([clue_values[at] for at in sorted(clues)]) if clues else ()


def _effective(model: ModelRows) -> dict[Row, RowContent]:
    return {row: content for row, content in with_limit_checks(model.rows.items()) if not content.empty}


class ClueSwitches:
    """Finds the rules of clues. names: of all options met so far; those of the blank model keep their numbers."""

    def __init__(self, spots: Sequence[ClueSpot], blank: Compiled, compiled: Callable[[ClueValues], Compiled]) -> None:
        """blank: the model without clues.  compiled: the model with these clues."""
        self._spots, self._compiled = spots, compiled
        self.names = ChoiceNumbers()
        self._blank = self.names.read(blank)
        self._keys = [_parts(spot.key) for spot in spots]
        self._causes: dict[Any, Cause] = {}  # of options, and of rows
        self._options: dict[int, set[Values]] = {}  # the values of its clues with which an option was seen
        self._read: dict[Row, Clues] = {}  # the clues that a row needs, or an option that it ever had
        self._contents: dict[tuple[Row, Values], RowContent] = {}  # with the values of these
        self._terms: dict[Row, RowContent] = {}  # with whatever values
        self._patterns: dict[Any, Pattern] = {}  # per family, and per statement
        self._met: set[tuple[int, Value]] = set()  # clues whose rows are known
        self._last: tuple[ClueValues, SwitchedRules | None] | None = None  # what was told last, and what was found

    def copy(self) -> ClueSwitches:
        """A copy that learns by itself. Both number choices alike."""
        twin = copy(self)
        twin._causes, twin._contents, twin._terms = {**self._causes}, {**self._contents}, {**self._terms}
        twin._options = {o: {*seen} for o, seen in self._options.items()}
        twin._read, twin._met = {**self._read}, {*self._met}
        return twin

    def of(self, clue_values: ClueValues) -> SwitchedRules | None:
        """The rules with these clues; None if they can't be taken apart. Raises ModelErrors for data that the model
        refuses.
        Time: at most `MOST_SETS` compilations, mostly none or one."""
        clues = frozenset(at for at, value in enumerate(clue_values) if value is not None)
        if self._last is not None and self._last[0] == clue_values:
            return self._last[1]
        found = self._as_before(clue_values, clues) or self._found(clue_values, clues)
        self._last = list(clue_values), found
        if found is None:
            return None
        for o, cause in found.options.items():
            self._causes[o] = cause
            self._options.setdefault(o, set()).add(_values(clue_values, cause.needs))
        for row, (content, cause) in found.rows.items():
            self._causes[row] = cause
            own = cause.needs.union(*[found.options[o].needs for o in content.terms if o in found.options])
            read = self._read.get(row)
            if read is None or not own <= read:
                if read is not None:
                    self._met = set()  # what is known of the row lacks the values of some clues
                self._read[row] = own if read is None else own | read
            self._terms[row] = self._contents[row, _values(clue_values, self._read[row])] = content
        self._met |= {(at, value) for at, value in enumerate(clue_values) if value is not None}
        return found

    # --- as it was with other values ---

    def _as_before(self, clue_values: ClueValues, clues: Clues) -> SwitchedRules | None:
        if not self._causes:
            return None
        causes = self._causes
        options = {
            o: causes[o]
            for o, seen in with_limit_checks(self._options.items())
            if causes[o].needs <= clues and _values(clue_values, causes[o].needs) in seen
        }
        rows: dict[Row, tuple[RowContent, Cause]] = {}
        known = all((at, clue_values[at]) in self._met for at in clues)
        for row, read in with_limit_checks(self._read.items()):
            if causes[row].needs <= clues:
                kept = self._contents.get((row, _values(clue_values, read)))
                if kept is not None:
                    rows[row] = kept, causes[row]
                elif len(read) > 1:
                    known = False  # each of its clues was met, but not with these values together
        if known:
            return SwitchedRules(options, rows)
        model = self._seen(clue_values, clues)
        named = _Causes([clues], self._keys, [spot.param for spot in self._spots])
        for o in model.options - options.keys():
            family, args = self.names.names[o]
            cause = causes.get(o) or named.by_pattern(self._patterns.get(family), _parts(args))
            if cause is None:
                return None
            options[o] = cause
        for row, content in with_limit_checks(model.rows.items()):
            if row in rows:
                continue
            cause = causes.get(row) or named.by_pattern(self._patterns.get(row[:2]), _parts(row[2:]))
            if cause is None:
                return None
            rows[row] = _whole(content, self._terms.get(row), options, model), cause
        found = SwitchedRules(options, rows)
        return found if found.predicts(clues, model) else None

    @property
    def blank(self) -> ModelRows:
        """The model without clues."""
        return self._blank

    def read(self, clue_values: ClueValues) -> ModelRows:
        """The model with these clues."""
        return self.names.read(self._compiled(clue_values))

    def _seen(self, clue_values: ClueValues, clues: Clues) -> ModelRows:
        return self.names.read(self._compiled([value if at in clues else None for at, value in enumerate(clue_values)]))

    # --- anew ---

    def _found(self, clue_values: ClueValues, clues: Clues) -> SwitchedRules | None:
        sets: list[Clues] = [NONE]
        seen = [self._blank]
        agreed = 0
        found, patterns = None, dict[Any, Pattern]()
        for tried in self._tried(clues):
            if not agreed and len(sets) > 1 + len(self._classes(clues)):
                found, patterns = self._apart(sets, seen)
            model = self._seen(clue_values, tried)
            if found is None and len(sets) >= GIVE_UP_AFTER:
                return None
            if found is not None and found.predicts(tried, model):
                agreed += 1
                if agreed == CONFIRMATIONS:
                    self._patterns = patterns
                    return found
            else:
                agreed = 0
            sets.append(tried)
            seen.append(model)
        return None

    def _classes(self, clues: Clues) -> list[Clues]:
        classes: dict[tuple[Any, ...], set[int]] = {}
        for at in clues:
            rest = tuple([part % 2 if type(part) is int else part for part in self._keys[at]])
            classes.setdefault((self._spots[at].param, *rest), set()).add(at)
        return [frozenset(own) for own in classes.values()] if len(classes) <= MOST_SETS // 2 else []

    def _tried(self, clues: Clues) -> Iterator[Clues]:
        yield clues
        yield from self._classes(clues)
        rng = Random(0)
        order = sorted(clues)
        for _ in range((MOST_SETS - len(self._classes(clues))) // 2):
            half = frozenset(rng.sample(order, len(order) // 2))
            yield half
            yield clues - half

    def _apart(
        self, sets: Sequence[Clues], seen: Sequence[ModelRows]
    ) -> tuple[SwitchedRules | None, dict[Any, Pattern]]:
        """Rules that make of each set of clues what was seen, and their patterns; None if there are no such causes."""
        causes = _Causes(sets, self._keys, [spot.param for spot in self._spots])
        groups: dict[Any, list[_Standing]] = {}
        for o in with_limit_checks(sorted(frozenset().union(*(model.options for model in seen)))):
            there = sum(1 << k for k, model in enumerate(seen) if o in model.options)
            family, args = self.names.names[o]
            groups.setdefault(family, []).append(_Standing(o, there, causes.all, _parts(args)))
        contents: dict[Row, RowContent] = {}
        for row in with_limit_checks(dict.fromkeys(row for model in seen for row in model.rows), SLOW):
            found = self._row(row, seen)
            if found is None:
                return None, {}
            contents[row], standing = found
            groups.setdefault(row[:2], []).append(standing)
        options: dict[int, Cause] = {}
        rows: dict[Row, tuple[RowContent, Cause]] = {}
        patterns: dict[Any, Pattern] = {}
        for name, group in groups.items():
            clue_values, pattern = causes.of_group(group)
            if clue_values is None:
                return None, {}
            if pattern is not None:
                patterns[name] = pattern
            for one, cause in zip(group, clue_values, strict=True):
                if isinstance(one.what, int):
                    options[one.what] = cause
                else:
                    rows[one.what] = contents[one.what], cause
        return SwitchedRules(options, rows), patterns

    @staticmethod
    def _row(row: Row, seen: Sequence[ModelRows]) -> tuple[RowContent, _Standing] | None:
        """All that a row ever had, and where it stands; None if it is not the same row everywhere."""
        contents = [model.rows.get(row) for model in seen]
        known = [content for content in contents if content is not None]
        whole = united(known)
        if whole is None:
            return None
        there = cared = 0
        for k, (content, model) in enumerate(zip(contents, seen, strict=True)):
            if content is not None:
                if not content.same(whole.among(model.options)):
                    return None
                there |= 1 << k
                cared |= 1 << k
            elif not whole.among(model.options).empty:
                cared |= 1 << k
        return whole, _Standing(row, there, cared, _parts(row[2:]))


@frozen
class _Standing:
    """An option or a row, and the models in which it stands, as bits.
    cared: the models that tell anything about it.  parts: the values in its name."""

    what: int | Row
    there: int
    cared: int
    parts: tuple[Any, ...] = field(repr=False)


class _Causes:
    """Finds causes of what stands in some models and not in others. sets: the clues of each model."""

    def __init__(self, sets: Sequence[Clues], keys: Sequence[tuple[Any, ...]], params: Sequence[str]) -> None:
        self.all = (1 << len(sets)) - 1
        self._keys = keys
        self._numbers = {(param, key): at for at, (param, key) in enumerate(zip(params, keys, strict=True))}
        self._slots = sorted({(param, len(key)) for param, key in zip(params, keys, strict=True)})
        self._masks = {at: sum(1 << k for k, own in enumerate(sets) if at in own) for at in frozenset().union(*sets)}
        self._by_mask: dict[int, dict[int, list[int]]] = {}  # per models that matter, and those that have a clue

    def of_group(self, group: Sequence[_Standing]) -> tuple[list[Cause] | None, Pattern | None]:
        """The causes of the options of one family, or of the rows of one statement, with the pattern they share; None
        if there are none. Mostly clues have the same part in all of them, such as the clue whose key is the first
        index. That is tried before each is looked at by itself: few models tell much if they tell the same of many."""
        if all(one.there & one.cared == one.cared for one in group):
            return [ALWAYS] * len(group), ((), ())
        pattern = self._alike(group)
        if pattern is not None:
            return [self.by_pattern(pattern, one.parts) or ALWAYS for one in group], pattern
        each = []
        for one in with_limit_checks(group, SLOW):
            cause = self.of(one.there, one.cared, one.parts)
            if cause is None:
                return None, None
            each.append(cause)
        return each, None

    def by_pattern(self, pattern: Pattern | None, parts: tuple[Any, ...]) -> Cause | None:
        """The cause of what has these values in its name; None if its name is too short for that."""
        if pattern is None:
            return None
        needs = [self._clue(slot, parts) for slot in pattern[0]]
        removers = [self._clue(slot, parts) for slot in pattern[1]]
        if None in needs:
            return None
        return Cause(
            frozenset(at for at in needs if at is not None), frozenset(at for at in removers if at is not None)
        )

    def _alike(self, group: Sequence[_Standing]) -> Pattern | None:
        shortest = min(len(one.parts) for one in group)
        slots = [(param, at, n) for param, n in self._slots for at in range(shortest - n + 1)]
        clues = {slot: [self._clue(slot, one.parts) for one in with_limit_checks(group)] for slot in slots}
        needed = []
        for slot in slots:
            check_limits()
            clue_values = zip(clues[slot], group, strict=True)
            if all(at is not None and not one.there & ~self._masks[at] for at, one in clue_values):
                needed.append(slot)
        needs = [frozenset(clues[slot][k] for slot in needed) for k in range(len(group))]
        met = []
        for one, own in zip(with_limit_checks(group), needs, strict=True):
            mask = one.cared
            for at in own:
                mask &= self._masks[at]  # type: ignore[index]
            met.append(mask)
        without = [
            slot
            for slot in with_limit_checks(slots, 1)
            if all(
                at is None or not self._masks[at] & mask & one.there
                for at, one, mask in zip(clues[slot], group, met, strict=True)
            )
        ]
        for k, one in enumerate(with_limit_checks(group)):
            removers = frozenset(at for slot in without if (at := clues[slot][k]) is not None)
            left = met[k]
            for at in removers:
                left &= ~self._masks[at]
            if left != one.there & one.cared:
                return None
        return tuple(needed), tuple(without)

    def _clue(self, slot: Slot, parts: tuple[Any, ...]) -> int | None:
        """The clue whose key stands at this place of a name; None if there is none in any model."""
        param, at, n = slot
        found = self._numbers.get((param, parts[at : at + n]))
        return found if found in self._masks else None

    def of(self, there: int, cared: int, parts: tuple[Any, ...]) -> Cause | None:
        """When something stands there. Arguments: as of `_Standing`; clues whose keys are in the parts come first."""
        absent = cared & ~there
        if not absent:
            return ALWAYS
        blank = not cared & 1 or there & 1
        if blank:
            removers = self._union(absent, cared, parts)
            if removers is not None:
                return Cause(without=removers)
        if there & 1 or not there:
            return None
        needs = self._union(there, cared, parts, turned=True)
        if needs is not None:
            return Cause(needs=needs)
        close = [at for at, mask in self._masks.items() if not there & ~mask and self._names(at, parts)]
        met = cared
        for at in close:
            met &= self._masks[at]
        removers = self._union(met & ~there, met, parts) if close else None
        return None if removers is None else Cause(frozenset(close), removers)

    def _union(self, wanted: int, cared: int, parts: tuple[Any, ...], turned: bool = False) -> Clues | None:
        """Clues of which one stands in just these models; turned: of which all do."""
        by_mask = self._by_mask.get(cared)
        if by_mask is None:
            by_mask = self._by_mask[cared] = {}
            for at, mask in self._masks.items():
                by_mask.setdefault(mask & cared, []).append(at)
        one = by_mask.get(wanted, [])
        named = [(place, at) for at in one if (place := self._place(at, parts)) is not None]
        if named:  # of two keys, such as (3, 1) and (1, 2) in the name of is((3, 1), 2), the first is meant
            return frozenset([min(named)[1]])
        close = [at for at in self._masks if self._names(at, parts)]
        if turned:
            close = [at for at in close if not wanted & ~self._masks[at]]
            met = cared
            for at in close:
                met &= self._masks[at]
        else:
            close = [at for at in close if not self._masks[at] & cared & ~wanted]
            met = 0
            for at in close:
                met |= self._masks[at] & cared
        if close and met == wanted:
            return frozenset(close)
        return frozenset(one[:1]) if one else None

    def _names(self, at: int, parts: tuple[Any, ...]) -> bool:
        return self._place(at, parts) is not None

    def _place(self, at: int, parts: tuple[Any, ...]) -> int | None:
        """Where the key of a clue first stands in a name; None if it does not."""
        own = self._keys[at]
        places = range(len(parts) - len(own) + 1)
        return next((k for k in places if parts[k : k + len(own)] == own), None)


def _parts(key: Any) -> tuple[Any, ...]:
    """The values of a key, one after the other; without numbers of options, which tell nothing."""
    if isinstance(key, frozenset):
        return ()
    if not isinstance(key, tuple | Set | Seq | Record):
        return (key,)
    found: list[Any] = []
    for part in islice(key.items if isinstance(key, Record) else key, MOST_PARTS):
        found += _parts(part)
    return tuple(found)


__all__ = ["Cause", "ClueSwitches", "SwitchedRules"]
