"""Graphs: the fewest vertices that meet every edge (vertex cover), or such that every other vertex is a neighbour of
one of them (dominating set).

    c a comment                  c DIMACS
    p ds 4 3                     p edge 4 3
    1 2                          e 1 2
    2 3                          e 2 3
    3 4                          e 3 4

PACE's `.gr`: `p ds` asks for a dominating set (PACE 2025), `p td` and `p vc` for a vertex cover (PACE 2019), with the
numbers of vertices and edges. DIMACS's `.col` says `p edge` or `p col`, and edges begin with `e`. If the file does not
say what it asks for, it is a vertex cover, or what the format's name says (`ds`, `vc`). A vertex is an option of cost
1. An edge that is given twice, or in both directions, counts once; a vertex with a loop is in every vertex cover.
"""

from __future__ import annotations

from covr.compiler.formats.draft import Draft
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import Word, filled_lines, shorten
from covr.engine import Problem

DOMINATING, COVER = "ds", "vc"
KINDS = {"ds": DOMINATING, "td": COVER, "vc": COVER, "edge": "", "edges": "", "col": ""}
PROBLEMS = "`p ds`, `p td`, `p vc` or `p edge`"
COMMENTS = ("c", "%", "#", "//")


def read_graph(text: str) -> Problem:
    """The problem that a graph's first line names; a vertex cover if it names none. Time linear in the text.

    Raises FormatFault, a ValueError, with the place of the first wrong word.
    """
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
    if head[1].text not in KINDS:
        raise head[1].fault(f"covr reads {PROBLEMS}, not `p {shorten(head[1].text)}`")
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
    if (wanted or KINDS[head[1].text] or COVER) == DOMINATING:
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


def _size(word: Word, text: str) -> int:
    """A number of vertices or edges. Raises FormatFault if a file of this length cannot have so many."""
    size = word.number()
    if size > 10 * len(text) + 1000:
        raise word.fault(f"{size} are more than the file has room for")
    return size


def _vertex(word: Word, vertices: int) -> int:
    number = word.number()
    if not 1 <= number <= vertices:
        raise word.fault(f"there is no vertex {number}: there are {vertices}")
    return number - 1
