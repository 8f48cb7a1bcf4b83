"""Lists of sets, OR-Library's covers, hypergraphs and graphs: the fewest that meet everything."""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.formats.draft import Draft, FormatFault, Numbers, Word, brief, filled_lines
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
