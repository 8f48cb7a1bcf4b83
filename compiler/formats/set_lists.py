"""A 0/1 matrix in CSV or of numpy; lists of sets, OR-Library's covers, hypergraphs and graphs to cover or hit."""

from __future__ import annotations

import ast
import csv
import re
import struct
from collections.abc import Iterator

from covr.compiler.formats.draft import (
    LIMITS,
    MOST_WORDS,
    Draft,
    FormatFault,
    Numbers,
    Word,
    brief,
    filled_lines,
    left_out,
    note,
)
from covr.engine import Problem

# --- sets ------------------------------------------------------------------------------------------------------------
# Plain lists of sets: the fewest of them that together contain everything. Items are all members, in order of first
# use.
#
#     # who solves what
#     ann: 1 2
#     bob: 4 |3
#     1 3
#
# Each line is a set: words, perhaps after a name and a colon; a cost other than 1 stands after a bar.


def read_sets(text: str) -> Problem:
    """The problem of a list of sets; a set without a name is named by its number. Time linear in the text. Raises
    FormatFault, a ValueError, with the place of the first wrong word."""
    draft, numbers = Draft(goal=True), dict[str, int]()
    for words in filled_lines(text, ("#", "//")):
        name = f"set {draft.options + 1}"
        if words[0].text.endswith(":"):
            name = words.pop(0).text[:-1] or name
        cost = 1
        members: dict[int, int] = {}
        for at, word in enumerate(words):
            if word.text.startswith("|"):
                if at < len(words) - 1:
                    raise words[at + 1].fault("something stands after the cost of the set")
                cost = Word(word.text[1:], word.line, word.column + 1).number(signed=True)
                continue
            if word.text not in numbers:
                numbers[word.text] = draft.item(word.text, 1, 1)
            i = numbers[word.text]
            if i in members:
                raise word.fault(f"`{brief(word.text)}` is in the set twice")
            members[i] = 0
        draft.option(name, members.items(), cost)
    if not draft.options:
        raise FormatFault(1, "there are no sets")
    draft.high = [draft.options] * len(draft.high)
    return draft.problem()


# --- scp -------------------------------------------------------------------------------------------------------------
# The OR-Library's set covering and set partitioning problems: rows to be covered by columns with costs.
#
# The files consist of whole numbers separated by white space. In scp41 … scpe5 these are: the numbers of rows and of
# columns; the cost of every column; then, for every row, how many columns cover it, and their numbers from 1. In the
# railway files rail507 … they are: the numbers of rows and of columns; then, for every column, its cost, how many rows
# it covers, and their numbers from 1. In both, a row is an item with low = 1 and no upper bound, and a column is an
# option. The crew pairings of airlines (sppaa01 …, sppnw01 …) look like the railway files, but every row is to be
# covered exactly once. A number that is given twice counts once.
#
# Source: J. E. Beasley, OR-Library, "scpinfo" and "sppinfo".


def read_scp(text: str) -> Problem:
    """The problem that an OR-Library set covering file holds; items and options are named by their numbers from 1.
    Raises FormatFault, a ValueError, with the place of the first wrong number. Time linear in the text."""
    numbers = Numbers(text)
    rows, columns = numbers.size(), numbers.size()
    costs = [numbers.next() for _ in range(columns)]
    held: list[dict[int, int]] = [{} for _ in range(columns)]
    for row in range(rows):
        for _ in range(numbers.size()):
            held[numbers.index(columns, "column")][row] = 0
    numbers.end()
    return _problem(rows, held, costs)


def read_rail(text: str) -> Problem:
    """The problem that a railway file holds; otherwise as `read_scp`."""
    return _problem(*_by_columns(text))


def read_spp(text: str) -> Problem:
    """The problem of a file of crew pairings, whose rows are covered exactly once; otherwise as `read_scp`."""
    return _problem(*_by_columns(text), most=1)


def _by_columns(text: str) -> tuple[int, list[dict[int, int]], list[int]]:
    """The number of rows, and the rows and the cost of every column."""
    numbers = Numbers(text)
    rows, columns = numbers.size(), numbers.size()
    costs, held = [], []
    for _ in range(columns):
        costs.append(numbers.next())
        held.append({numbers.index(rows, "row"): 0 for _ in range(numbers.size())})
    numbers.end()
    return rows, held, costs


