"""Diagrams in the formats of other programs: lines of text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.engine.diagrams.diagram import Diagram, reachable


def graphillion(diagram: Diagram) -> Iterator[str]:
    """The format that `setset.loads` of Graphillion reads, if each line ends with a newline: a line `NODE OPTION LOW
    HIGH` for each node, those below first, with B and T for the ends; then a line with a full stop.

    Options are numbered from 1 in the order of the diagram, as Graphillion numbers the members of its universe: option
    1 stands for `order[0]`. Source: `dump` of Graphillion (SAPPOROBDD)."""
    if diagram.root < 2:
        yield "BT"[diagram.root]
        yield "."
        return
    seen = reachable(diagram)
    names = {0: "B", 1: "T"}

    def name(k: int) -> str:
        return names.get(k) or str(2 * k)

    inner = [k for k in range(2, diagram.root + 1) if seen[k]]
    for k in sorted(inner, key=lambda k: (-diagram.level[k], k)):
        yield f"{name(k)} {diagram.level[k] + 1} {name(diagram.low[k])} {name(diagram.high[k])}"
    yield "."


def graphviz(diagram: Diagram, names: Sequence[str]) -> Iterator[str]:
    """A drawing for `dot`: solid edges take the option of the node, dashed ones leave it. names: per option."""
    yield "digraph answers {"
    yield '  0 [shape=box, label="none"];'
    yield '  1 [shape=box, label="answer"];'
    seen = reachable(diagram)
    if diagram.root < 2:
        yield f'  root [label="", shape=point]; root -> {diagram.root};'
    for k in range(diagram.root, 1, -1):
        if seen[k]:
            text = names[diagram.order[diagram.level[k]]].replace("\\", "\\\\").replace('"', '\\"')
            text = "".join(c if c.isprintable() else " " for c in text)
            yield f'  {k} [label="{text}"];'
            if diagram.low[k]:  # edges to the node without an answer are left out
                yield f"  {k} -> {diagram.low[k]} [style=dashed];"
            yield f"  {k} -> {diagram.high[k]};"
    yield "}"
