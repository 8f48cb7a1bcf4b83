"""What clues an answer would give, and grids of clues whose entries each decide their own choices."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from attrs import field

from covr.compiler.compiled import Choice, Compiled
from covr.compiler.evaluate import Env, EvalFault, Run, Scope, Test
from covr.compiler.evaluate.bind import rebind
from covr.compiler.evaluate.blocks import scalar
from covr.compiler.evaluate.expressions import conjuncts, free_names
from covr.compiler.evaluate.picture_readers import misfit
from covr.compiler.evaluate.values import Map, Record, Seq, Set, Value, abbreviate, kind_of, show_value
from covr.compiler.grids.symbols import NOTHING as BLANK_WORDS
from covr.compiler.lattices import Lattice, LatticeCell
from covr.compiler.lower.families import FaultCollector, Lowering
from covr.compiler.lower.groups import Within
from covr.compiler.lower.lowered import Lowered
from covr.compiler.lower.marks import bound_givens, walked_groups
from covr.compiler.lower.walk import Walk
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.scope import walk
from covr.dsl.syntax import Call, Clue, Given, Index, Name, Param, Pattern, ReaderBlock, TuplePattern
from covr.engine.problem import Circuit, UnionFind
from covr.frozen import frozen

# --- clues -----------------------------------------------------------------------------------------------------------
# `clue` statements: what the clues in the params of a model would be, given an answer.
#
# A *spot* is a place in a param where a clue may stand: what a `clue` names for one binding of its `for`. Spots are
# read from the model with its own data. The *blank* model has at each spot what `else` says, or nothing, and all other
# data. Where several statements or bindings name the same spot, the first that has a value counts.
#
# In the value of a `clue`, the name of a family stands for the set of its choices that are taken: each is the tuple of
# its indices, or the index itself, if there is one. `count of F`, `total EXPR of F` and `EXPR of F` go through the
# taken choices of one family; a name that the statement's `for` binds and that is an index of the family, too, has the
# same value in both. `EXPR of F` has no value if no choice meets the condition.
#
# A clue is what it is when it is read back: in what `grid`, `list` and `table` read, digits are a number even where the
# statement gives them as text, and in a grid a blank is no clue.
#
# Reading answers is no part of compiling, so what the scope has counted is set back afterwards.


NOT_YET_KNOWN, NOTHING = object(), object()  # of a choice: not known yet, and that it plays no part
LOOKED_AT = 4_000  # choices at all spots together that are asked what clues can be: some 20 ms
Key = Any  # of an entry of a param: what stands in the brackets, as a tuple if there are several


@frozen
class ClueSpot:
    """A place in a param where a clue may stand. other: what stands there if the clue is left out; None: nothing.
    statements: the statements that tell what it is, each with the values of the names that lead there."""

    param: str
    key: Key
    other: Value | None = field(eq=False)
    statements: tuple[tuple[Clue, Env], ...] = field(eq=False, repr=False)


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


def with_clues(compiled: Compiled, spots: Sequence[ClueSpot], clue_values: Sequence[Value | None]) -> dict[str, Value]:
    """The same with a clue at each spot for which `told` has one. compiled: the model with its own data."""
    changed: dict[str, dict[Key, Value | None]] = {}
    for spot, value in zip(spots, clue_values, strict=True):
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
        self._formulas: dict[tuple[int, frozenset[str]], _ClueFormula] = {}
        with FaultCollector.raising():
            for spot in spots:
                for statement, env in spot.statements:
                    self._formula(statement, env)

    def _formula(self, statement: Clue, env: Env) -> _ClueFormula:
        key = id(statement), frozenset(env)
        found = self._formulas.get(key)
        if found is None:
            found = self._formulas[key] = _ClueFormula(statement, frozenset(env), self._compiled)
        return found

    def clue_values(self, answer: Sequence[int]) -> list[Value | None]:
        """What the clue at each spot would be, given an answer; None where none could stand. Raises ModelErrors."""
        with FaultCollector.raising(), _free_of_charge(self._compiled.scope):
            sets, taken = self._taken(answer)
            clue_values = [next(self._all_at(spot, sets, taken), None) for spot in self.spots]
            return [None if value == spot.other else value for spot, value in zip(self.spots, clue_values, strict=True)]

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
        for statement, env in spot.statements:
            value = self._formula(statement, env).value(env, sets, taken)
            if value is not None:
                reader = self._readers[spot.param]
                if isinstance(value, str) and (reader == "list" or spot.param in self._columned):
                    _check_word(value, reader, spot.param, statement)
                value = _written(value, self._between[spot.param], statement)
                read = _as_read(value, reader, spot.param, statement)
                if read is not None:
                    _check_character(read, spot, self._lattices.get(spot.param), statement)
                    yield read

    def possible(self) -> dict[str, set[Value]]:
        """What the clues in each param can be, as far as single choices tell; left out are params of which they don't.
        A count is at most the number of its choices, and of those of a loop what can be taken before it closes."""
        choices = [
            self._compiled.choice(o) for o in range(self._compiled.problem.options) if not self._compiled.is_own(o)
        ]
        loops = [{o: (u, v) for o, u, v in x.ends} for x in self._compiled.problem.sides if isinstance(x, Circuit)]
        found: dict[str, set[Value]] = {spot.param: set() for spot in self.spots}
        with _free_of_charge(self._compiled.scope):
            for spot in self.spots[:: 1 + len(self.spots) * len(choices) // LOOKED_AT]:
                for statement, env in spot.statements:
                    each = self._formula(statement, env).each(env, choices)
                    if each is None:
                        found.pop(spot.param, None)
                    elif spot.param in found and statement.kind == "choice":
                        found[spot.param].update(each.values())
                    elif spot.param in found:
                        ends = next((x for x in loops if each.keys() <= x.keys()), None)
                        part = UnionFind()  # of what a loop has not closed
                        most = sum(each.values()) if ends is None else sum([part.join(*ends[o]) for o in each])
                        found[spot.param].update(range(most + 1))
        return found


class _ClueFormula:
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
        """The value of the clue; None if it has none. bound: the bound names, always the same object for the same spot.
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

    def each(self, bound: Env, choices: Sequence[Choice]) -> dict[int, Any] | None:
        """What every choice comes to that counts for the clue, by its number; None if single choices don't tell."""
        if self._family is None or not self._lasting:
            return None
        own = [choice for choice in choices if choice.family == self._family.name]
        known = ((choice.number, list(self._of_known(bound, dict(bound), (choice,)))) for choice in own)
        return {number: values[0] for number, values in known if values}

    def _of_known(self, bound: Env, env: Env, choices: Sequence[Choice]) -> Iterator[Any]:
        """As `_of_choices`, which is asked once about each choice."""
        known = self._known.setdefault(id(bound), {})
        for choice in choices:
            found = known.get(choice.args, NOT_YET_KNOWN)
            if found is NOT_YET_KNOWN:
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
    if text.split() != [text]:
        raise _no_word(text, reader, param, statement, "write it as one")