def _problem(rows: int, held: list[dict[int, int]], costs: list[int], most: int | None = None) -> Problem:
    """most: how often a row may be covered; None: any number of times."""
    draft = Draft(goal=True)
    for row in range(rows):
        draft.item(f"row {row + 1}", 1, max(len(held), 1) if most is None else most)
    for column, (members, cost) in enumerate(zip(held, costs, strict=True), 1):
        draft.option(f"column {column}", members.items(), cost)
    return draft.problem()


# --- hgr -------------------------------------------------------------------------------------------------------------
# Hypergraphs: the fewest vertices that meet every edge (hitting set).
#
#     c a comment                      % a comment
#     p hs 4 2                         2 4
#     1 2                              1 2
#     2 3 4                            2 3 4
#
# On the left is the format of the PACE challenge 2025: after `p hs`, the numbers of vertices and edges. On the right is
# that of hMETIS: the numbers of edges and vertices and, if there is a third number, 1 if a weight stands first in each
# edge, 10 if lines with the vertices' weights follow, 11 for both. Each edge is a line of vertices, numbered from 1. A
# vertex is an option that costs its weight or 1; an edge is an item to be covered at least once. Weights of edges are
# ignored.


KINDS = {"1": (True, False), "10": (False, True), "11": (True, True)}


def read_hgr(text: str) -> Problem:
    """The problem of a hypergraph; vertices and edges are named by their numbers. Time linear in the text. Raises
    FormatFault, a ValueError, with the place of the first wrong word."""
    lines = filled_lines(text, ("c", "%", "#", "//"))
    head = next(lines, None)
    if head is None:
        raise FormatFault(1, "there is no hypergraph")
    weighted = costly = False
    if head[0].text == "p":
        if len(head) != 4 or head[1].text != "hs":
            raise head[0].fault("the first line must be `p hs`, the number of vertices and that of edges")
        vertices, edges = _size(head[2], text), _size(head[3], text)
    else:
        if len(head) not in (2, 3) or (len(head) == 3 and head[2].text not in (*KINDS, "0")):
            raise head[0].fault("the first line must be the numbers of edges and vertices, and perhaps 1, 10 or 11")
        edges, vertices = _size(head[0], text), _size(head[1], text)
        weighted, costly = KINDS.get(head[2].text, (False, False)) if len(head) == 3 else (False, False)
    held: list[list[tuple[int, int]]] = [[] for _ in range(vertices)]
    draft = Draft(goal=True)
    for edge in range(edges):
        words = _line(lines, head, f"edge {edge + 1} of {edges}")
        draft.item(f"edge {edge + 1}", 1, max(vertices, 1))
        for vertex in dict.fromkeys(_vertex(word, vertices) for word in words[weighted:]):
            held[vertex].append((edge, 0))
    costs = [1] * vertices
    if costly:
        costs = [_line(lines, head, f"the weight of vertex {v + 1}")[0].number() for v in range(vertices)]
    for more in lines:
        raise more[0].fault("there are more lines than the first one announces")
    for v in range(vertices):
        draft.option(f"vertex {v + 1}", held[v], costs[v])
    return draft.problem()


def _size(word: Word, text: str) -> int:
    """A number of vertices or edges. Raises FormatFault if a file of this length cannot have so many."""
    size = word.number()
    if size > 10 * len(text) + 1000:
        raise word.fault(f"{size} are more than the file has room for")
    return size


def _line(lines: Iterator[list[Word]], head: list[Word], what: str) -> list[Word]:
    words = next(lines, None)
    if words is None:
        raise head[0].fault(f"the file ends before {what}")
    return words


def _vertex(word: Word, vertices: int) -> int:
    number = word.number()
    if not 1 <= number <= vertices:
        raise word.fault(f"there is no vertex {number}: there are {vertices}")
    return number - 1


# --- graph -----------------------------------------------------------------------------------------------------------
# Graphs: the fewest vertices that meet every edge (vertex cover), or such that every other vertex is a neighbour of
# one of them (dominating set).
#
#     c a comment                  c DIMACS
#     p ds 4 3                     p edge 4 3
#     1 2                          e 1 2
#     2 3                          e 2 3
#     3 4                          e 3 4
#
# PACE's `.gr`: `p ds` asks for a dominating set (PACE 2025), `p td` and `p vc` for a vertex cover (PACE 2019), with the
# numbers of vertices and edges. DIMACS's `.col` says `p edge` or `p col`, and edges begin with `e`. If the file does
# not say what it asks for, it is a vertex cover, or what the format's name says (`ds`, `vc`). A vertex is an option of
# cost
# 1. An edge that is given twice, or in both directions, counts once; a vertex with a loop is in every vertex cover.


