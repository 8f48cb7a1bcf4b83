"""Hypergraphs: the fewest vertices that meet every edge (hitting set).

    c a comment                      % a comment
    p hs 4 2                         2 4
    1 2                              1 2
    2 3 4                            2 3 4

On the left is the format of the PACE challenge 2025: after `p hs`, the numbers of vertices and edges. On the right is
that of hMETIS: the numbers of edges and vertices and, if there is a third number, 1 if a weight stands first in each
edge, 10 if lines with the vertices' weights follow, 11 for both. Each edge is a line of vertices, numbered from 1. A
vertex is an option that costs its weight or 1; an edge is an item to be covered at least once. Weights of edges are
ignored.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.formats.draft import Draft
from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.placed_words import Word, filled_lines
from covr.engine import Problem

KINDS = {"1": (True, False), "10": (False, True), "11": (True, True)}


def read_hgr(text: str) -> Problem:
    """The problem of a hypergraph; vertices and edges are named by their numbers. Time linear in the text.

    Raises FormatFault, a ValueError, with the place of the first wrong word.
    """
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