def _no_word(text: str, reader: str, param: str, statement: Clue, cure: str) -> EvalFault:
    """The fault of a clue that is no word or several."""
    words = text.split()
    what = "this has blanks in it" if words else "there is none in this"
    message = f"a clue in the {reader} `{param}` is one word, and {what}: {abbreviate(text)}"
    return EvalFault(Diagnostic("E445", message, statement.span, f'{cure}, such as "{"".join(words) or "-"}"'))


def _check_character(value: Value, spot: ClueSpot, lattice: Lattice | None, statement: Clue) -> None:
    """Raise EvalFault E445 for a clue that no character in the picture of another lattice than squares is."""
    if lattice is None:
        return
    at = spot.key.at if type(spot.key) is LatticeCell else spot.key
    wrong = misfit(lattice, at, show_value(value))
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
        raise _no_word(value, reader, param, statement, "give it without blanks")
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


def possible_clues(compiled: Compiled) -> dict[str, list[Value]]:
    """What clues in the grids of a model can be, in order: as its `clue` statements tell, or its `given` statements of
    what stands there. Without grids of which these don't tell it. Raises ModelErrors as `clue_spots` does."""
    found: dict[str, set[Value]] = {}
    for statement in (x for x in compiled.model.statements if isinstance(x, Given)):
        family = compiled.lowered.families[statement.family.id]
        for at, arg in enumerate(statement.args):
            if isinstance(arg, Index) and isinstance(arg.of, Name):
                found.setdefault(arg.of.id, set()).update(choice[at] for choice in family.choices)
    spots = [spot for spot in clue_spots(compiled) if reader_of(compiled, spot.param) == "grid"]
    found |= ClueReader(compiled, spots).possible()
    plain = {name: [v for v in values if type(v) is int or isinstance(v, str)] for name, values in found.items()}
    return {name: sorted(values, key=lambda v: (isinstance(v, str), v)) for name, values in plain.items() if values}


