"""`clue` statements: what the clues in the params of a model would be, given an answer.

A *spot* is a place in a param where a clue may stand: what a `clue` names for one binding of its `for`, whatever the
condition after that says. Which spots there are is read from the model with its own data. Without its clues the model
is the *blank* one: at each spot stands what `else` says, or nothing, and everything else in the data stays. Where
several statements, or several bindings of one, name the same spot, the first that tells something counts.

In the value of a `clue`, the name of a family stands for the set of its choices that are taken: each is the tuple of
its indices, or the index itself, if there is one. `count of F`, `total EXPR of F` and `EXPR of F` go through the taken
choices of one family; a name that is bound by the statement's `for` and is an index of the family, too, has the same
value in both, as with the keys of a rule. `EXPR of F` tells nothing if no choice meets the condition.

A clue is what it is when it is read back from the text of a puzzle: in what `grid`, `list` and `table` read, digits are
a number even where the statement gives them as text, and in a grid what is read as a blank is no clue.

The scope counts what evaluating takes. Reading answers is no part of compiling, so the count is set back afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import field

from covr.compiler.compiled import Choice, Compiled
from covr.compiler.evaluate import Env, EvalFault, Run, Scope, Test
from covr.compiler.evaluate.blocks import scalar
from covr.compiler.evaluate.lattice_pictures import unfit
from covr.compiler.evaluate.names import free_names
from covr.compiler.evaluate.rewrite import conjuncts
from covr.compiler.evaluate.values import Map, Record, Seq, Set, Value, abbreviate, kind_of, show_value
from covr.compiler.grids.places import NOTHING as BLANK_WORDS
from covr.compiler.lattices.lattice import Lattice, LatticeCell
from covr.compiler.lower.fault_collector import FaultCollector
from covr.compiler.lower.local_scope import Within
from covr.compiler.lower.lowered import Lowered
from covr.compiler.lower.marks import walked_groups
from covr.compiler.lower.walk import Walk
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Call, Clue, Param, ReaderBlock
from covr.frozen import frozen

UNASKED, NOTHING = object(), object()  # of a choice: not known yet, and that it plays no part
Key = Any  # of an entry of a param: what stands in the brackets, as a tuple if there are several


@frozen
class ClueSpot:
    """A place in a param where a clue may stand.

    other: what stands there if the clue is left out; None: nothing.  tellers: the statements that tell what it is,
    each with the values of the names that lead there."""

    param: str
    key: Key
    other: Value | None = field(eq=False)
    tellers: tuple[tuple[Clue, Env], ...] = field(eq=False, repr=False)


def clue_statements_of(compiled: Compiled) -> tuple[Clue, ...]:
    """The `clue` statements of a model, in source order."""
    return tuple(s for s in compiled.model.statements if isinstance(s, Clue))


def reader_of(compiled: Compiled, name: str) -> str:
    """The reader that reads a param, such as `grid`; empty if none does."""
    value = next(d.value for d in compiled.model.definitions if isinstance(d, Param) and d.name.id == name)
    if isinstance(value, ReaderBlock):
        return value.name.id
    return value.function.id if isinstance(value, Call) else ""


def columned(compiled: Compiled, name: str) -> bool:
    """Whether the reader of a param says which columns its table has; else the first line of the text does."""
    value = next(d.value for d in compiled.model.definitions if isinstance(d, Param) and d.name.id == name)
    if isinstance(value, ReaderBlock):
        return bool(value.args)
    return isinstance(value, Call) and len(value.args) > 1


def clue_spots(compiled: Compiled) -> tuple[ClueSpot, ...]:
    """The spots of a model with its data: those of one param together, each in the order of the statements.

    Raises ModelErrors E445 for a place that no clue can stand at."""
    found: dict[tuple[str, Key], list[tuple[Clue, Env]]] = {}
    others: dict[tuple[str, Key], Value | None] = {}
    faults = FaultCollector()
    for statement in clue_statements_of(compiled):
        with faults.of(statement), _free_of_charge(compiled.scope):
            for key, other, env in _bindings(statement, compiled.scope, compiled.lowered):
                spot = (statement.param.id, key)
                _check_place(statement, compiled.scope.value(statement.param.id), key, other)
                others.setdefault(spot, other)
                found.setdefault(spot, []).append((statement, env))
    faults.raise_if_any()
    order = {name: at for at, name in enumerate(dict.fromkeys(name for name, _ in found))}
    named = sorted(found, key=lambda spot: order[spot[0]])
    return tuple(ClueSpot(name, key, others[name, key], tuple(found[name, key])) for name, key in named)


def _bindings(statement: Clue, scope: Scope, lowered: Lowered) -> Iterator[tuple[Key, Value | None, Env]]:
    """Where a statement names a clue, what stands there without it, and the values of its names there."""
    mentioned = [*statement.keys, statement.where, statement.other]
    if statement.family is None:
        mentioned.append(statement.value)
    else:
        own = frozenset(lowered.families[statement.family.id].indices)
        mentioned += [part for part in conjuncts(statement.among) if not free_names(part) & own]
    groups = walked_groups(mentioned, statement.generators, lowered.declared)
    names = {name for g in groups for name in g.names}
    inside = Within(scope, names)
    keys = [inside.compile(key) for key in statement.keys]
    other = None if statement.other is None else inside.compile(statement.other)
    for env in Walk(scope, groups, (), frozenset())({}):
        key = tuple([k(env) for k in keys])
        yield key if len(key) != 1 else key[0], None if other is None else other(env), dict(env)


def _check_place(statement: Clue, table: Value, key: Key, other: Value | None) -> None:
    name = statement.param.id
    if isinstance(table, Map):
        return
    if not isinstance(table, Seq):
        message = f"`{name}` is {kind_of(table)}, and clues stand in grids, maps, lists and tables"
        raise EvalFault(Diagnostic("E445", message, statement.param.span))
    value: Value = table
    for part in _path(key):
        within = _entry(value, part)
        if within is None:
            what = f"a list of {len(value)}" if isinstance(value, Seq) else kind_of(value)
            message = f"`{name}` is {what}, and has no entry {abbreviate(part)}"
            if value is not table:
                message = f"an entry of `{name}` is {what}, and has no entry {abbreviate(part)}"
            raise EvalFault(Diagnostic("E445", message, statement.span))
        value = within
    if other is None:
        help = 'say what stands in its place: `clue … else "?"`'
        raise EvalFault(Diagnostic("E445", f"no entry of the list `{name}` can be left out", statement.span, help))


def _path(key: Key) -> tuple[Value, ...]:
    """What leads to an entry of a list: its number, and for the rows of a table a field, and an entry of that."""
    return key if isinstance(key, tuple) else (key,)


def _entry(value: Value, part: Value) -> Value | None:
    """A part of a list or of a row of a table; None if there is none."""
    if isinstance(value, Seq) and type(part) is int and 1 <= part <= len(value.items):
        return value.items[part - 1]
    if isinstance(value, Record) and part in value.names:
        return value.items[value.names.index(str(part))]
    return None


def _changed(value: Value, path: tuple[Value, ...], new: Value) -> Value:
    """A list or a row with another entry where a path leads."""
    if not path:
        return new
    assert isinstance(value, Seq | Record)
    at = value.names.index(str(path[0])) if isinstance(value, Record) else int(path[0]) - 1  # type: ignore[arg-type]
    items = [_changed(item, path[1:], new) if k == at else item for k, item in enumerate(value.items)]
    return Record(value.names, tuple(items)) if isinstance(value, Record) else Seq(items)


def without_clues(compiled: Compiled, spots: Sequence[ClueSpot]) -> dict[str, Value]:
    """The data of the params that have spots, with no clue at any of them."""
    return with_clues(compiled, spots, [None] * len(spots))


def with_clues(compiled: Compiled, spots: Sequence[ClueSpot], told: Sequence[Value | None]) -> dict[str, Value]:
    """The same with a clue at each spot for which `told` has one. compiled: the model with its own data."""
    changed: dict[str, dict[Key, Value | None]] = {}
    for spot, value in zip(spots, told, strict=True):
        changed.setdefault(spot.param, {})[spot.key] = spot.other if value is None else value
    found: dict[str, Value] = {}
    for name, entries in changed.items():
        table = compiled.scope.value(name)
        if isinstance(table, Map):
            kept = {**table.entries, **entries}
            found[name] = Map({k: v for k, v in kept.items() if v is not None}, None, table.shape, table.places)
            continue
        for key, entry in entries.items():
            assert entry is not None, "`_check_place` sees to that"
            table = _changed(table, _path(key), entry)
        found[name] = table
    return found


def standing_clues(compiled: Compiled, spots: Sequence[ClueSpot]) -> list[Value | None]:
    """The clue that stands in the data at each spot; None where there is none."""
    found: list[Value | None] = []
    for spot in spots:
        table = compiled.scope.value(spot.param)
        value: Value | None = table
        if isinstance(table, Map):
            value = table.entries.get(spot.key)
        else:
            for part in _path(spot.key):
                value = None if value is None else _entry(value, part)
        found.append(None if value == spot.other else value)
    return found


class ClueReader:
    """Reads answers of a model as clues. spots: of the model, with whatever data."""

    def __init__(self, compiled: Compiled, spots: Sequence[ClueSpot]) -> None:
        """Raises ModelErrors for an expression that can't be evaluated."""
        self._compiled = compiled
        self.spots = spots
        values = {spot.param: compiled.scope.value(spot.param) for spot in spots}
        self._between = {name: "," if isinstance(value, Map) else " " for name, value in values.items()}
        self._readers = {name: reader_of(compiled, name) for name in values}
        self._columned = {n for n, reader in self._readers.items() if reader == "table" and columned(compiled, n)}
        self._lattices = {name: value.lattice for name, value in values.items() if isinstance(value, Map)}
        self._tellers: dict[tuple[int, frozenset[str]], _Teller] = {}
        with FaultCollector.raising():
            for spot in spots:
                for statement, env in spot.tellers:
                    self._teller(statement, env)

    def _teller(self, statement: Clue, env: Env) -> _Teller:
        key = id(statement), frozenset(env)
        found = self._tellers.get(key)
        if found is None:
            found = self._tellers[key] = _Teller(statement, frozenset(env), self._compiled)
        return found

    def told(self, answer: Sequence[int]) -> list[Value | None]:
        """What the clue at each spot would be, given an answer; None where none could stand. Raises ModelErrors."""
        with FaultCollector.raising(), _free_of_charge(self._compiled.scope):
            sets, taken = self._taken(answer)
            told = [next(self._all_at(spot, sets, taken), None) for spot in self.spots]
            return [None if value == spot.other else value for spot, value in zip(self.spots, told, strict=True)]

    def _taken(self, answer: Sequence[int]) -> tuple[Env, dict[str, list[Choice]]]:
        """The taken choices of each family: as a set of the language, and one by one."""
        choices = [self._compiled.choice(o) for o in answer if not self._compiled.is_own(o)]
        taken: dict[str, list[Choice]] = {name: [] for name in self._compiled.lowered.families}
        for choice in choices:
            taken[choice.family].append(choice)
        sets: Env = {
            name: Set([c.args[0] if len(c.args) == 1 else c.args for c in family]) for name, family in taken.items()
        }
        return sets, taken

    def every(self, answer: Sequence[int]) -> list[list[Value]]:
        """All that the statements tell of the clue at each spot, in their order. Raises ModelErrors."""
        with FaultCollector.raising(), _free_of_charge(self._compiled.scope):
            sets, taken = self._taken(answer)
            return [list(self._all_at(spot, sets, taken)) for spot in self.spots]

    def _all_at(self, spot: ClueSpot, sets: Env, taken: Mapping[str, Sequence[Choice]]) -> Iterator[Value]:
        for statement, env in spot.tellers:
            value = self._teller(statement, env).value(env, sets, taken)
            if value is not None:
                reader = self._readers[spot.param]
                if isinstance(value, str) and (reader == "list" or spot.param in self._columned):
                    _check_word(value, reader, spot.param, statement)
                value = _written(value, self._between[spot.param], statement)
                read = _as_read(value, reader, spot.param, statement)
                if read is not None:
                    _check_character(read, spot, self._lattices.get(spot.param), statement)
                    yield read