DOMINATING, COVER = "ds", "vc"
GRAPH_KINDS = {"ds": DOMINATING, "td": COVER, "vc": COVER, "edge": "", "edges": "", "col": ""}
PROBLEMS = "`p ds`, `p td`, `p vc` or `p edge`"
COMMENTS = ("c", "%", "#", "//")


def read_graph(text: str) -> Problem:
    """The problem that a graph's first line names; a vertex cover if it names none. Time linear in the text. Raises
    FormatFault, a ValueError, with the place of the first wrong word."""
    return _read(text, "")


def read_dominating(text: str) -> Problem:
    """A dominating set of the graph; otherwise as `read_graph`."""
    return _read(text, DOMINATING)


def read_vertex_cover(text: str) -> Problem:
    """A vertex cover of the graph; otherwise as `read_graph`."""
    return _read(text, COVER)


def _read(text: str, wanted: str) -> Problem:
    lines = filled_lines(text, COMMENTS)
    head = next(lines, None)
    if head is None:
        raise FormatFault(1, "there is no graph")
    if head[0].text != "p" or len(head) < 4:
        raise head[0].fault(f"the first line must be {PROBLEMS}, and the numbers of vertices and edges")
    if head[1].text not in GRAPH_KINDS:
        raise head[1].fault(f"covr reads {PROBLEMS}, not `p {brief(head[1].text)}`")
    vertices, announced = _size(head[2], text), _size(head[3], text)
    edges: dict[tuple[int, int], None] = {}
    count = 0
    for words in lines:
        if words[0].text == "n" and len(words) == 3:  # DIMACS: a vertex's weight or colour, which means nothing here
            continue
        ends = words[1:] if words[0].text in ("e", "a") else words
        if len(ends) != 2:
            raise words[0].fault("an edge is two vertices")
        u, v = sorted(_vertex(word, vertices) for word in ends)
        edges[u, v] = None
        count += 1
        # The number of edges in a DIMACS file may count each edge once or, in some files, in both directions.
        if count > 2 * announced:
            raise words[0].fault("there are more edges than the first line announces")
    if count < announced and not (head[1].text in ("edge", "edges", "col") and 2 * count >= announced):
        raise head[3].fault(f"{announced} edges are announced, and there are {count}")
    draft = Draft(goal=True)
    held: list[list[tuple[int, int]]] = [[] for _ in range(vertices)]
    if (wanted or GRAPH_KINDS[head[1].text] or COVER) == DOMINATING:
        _dominate(draft, held, edges)
    else:
        for u, v in edges:
            item = draft.item(f"edge {u + 1} {v + 1}", 1, 2)
            for vertex in {u: None, v: None}:
                held[vertex].append((item, 0))
    for v in range(vertices):
        draft.option(f"vertex {v + 1}", held[v], 1)
    return draft.problem()


def _dominate(draft: Draft, held: list[list[tuple[int, int]]], edges: dict[tuple[int, int], None]) -> None:
    """Add an item for each vertex, which the vertex and its neighbours cover."""
    near: list[list[int]] = [[v] for v in range(len(held))]
    for u, v in edges:
        if u != v:
            near[u].append(v)
            near[v].append(u)
    for v, around in enumerate(near):
        draft.item(f"vertex {v + 1}", 1, len(around))
        for u in around:
            held[u].append((v, 0))


# --- matrix csv ------------------------------------------------------------------------------------------------------
# A 0/1 matrix in CSV: each row is an option, each column an item to be covered exactly once.
#
#     piece,a,b,c          an optional line with names for the columns
#     left,1,0,1           an optional name for the row in the first field
#     right,0,1,0
#
# Commas, semicolons, tabs or white space separate the fields, whichever the first line uses; a line that consists of
# digits only is a row, too (`101`). An empty field stands for 0, and numbers may be floats, as numpy's savetxt writes
# them. Lines that begin with `#` or `//` are comments, and a first line may say how many rows and columns follow. A row
# that contains only 0 covers nothing; it is left out, with a remark.
#
# A first line may also say how many columns follow, and how many of these, the first ones, are secondary, as dlx-cpp
# has it (github.com/jlaire/dlx-cpp). A secondary column is covered at most once. As with Knuth, a row that is in no
# other column is in no answer, and is left out silently.


