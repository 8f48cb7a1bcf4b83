"""The walk over the parser's tree, from the leaves up, and what the methods for all rules share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.source import Source, Span
from covr.dsl.text import unescape
from covr.dsl.tokens import Token, Tree
from covr.dsl.tree.limits import MAX_DEPTH, MAX_FAULTS, MOST, too_deep

FLAT: Final = frozenset({"arguments", "expressions", "for", "generators", "generator", "named", "patterns", "where"})

Node: TypeAlias = Tree
ParseHole: TypeAlias = Callable[[str, Sequence[int]], "s.Expr | None"]


class NodeBuilder:
    """Builds nodes whose spans lie in `source`.

    offsets: for the expression of a template, the offset in the source of each of its characters and of its end; None
    if the tree was read from the source itself.
    hole: parses the expression of a template, and adds its faults.
    faults: what was found to be wrong, in the order of reading.
    """

    def __init__(
        self, source: Source, hole: ParseHole, faults: list[Diagnostic], offsets: Sequence[int] | None = None
    ) -> None:
        self.source = source
        self.hole = hole
        self.faults = faults
        self.offsets = offsets

    def build(self, tree: Node) -> Any:
        """The node for a tree; None, with a fault reported, if it nests too deeply. Time and space O(its size)."""
        order: list[Node] = []
        todo = [(tree, 0)]
        while todo:
            node, depth = todo.pop()
            if depth > MAX_DEPTH:
                self.fault(*too_deep(self.span(node)))
                return None
            order.append(node)
            below = depth + (node.data not in FLAT)
            todo += [(child, below) for child in node.children if isinstance(child, Tree)]
        for node in reversed(order):
            node.value = getattr(self, f"_{node.data}")(node, self.span(node))
        return tree.value

    def place(self, offset: int) -> int:
        """The offset in the source that corresponds to an offset in the parsed text."""
        return offset if self.offsets is None else self.offsets[offset]

    def span(self, tree: Node | Token) -> Span:
        """The place of a token or of a tree in the source."""
        assert tree.start_pos is not None and tree.end_pos is not None
        if self.offsets is None:
            return Span(self.source, tree.start_pos, tree.end_pos)
        return Span(self.source, self.place(tree.start_pos), self.place(tree.end_pos))

    def fault(self, code: str, message: str, span: Span, help: str = "") -> None:
        """Report a fault."""
        self.faults.append(Diagnostic(code, message, span, help))

    def all(self, tree: Node) -> tuple[Any, ...]:
        """Every subtree that is not a word, in order."""
        return tree.nodes()

    def find(self, tree: Node, rule: str) -> Any:
        """The node of the clause `rule` of a statement; None if the statement has no such clause."""
        return tree.find(rule)

    def unlabelled(self, tree: Node, span: Span) -> Span:
        """The span of a statement without its label, which is what a message about a rule underlines."""
        last = tree.children[-1]
        if not (isinstance(last, Tree) and last.data == "template"):
            return span
        before = tree.children[-2]
        return span.to(self.span(before))

    def string(self, token: Token) -> str:
        """The value of a text in quotes, with its escapes resolved."""
        span = self.span(token)
        return unescape(token[1:-1], lambda at, what: self.bad_escape(span, at + 1, what))

    def bad_escape(self, span: Span, at: int, what: str) -> None:
        """Report a backslash that begins no escape, but at most `MAX_FAULTS` of them."""
        if len(self.faults) >= MAX_FAULTS:
            return
        start = span.start + at
        self.fault(
            "E004",
            f"`{what}` means nothing in a text",
            Span(span.source, start, start + len(what)),
            'a text knows `\\"`, `\\\\` and `\\n`',
        )

    def few(self, parts: tuple[Any, ...], span: Span, what: str) -> tuple[Any, ...]:
        """The parts. Reports a fault if there are more than `MOST`, since they are nested, or compared in pairs."""
        if len(parts) > MOST:
            self.fault("E012", f"these are {len(parts):,} {what}; {MOST} are allowed", span)
        return parts
