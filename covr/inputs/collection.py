"""The records of a file for one param: grids in all layouts that are in use, or the records that records.py finds; or
for several params, which stand there under their names (named_records.py).

If the param is a grid of known size, the first lines of the file show how grids are laid out in it (see
compiler/grids). Otherwise, or if no grid is found, the records are lines, blocks, or the texts under headers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from itertools import chain, islice

from covr.compiler import Compiled, FromText
from covr.compiler.entries import grid_size
from covr.compiler.evaluate import EvalFault
from covr.compiler.evaluate.values import Map, Set, Value
from covr.compiler.grids import Numbered, Shape, decide, without_xml
from covr.compiler.grids.one import map_of, taken_beside
from covr.compiler.grids.symbols import Takes
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.source import Source
from covr.faults import usage_error
from covr.frozen import frozen
from covr.inputs.named_records import named_records, named_values
from covr.inputs.records import LOOK_AHEAD, InputRecord, of_made_table, records_in, without_comments, without_count


@frozen
class Collection:
    """The records of a file. name: the param's, empty where records name their params, which are `names`.  path: the
    file's, for messages.  shape: how grids are laid out in it; None for other records.  columns: the number of columns
    of the grids; 0 if records are not grids of known size."""

    name: str
    path: str
    records: Iterator[InputRecord]
    shape: Shape | None = None
    columns: int = 0
    names: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """How the file is read, in words; empty if that is not worth mentioning."""
        return "" if self.shape is None else "; ".join(self.shape.words)

    @property
    def word(self) -> Callable[[str], str]:
        """A function that maps a character of a grid to the word that it stands for."""
        return str if self.shape is None else self.shape.symbols.word

    def values(self, record: InputRecord) -> dict[str, object]:
        """A record as data for the model. Raises ModelErrors if it names a param twice."""
        if not self.name:
            return named_values(record, self.path, self.names)
        return {self.name: self.data(record)}

    def data(self, record: InputRecord) -> object:
        """A record as a value for the param."""
        found, shape = record.grid, self.shape
        if found is None or shape is None or found.places is None:
            return FromText(record.text, self.path, plain=True, first=record.line)
        source = Source(self.path, found.numbered_text, first=found.first)
        return map_of(found, shape, self.columns, source, found.first)

    def solution(self, record: InputRecord) -> dict[Value, Value] | None:
        """The solution that the file gives beside a record, as place → value; None if it gives none."""
        text = None if record.grid is None else record.grid.solution
        if text is None or self.shape is None:
            return None
        placed = ((k, self.shape.symbols.value(char)) for k, char in enumerate(text))
        return {(k // self.columns + 1, k % self.columns + 1): v for k, v in placed if v is not None}


def open_collection(
    compiled: Compiled, name: str, path: str, lines: Iterable[str], column: str | None, eager: bool
) -> Collection:
    """The records in the lines of a file. name: empty for records that name their params.  column: which field of each
    line to read, by its name or its number from 1.

    eager: do not read ahead if the first line alone shows the layout, so that typed lines are answered at once.
    Raises ModelErrors E504 if there is no such column.
    """
    if not name:
        names = tuple([name for name, *_ in compiled.parameters])
        made, lines = of_made_table(iter(lines), lone=False)
        return Collection("", path, named_records(lines, path, names) if made is None else made, names=names)
    try:
        size = grid_size(compiled, name)
    except EvalFault:
        size = None
    if column is None:
        made, lines = of_made_table(iter(lines), lone=size is not None)
        if made is not None:
            return Collection(name, path, made)
    wanted = without_comments(lines)
    if size is None:
        if column is not None:
            raise usage_error("E504", f"`{name}` is no grid of known size, so no column `{column}` is read for it")
        ahead = without_count(list(islice(wanted, LOOK_AHEAD)))
        return Collection(name, path, records_in(ahead, chain(ahead, wanted)))
    rows, columns = size
    wanted = without_xml(wanted)
    ahead, whole = _ahead(wanted, rows * columns, eager and column is None)
    ahead = without_count(ahead)
    shape = decide(ahead, rows, columns, taken_by(compiled, name), whole, column)
    if shape is None:
        if column is not None and ahead:
            what = f"no column `{column}` that holds grids of {rows} rows of {columns}"
            raise usage_error("E504", f"`{path}` has {what}", help="write --each NAME=FILE:COLUMN, its name or number")
        return Collection(name, path, records_in(ahead, chain(ahead, wanted)), None, columns)
    return Collection(name, path, _records(shape, chain(ahead, wanted)), shape, columns)


def _ahead(lines: Iterator[Numbered], size: int, eager: bool) -> tuple[list[Numbered], bool]:
    """The first lines, as many as show how a file is laid out, and whether they are the whole file. size: how many
    places a grid has."""
    ahead: list[Numbered] = []
    for number, line in lines:
        ahead.append((number, line))
        if len(ahead) == LOOK_AHEAD:
            return ahead, False
        bare = line.strip()
        if bare:
            if eager and len(bare) == size and not bare.strip("0123456789."):
                return ahead, False
            eager = False
    return ahead, True


def _records(shape: Shape, lines: Iterator[Numbered]) -> Iterator[InputRecord]:
    for number, found in enumerate(shape.read(lines), 1):
        yield InputRecord(number, found.line, found.text, found.name, found)


def taken_by(compiled: Compiled, name: str) -> Takes:
    """A function that says which values the model accepts at a place, by trying them if that is quick."""
    default = next(d.value for d in compiled.model.definitions if d.name.id == name)
    beside = taken_beside(lambda: compiled.scope.evaluate(default))

    def taken(data: Map) -> bool:
        try:
            compiled.with_data({name: data})
        except ModelErrors:
            return False
        return True

    if not compiled.only_givens_use(frozenset([name])) or not taken(Map({})):
        return beside

    def takes(place: tuple[int, int], value: Value) -> bool:
        together = int("".join(map(str, value))) if isinstance(value, Set) else None
        return taken(Map({place: value})) and not (together is not None and taken(Map({place: together})))

    return takes