VALUES = {"0": 0, "1": 1, "": 0, "0.0": 0, "1.0": 1, "false": 0, "true": 1}
FLOAT = re.compile(r"[-+]?\d+(?:\.\d*)?(e[-+]?\d+)?")
LONGEST_NUMBER = 40  # how many characters a number may have


class MatrixRows:
    """The rows of a matrix while it is read. Rows without a 1 are left out, and a remark at the end names them."""

    def __init__(self, columns: list[str], secondary: int = 0) -> None:
        """secondary: how many of the columns, from the first, may stay uncovered."""
        self._draft = Draft()
        self._empty: list[str] = []
        self._secondary = secondary
        for at, name in enumerate(columns):
            self._draft.item(name, int(at >= secondary), 1)

    def add(self, name: str, columns: list[int]) -> None:
        """Add a row by the columns that hold a 1, increasing."""
        if columns:
            if columns[-1] >= self._secondary:
                self._draft.option(name, [(column, 0) for column in columns])
        else:
            self._empty.append(name)

    def problem(self) -> Problem:
        """The problem made of the rows that were added, without those that have no 1."""
        if self._empty:
            note(left_out("row", self._empty))
        return self._draft.problem()


def read_csv(text: str) -> Problem:
    """The problem of a 0/1 matrix; rows and columns without names are named by their numbers. Time linear in the text.
    Raises FormatFault, a ValueError, with the place of the first wrong field."""
    rows, total = [], 0
    for line, fields in _rows(text):
        rows.append((line, fields))
        total += len(fields)
        if total > MOST_WORDS:
            raise FormatFault(line, f"there are more than {MOST_WORDS} fields")
    if not rows:
        raise FormatFault(1, "there are no rows")
    secondary = 0
    if len(rows) > 1 and is_size(rows[0][1], rows[1][1]):
        del rows[0]
    elif len(rows) > 1 and (found := secondary_of(rows[0][1], rows[1][1])) is not None:
        secondary = found
        if secondary:
            note(f"the first line says that {secondary} of {rows[0][1][0]} columns, the first ones, may stay uncovered")
        del rows[0]
    line, first = rows[0]
    header = first if any(value_of(f) is None for f in first[1:]) or _only_name(rows) else []
    body = rows[1:] if header else rows
    named = any(fields and value_of(fields[0]) is None for _, fields in body)
    width = len(first) - named
    if width < 1:
        raise FormatFault(line, "there are no columns")
    names = header[named:] if header else [f"column {k + 1}" for k in range(width)]
    matrix = MatrixRows(names, secondary)
    for number, (line, fields) in enumerate(body, 1):
        if len(fields) != width + named:
            raise FormatFault(line, f"there are {len(fields)} fields where the first line has {len(first)}")
        members = []
        for column, value in enumerate(fields[named:]):
            bit = value_of(value)
            if bit is None:
                raise FormatFault(line, f"`{brief(value)}` in column {column + 1 + named} is neither 0 nor 1")
            if bit:
                members.append(column)
        matrix.add(fields[0] if named else f"row {number}", members)
    return matrix.problem()


def value_of(field: str) -> int | None:
    """The value of a field, 0 or 1; None if it is neither."""
    value = VALUES.get(field)
    if value is not None:
        return value
    lowered = field.lower()
    if len(field) < LONGEST_NUMBER and FLOAT.fullmatch(lowered):
        number = float(lowered)
        return int(number) if number in (0, 1) else None
    return VALUES.get(lowered)


def is_size(first: list[str], second: list[str]) -> bool:
    """Whether a first line says how many rows and columns follow."""
    if len(first) != 2 or not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in first):
        return False
    return _width(second) == int(first[1]) and (_width(second) != 2 or int(first[0]) > 1)


def secondary_of(first: list[str], second: list[str]) -> int | None:
    """How many of the columns are secondary, if a first line says how many columns there are, and perhaps that; None if
    it does not, and if it may be a row itself."""
    if not 1 <= len(first) <= 2 or not all(part.isascii() and part.isdecimal() and len(part) < 9 for part in first):
        return None
    width, secondary = int(first[0]), int(first[1]) if len(first) == 2 else 0
    may_be_row = _width(first) == _width(second) and not "".join(first).strip("01")
    return secondary if width == _width(second) and secondary <= width and not may_be_row else None


def _width(row: list[str]) -> int:
    return len(row[0]) if len(row) == 1 and not row[0].strip("01") else len(row)


def _only_name(rows: list[tuple[int, list[str]]]) -> bool:
    """Whether the first of the rows is the header of a matrix with one column."""
    first = rows[0][1]
    return len(first) == 1 and value_of(first[0]) is None


