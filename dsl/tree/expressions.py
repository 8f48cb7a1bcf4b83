"""Expressions, clauses, and the generators and patterns that bind names in them."""

from __future__ import annotations

from covr.dsl import syntax as s
from covr.dsl.names import bound_by_all
from covr.dsl.source import Span
from covr.dsl.text import dedent, split_template
from covr.dsl.tokens import Token
from covr.dsl.tree.limits import MAX_DIGITS
from covr.dsl.tree.nodes import Node, NodeBuilder


class ExpressionBuilder(NodeBuilder):
    """Builds the nodes of expressions and clauses."""

    def _name(self, tree: Node, span: Span) -> s.Name:
        return s.Name(str(tree.children[0]), span)

    def _word(self, tree: Node, span: Span) -> s.Name:
        return s.Name(str(tree.children[0]), span)

    def _number(self, tree: Node, span: Span) -> s.Number:
        digits = str(tree.children[0])
        if len(digits) > MAX_DIGITS:
            self.fault("E005", f"this number has {len(digits)} digits; {MAX_DIGITS} are allowed", span)
            return s.Number(0, span)
        return s.Number(int(digits), span)

    def _text(self, tree: Node, span: Span) -> s.Text:
        token = tree.children[0]
        assert isinstance(token, Token)
        return s.Text(self.string(token), span)

    def _true(self, tree: Node, span: Span) -> s.TruthLiteral:
        return s.TruthLiteral(True, span)

    def _false(self, tree: Node, span: Span) -> s.TruthLiteral:
        return s.TruthLiteral(False, span)

    def _call(self, tree: Node, span: Span) -> s.Call:
        return s.Call(self.word(tree), self.find(tree, "arguments"), span)

    def _reader(self, tree: Node, span: Span) -> s.ReaderBlock:
        block = tree.children[-1]
        assert isinstance(block, Token)
        text, starts = dedent(block[3:-3])
        begin = self.span(block).start + 3
        return s.ReaderBlock(
            self.word(tree), self.find(tree, "arguments") or (), text, tuple(begin + at for at in starts), span
        )

    def word(self, tree: Node) -> s.Name:
        """The word that a tree begins with, as a name."""
        token = tree.children[0]
        assert isinstance(token, Token)
        return s.Name(str(token), self.span(token))

    def _arguments(self, tree: Node, span: Span) -> tuple[s.Expr, ...]:
        return self.all(tree)

    def _index(self, tree: Node, span: Span) -> s.Index:
        of, *args = self.all(tree)
        return s.Index(of, tuple(args), span)

    def _field(self, tree: Node, span: Span) -> s.Field:
        of, name = self.all(tree)
        return s.Field(of, name.id, span)

    def _unary(self, tree: Node, span: Span) -> s.Unary:
        return s.Unary(str(tree.children[0]), self.all(tree)[0], span)

    def _binary(self, tree: Node, span: Span) -> s.Binary:
        left, right = self.all(tree)
        return s.Binary(str(tree.children[1]), left, right, span)

    def _compare(self, tree: Node, span: Span) -> s.Compare:
        first, *others = self.all(tree)
        signs = [" ".join(c.split()) for c in tree.children if isinstance(c, Token)]
        return s.Compare(first, tuple(zip(signs, others, strict=True)), span)

    def _if_else(self, tree: Node, span: Span) -> s.IfElse:
        test, then, other = self.all(tree)
        return s.IfElse(test, then, other, span)

    def _interval(self, tree: Node, span: Span) -> s.Range:
        low, high = self.all(tree)
        return s.Range(low, high, span)

    def _tuple(self, tree: Node, span: Span) -> s.TupleOf:
        return s.TupleOf(self.all(tree), span)

    def _list(self, tree: Node, span: Span) -> s.ListOf:
        return s.ListOf(self.all(tree), span)

    def _set(self, tree: Node, span: Span) -> s.SetOf:
        return s.SetOf(self.all(tree), span)

    def _list_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("list", tree, span)

    def _set_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("set", tree, span)

    def _map(self, tree: Node, span: Span) -> s.MapOf:
        return s.MapOf(self.all(tree), span)

    def _entry(self, tree: Node, span: Span) -> s.TupleOf:
        return s.TupleOf(self.all(tree), span)

    def _map_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("map", tree, span)

    def comprehension(self, kind: str, tree: Node, span: Span) -> s.Comprehension:
        """A comprehension. kind: `set`, `list` or `map`, which is what it makes."""
        item, generators = self.all(tree)[:2]
        return s.Comprehension(kind, item, generators, self.find(tree, "where"), span)

    def _expressions(self, tree: Node, span: Span) -> tuple[s.Expr, ...]:
        return self.all(tree)

    def _pattern_tuple(self, tree: Node, span: Span) -> s.TuplePattern:
        return s.TuplePattern(self.all(tree), span)

    def _patterns(self, tree: Node, span: Span) -> tuple[s.Pattern, ...]:
        return self.all(tree)

    def _generator(self, tree: Node, span: Span) -> s.Generator:
        patterns, over = self.all(tree)
        return s.Generator(patterns, over, span)

    def _generators(self, tree: Node, span: Span) -> tuple[s.Generator, ...]:
        found: tuple[s.Generator, ...] = self.all(tree)
        self.few(tuple(bound_by_all(found)), span, "names")
        return found

    def _for(self, tree: Node, span: Span) -> tuple[s.Generator, ...]:
        return self.all(tree)[0]  # type: ignore[no-any-return]

    def _where(self, tree: Node, span: Span) -> s.Expr:
        return self.all(tree)[0]  # type: ignore[no-any-return]

    def _names(self, tree: Node, span: Span) -> tuple[s.Name, ...]:
        return self.few(self.all(tree), span, "names")

    _families = _names

    def _parameters(self, tree: Node, span: Span) -> tuple[s.Name, ...]:
        return self.find(tree, "names") or ()

    def _template(self, tree: Node, span: Span) -> s.Template:
        token = tree.children[0]
        assert isinstance(token, Token)
        return s.Template(split_template(self.source, span, self.hole, self.faults), span)
