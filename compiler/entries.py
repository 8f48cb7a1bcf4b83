"""Grids of clues in which each entry decides its own given choices, whatever the other entries are.

`given place(r, c, clue[r, c]) for (r, c) in clue where clue[r, c] != 0` derives givens from each entry of `clue`
separately. In such a model a thousand grids need not be evaluated a thousand times: the choice that an entry gives is
worked out once for each value that occurs, for all places together, and then looked up.

This holds if the param is a `grid` of known size without a condition of its own, only `given` statements depend on it,
and each of those that mentions it binds its keys in one `for (r, c) in clue` and mentions it otherwise only as
`clue[r, c]`, with the same names. Any other model is evaluated grid by grid. So is a grid with an entry that is faulty
or gives more than one choice, so that the messages are those of ordinary evaluation.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping

from covr.compiler.compiled import Compiled
from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.bind import rebind
from covr.compiler.evaluate.blocks import scalar
from covr.compiler.lower.marks import bound_givens
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import Given, Index, Name, Param, Pattern, TuplePattern
from covr.dsl.walk import walk

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
            family = lowered.families[statement.family.id]
            removed: dict[int, Given] = {}
            for env, given in bound_givens(statement, family, lowered.declared, scope, removed):
                key = env[pattern[0]] if len(pattern) == 1 else tuple(env[n] for n in pattern)
                option = lowered.choice_options[given.number]
                if option < 0:
                    raise KeyError("a choice that is forbidden")
                yield key, option
            if removed:
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