# --- entries ---------------------------------------------------------------------------------------------------------
# Grids of clues in which each entry decides its own given choices, whatever the other entries are.
#
# `given place(r, c, clue[r, c]) for (r, c) in clue where clue[r, c] != 0` derives givens from each entry separately. So
# the choice that an entry gives is worked out once for each value that occurs, for all places together, and looked up
# for all further grids.
#
# This holds if the param is a `grid` of known size without a condition, only `given` statements depend on it, and each
# of those binds its keys in one `for (r, c) in clue` and mentions it otherwise only as `clue[r, c]`. Other models, and
# grids with an entry that is faulty or gives more than one choice, are evaluated grid by grid.


Place = tuple[int, int]

CODES = 128  # how many characters can be looked up: those of ASCII
BLANK = "._"  # the characters that the reader `grid` takes for blanks
UNKNOWN = -2
FAULTY = -3


class Entries:
    """The option that each entry of one param gives, looked up by place and character. Made by `find_entries`.

    base: the model with an empty grid; rows, columns: the size of the grid.
    table: for each place of the grid, row by row, and each ASCII character, the option that the character gives there;
    -1 if it gives none; UNKNOWN if `learn` has not been asked about it, or if the grid must be evaluated in the
    ordinary way; FAULTY if it makes any grid faulty.
    word: turns a character into the word that it stands for.
    """

    word: Callable[[str], str] = staticmethod(str)

    def __init__(self, base: Compiled, name: str, rows: int, columns: int, givens: list[Given]) -> None:
        self.base, self.name, self.rows, self.columns = base, name, rows, columns
        self.table = array("i", [UNKNOWN]) * (CODES * rows * columns)
        self._givens = givens
        self._learnt = set(BLANK)
        for place in range(rows * columns):
            for character in BLANK:
                self.table[CODES * place + ord(character)] = -1

    def learn(self, characters: Iterable[str]) -> None:
        """Work out what these characters give at every place. Where that fails, the table stays UNKNOWN."""
        for character in characters:
            known = character in self._learnt or not character.isascii()
            if not known and character.isprintable() and character != " ":
                self._learnt.add(character)
                every = [(r, c) for r in range(1, self.rows + 1) for c in range(1, self.columns + 1)]
                if not self._learn(character, every):
                    for place in every:
                        self._learn(character, [place])

    def _learn(self, character: str, places: list[Place]) -> bool:
        try:
            gives: dict[Place, list[int]] = {place: [] for place in places}
            for place, option in self._evaluate(dict.fromkeys(places, scalar(self.word(character)))):
                gives[place].append(option)
        except KeyError:
            return False
        except (EvalFault, ModelErrors):
            if len(places) == 1:
                self.table[CODES * self._number(places[0]) + ord(character)] = FAULTY
            return False
        for (r, c), options in gives.items():
            if len(options) < 2:
                self.table[CODES * self._number((r, c)) + ord(character)] = options[0] if options else -1
        return True

    def _number(self, place: Place) -> int:
        return (place[0] - 1) * self.columns + place[1] - 1

    def _evaluate(self, grid: Mapping[Place, object]) -> Iterator[tuple[Place, int]]:
        """Each entry of a grid with the options it gives."""
        scope = rebind(self.base.scope, {self.name: grid})
        lowered = self.base.lowered
        for statement in self._givens:
            pattern = _pattern(statement)
            assert pattern is not None
            lowering = Lowering(self.base.model, scope, lowered)
            for env, given in bound_givens(statement, lowering):
                key = env[pattern[0]] if len(pattern) == 1 else tuple(env[n] for n in pattern)
                option = lowered.choice_options[given.number]
                if option < 0:
                    raise KeyError("a choice that is forbidden")
                yield key, option
            if lowering.dropped:
                raise KeyError("a given that removes choices")


