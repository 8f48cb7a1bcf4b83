"""Statements that say what a model is made of."""

from __future__ import annotations

from covr.dsl import syntax as s
from covr.dsl.source import Span
from covr.dsl.tokens import Token
from covr.dsl.tree.nodes import Node, NodeBuilder


class DefinitionBuilder(NodeBuilder):
    """Builds the nodes of titles, libraries, params, definitions and choices."""

    def _title(self, tree: Node, span: Span) -> s.Title:
        return s.Title(self.find(tree, "template"), span)

    def _use(self, tree: Node, span: Span) -> s.Use:
        token = tree.children[1]
        assert isinstance(token, Token)
        return s.Use(self.string(token), span)

    def _param(self, tree: Node, span: Span) -> s.Param:
        name, value = self.all(tree)[:2]
        return s.Param(name, value, self.find(tree, "where"), span)

    def _let(self, tree: Node, span: Span) -> s.Let:
        parts = self.all(tree)
        return s.Let(parts[0], self.find(tree, "parameters"), parts[-1], span)

    def _assert(self, tree: Node, span: Span) -> s.Assert:
        return s.Assert(self.all(tree)[0], self.find(tree, "template"), self.unlabelled(tree, span))

    def _cells(self, tree: Node, span: Span) -> s.Declare:
        return s.Declare("cells", self.all(tree)[0], span)

    def _values(self, tree: Node, span: Span) -> s.Declare:
        return s.Declare("values", self.all(tree)[0], span)

    def _choose(self, tree: Node, span: Span) -> s.Choose:
        name = self.all(tree)[0]
        return s.Choose(
            name, self.find(tree, "names") or (), self.find(tree, "for") or (), self.find(tree, "where"), span
        )