class _Teller:
    """A `clue`, compiled for one set of names that its `for` binds."""

    def __init__(self, statement: Clue, bound: frozenset[str], compiled: Compiled) -> None:
        scope, families = compiled.scope, compiled.lowered.families
        self.statement = statement
        names = bound | frozenset(families)
        inside = Within(scope, names)
        self._where = inside.tests(conjuncts(statement.where))
        self._family = None if statement.family is None else families[statement.family.id]
        indices = () if self._family is None else self._family.indices
        self._free = [(at, name) for at, name in enumerate(indices) if name not in bound]
        self._same = [(at, name) for at, name in enumerate(indices) if name in bound]
        within = Within(scope, names | frozenset(indices))
        self._among: list[Test] = within.tests(conjuncts(statement.among))
        self._value: Run | None = None if statement.value is None else within.compile(statement.value)
        # What each choice comes to is the same in all answers if nothing that is said of it names a family.
        mentioned = [*conjuncts(statement.among), *([] if statement.value is None else [statement.value])]
        self._lasting = not any(free_names(part) & frozenset(families) for part in mentioned)
        self._known: dict[int, dict[tuple[Value, ...], Any]] = {}  # per values of the bound names, and choice

    def value(self, bound: Env, sets: Env, taken: Mapping[str, Sequence[Choice]]) -> Value | None:
        """What it tells; None if nothing. bound: the bound names, the same object for the same spot, whoever asks.
        sets: those of all families."""
        env = {**sets, **bound}
        if not all(test(env) for test in self._where):
            return None
        if self._family is None:
            assert self._value is not None
            return self._value(env)  # type: ignore[no-any-return]
        kind = self.statement.kind
        if self._lasting:
            values = list(self._of_known(bound, env, taken[self._family.name]))
        else:
            values = list(self._of_choices(env, taken[self._family.name]))
        if kind == "choice":
            if len(set(values)) > 1:
                message = f"the clue would be both {abbreviate(values[0])} and {abbreviate(values[-1])}"
                raise EvalFault(Diagnostic("E445", message, self.statement.span))
            return values[0] if values else None
        if not all(type(value) is int for value in values):
            wrong = next(value for value in values if type(value) is not int)
            message = f"a `total` adds up whole numbers, and this is {kind_of(wrong)}: {abbreviate(wrong)}"
            raise EvalFault(Diagnostic("E445", message, self.statement.span))
        added: int = sum(values)
        return added

    def _of_known(self, bound: Env, env: Env, choices: Sequence[Choice]) -> Iterator[Any]:
        """As `_of_choices`, which is asked once about each choice."""
        known = self._known.setdefault(id(bound), {})
        for choice in choices:
            found = known.get(choice.args, UNASKED)
            if found is UNASKED:
                found = known[choice.args] = next(self._of_choices(env, (choice,)), NOTHING)
            if found is not NOTHING:
                yield found

    def _of_choices(self, env: Env, choices: Sequence[Choice]) -> Iterator[Any]:
        for choice in choices:
            if any(choice.args[at] != env[name] for at, name in self._same):
                continue
            for at, name in self._free:
                env[name] = choice.args[at]
            if all(test(env) for test in self._among):
                yield 1 if self._value is None else self._value(env)


