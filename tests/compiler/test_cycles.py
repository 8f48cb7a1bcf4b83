"""Whether a graph has a cycle is compared with a count: a forest has as many edges as vertices less its pieces."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from covr.compiler.review.remarks import has_cycle

pairs = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


@given(pairs)
def test_a_graph_without_a_closed_way_is_a_forest(edges: list[tuple[int, int]]) -> None:
    pieces = {v: {v} for edge in edges for v in edge}
    for u, v in edges:
        joined = pieces[u] | pieces[v]
        pieces.update(dict.fromkeys(joined, joined))
    number = len({frozenset(piece) for piece in pieces.values()})
    assert has_cycle(edges) == (len(edges) > len(pieces) - number)