def _rows(text: str) -> Iterator[tuple[int, list[str]]]:
    every = enumerate(text.split("\n"), 1)
    lines = [(n, line) for n, line in every if line.strip() and not line.lstrip().startswith(("#", "//"))]
    separator = next((s for s in ",;\t" if lines and s in lines[0][1]), None)
    for number, line in lines:
        if separator is not None:
            try:
                yield number, [field.strip() for field in next(csv.reader([line], delimiter=separator, strict=True))]
            except csv.Error as error:
                from covr.compiler.evaluate.table_readers import csv_fault

                raise FormatFault(number, f"this is not csv: {csv_fault(error)}") from None
        else:
            fields = line.split()
            yield number, list(fields[0]) if len(fields) == 1 and set(fields[0]) <= {"0", "1"} else fields


# --- npy -------------------------------------------------------------------------------------------------------------
# A 0/1 matrix as numpy saves it (`.npy`): each row is an option, each column an item to be covered exactly once.
#
# The header gives the type and the shape of the entries that follow; numpy itself is not needed to read them. Truth
# values, whole numbers and floats of any size and byte order are read, as long as each is 0 or 1. Python objects are
# not.
#
# Source: numpy.lib.format, versions 1 to 3.


MAGIC = b"\x93NUMPY"
# numpy's letter and size for a type → the letter of the module struct.
TYPES = {
    "b1": "B", "i1": "b", "u1": "B", "i2": "h", "u2": "H", "i4": "i", "u4": "I", "i8": "q", "u8": "Q",
    "f2": "e", "f4": "f", "f8": "d",
}  # fmt: skip
LONGEST_HEADER = 10_000
LARGEST_NUMBER = 1 << 63  # of a shape: numpy has no larger


def read_npy(data: bytes) -> Problem:
    """The problem of a saved matrix; rows and columns are named by their numbers. Time linear in the file. Raises
    FormatFault, a ValueError, if the data is not such a matrix."""
    kind, order, fortran, (rows, columns), body = _header(data)
    size = struct.calcsize(order + kind)
    if rows * columns * size != len(data) - body:
        wanted = rows * columns * size
        raise FormatFault(1, f"{rows} rows of {columns} want {wanted} bytes, and {len(data) - body} follow")
    if columns < 1:
        raise FormatFault(1, "there are no columns")
    if columns > LIMITS.items or rows > LIMITS.options:
        raise FormatFault(1, f"{rows} rows of {columns} are more than covr takes")
    found = MatrixRows([f"column {k + 1}" for k in range(columns)])
    held: list[list[int]] = [[] for _ in range(rows)]
    view = memoryview(data)[body:]
    for at, (value,) in enumerate(struct.iter_unpack(order + kind, view)):
        if value == 0:
            continue
        row, column = (at % rows, at // rows) if fortran else divmod(at, columns)
        if value != 1:
            raise FormatFault(1, f"{value} in row {row + 1}, column {column + 1} is neither 0 nor 1")
        held[row].append(column)
    for number, columns_ in enumerate(held, 1):
        found.add(f"row {number}", columns_)
    return found.problem()


def _header(data: bytes) -> tuple[str, str, bool, tuple[int, int], int]:
    """Type, byte order, whether columns come first, shape, and where the entries begin."""
    if not data.startswith(MAGIC) or len(data) < 10:
        raise FormatFault(1, "this is no file that numpy saved")
    wide = data[6] >= 2
    begin = 12 if wide else 10
    length = int.from_bytes(data[8:begin], "little")
    if length > LONGEST_HEADER or begin + length > len(data):
        raise FormatFault(1, "the header is cut, or damaged")
    try:
        header = ast.literal_eval(data[begin : begin + length].decode("utf-8").strip())
        descr, fortran, shape = header["descr"], header["fortran_order"], header["shape"]
        order, kind = descr[0], TYPES[descr[1:]]
        rows, columns = shape
        if not type(rows) is type(columns) is int:
            raise TypeError
    except (ValueError, SyntaxError, KeyError, TypeError, IndexError, MemoryError, RecursionError):
        raise FormatFault(1, "only matrices of truth values or numbers are read, with two dimensions") from None
    if order not in "<>|=" or min(rows, columns) < 0 or max(rows, columns) > LARGEST_NUMBER:
        raise FormatFault(1, "the header is damaged")
    return kind, ">" if order == ">" else "<", bool(fortran), (rows, columns), begin + length