def _written(value: Value, between: str, statement: Clue) -> Value:
    """A clue as it stands in the data: a number, or a text; a list is its parts, with `between` between them."""
    if isinstance(value, Seq) and all(type(part) is int or isinstance(part, str) for part in value.items):
        return (
            value.items[0] if len(value.items) == 1 and between == "," else between.join(map(show_value, value.items))
        )
    if type(value) is int or isinstance(value, str):
        return value
    message = f"a clue is a number, a text or a list of these, and this is {kind_of(value)}: {abbreviate(value)}"
    raise EvalFault(Diagnostic("E445", message, statement.span))


def _check_word(text: str, reader: str, param: str, statement: Clue) -> None:
    """Raise EvalFault E445 for a text that is no word of a list or a table: read back, it would be none, or several."""
    words = text.split()
    if words != [text]:
        what = "this has blanks in it" if words else "there is none in this"
        message = f"a clue in the {reader} `{param}` is one word, and {what}: {abbreviate(text)}"
        raise EvalFault(
            Diagnostic("E445", message, statement.span, f'write it as one, such as "{"".join(words) or "-"}"')
        )


def _check_character(value: Value, spot: ClueSpot, lattice: Lattice | None, statement: Clue) -> None:
    """Raise EvalFault E445 for a clue that no character in the picture of another lattice than squares is."""
    if lattice is None:
        return
    at = spot.key.at if type(spot.key) is LatticeCell else spot.key
    wrong = unfit(lattice, at, show_value(value))
    if wrong:
        message = f"a clue in `{spot.param}`, a grid of `{lattice.name}`, is a character, and this {wrong}"
        raise EvalFault(Diagnostic("E445", f"{message}: {abbreviate(value)}", statement.span))