def find_entries(compiled: Compiled, name: str) -> Entries | None:
    """The entries of a param if each decides its own givens; None if the model does not show that they do."""
    model, scope = compiled.model, compiled.scope
    params = [d for d in model.definitions if isinstance(d, Param) and d.name.id == name]
    if len(params) != 1 or params[0].where is not None or not compiled.only_givens_use(frozenset([name])):
        return None
    if any(name in scope.depends(d.name.id) for d in model.definitions):
        return None
    mentioning = [s for s in model.statements if isinstance(s, Given) and _mentions(s, name)]
    if not all(_each_for_itself(s, name) for s in mentioning):
        return None
    try:
        size = grid_size(compiled, name)
        return None if size is None else Entries(compiled.with_data({name: {}}), name, *size, mentioning)
    except (EvalFault, ModelErrors):
        return None


def grid_size(compiled: Compiled, name: str) -> Place | None:
    """The rows and columns of a param that is a grid of known size; None for any other param. Raises EvalFault."""
    reader = next((d.value for d in compiled.model.definitions if isinstance(d, Param) and d.name.id == name), None)
    if isinstance(reader, syn.ReaderBlock) and reader.name.id == "grid":
        args = reader.args
    elif isinstance(reader, syn.Call) and reader.function.id == "grid":
        args = reader.args[:-1]
    else:
        return None
    values = [compiled.scope.evaluate(a) for a in args]
    if len(values) == 2 and all(type(v) is int and v > 0 for v in values):
        return values[0], values[1]  # type: ignore[return-value]
    return None


def _mentions(statement: object, name: str) -> int:
    return sum(isinstance(node, Name) and node.id == name for node in walk(statement))


def _pattern(statement: Given) -> tuple[str, ...] | None:
    """The names that the only generator binds to a key."""
    if len(statement.generators) != 1 or len(statement.generators[0].patterns) != 1:
        return None
    pattern: Pattern = statement.generators[0].patterns[0]
    if isinstance(pattern, Name):
        return (pattern.id,)
    parts = pattern.items if isinstance(pattern, TuplePattern) else ()
    names = tuple(p.id for p in parts if isinstance(p, Name))
    return names if len(names) == len(parts) == len(set(names)) == 2 else None


def _each_for_itself(statement: Given, name: str) -> bool:
    names = _pattern(statement)
    if names is None:
        return False
    over = statement.generators[0].over
    looked_up = sum(
        isinstance(node, Index)
        and isinstance(node.of, Name)
        and node.of.id == name
        and tuple(a.id if isinstance(a, Name) else "" for a in node.args) == names
        for node in walk(statement)
    )
    return isinstance(over, Name) and over.id == name and _mentions(statement, name) == 1 + looked_up