def _as_read(value: Value, reader: str, param: str, statement: Clue) -> Value | None:
    """A clue as the reader of its param reads it where it is written; None if that is a blank. Raises EvalFault E445
    for text that stands in no place of a grid."""
    if not isinstance(value, str) or reader not in ("grid", "list", "table", "csv"):
        return value
    if reader == "csv":
        return scalar(value)
    words = value.split()
    if words != [value]:
        if reader != "grid":
            return value
        if not words:
            return None
        message = f"a clue in the grid `{param}` is one word, and this has blanks in it: {abbreviate(value)}"
        help = f'give it without blanks, such as "{"".join(words)}"'
        raise EvalFault(Diagnostic("E445", message, statement.span, help))
    return None if reader == "grid" and value in BLANK_WORDS else scalar(value)


@contextmanager
def _free_of_charge(scope: Scope) -> Iterator[None]:
    """What is evaluated within this context does not count against the limits of compiling afterwards, and values of
    functions that are kept meanwhile are forgotten."""
    budget, kept = scope.budget, scope.kept_values()
    values, steps = budget.values, budget.steps
    try:
        yield
    finally:
        budget.values, budget.steps = values, steps
        scope.forget_values(kept)


__all__ = [
    "ClueReader",
    "ClueSpot",
    "clue_spots",
    "clue_statements_of",
    "columned",
    "reader_of",
    "standing_clues",
    "with_clues",
    "without_clues",
]
