"""Statements about the answers."""

from __future__ import annotations

from covr.dsl import syntax as s
from covr.dsl.source import Span
from covr.dsl.tokens import Token
from covr.dsl.tree.keys import as_key
from covr.dsl.tree.nodes import Node, NodeBuilder


class AnswerBuilder(NodeBuilder):
    """Builds the nodes of goals, symmetries, pictures and expectations."""

    def _optimize(self, tree: Node, span: Span) -> s.Optimize:
        *then, kind = str(tree.children[0]).split()
        return s.Optimize(kind, self.all(tree), span, then=bool(then))

    def _goal(self, tree: Node, span: Span) -> s.Goal:
        value, family = self.all(tree)[:2]
        counted = isinstance(value, s.Name) and value.id == "count"
        where, generators = self.find(tree, "where"), self.find(tree, "for") or ()
        return s.Goal(None if counted else value, family, where, span, generators)

    def _clue(self, tree: Node, span: Span) -> s.Clue:
        param, keys, (kind, value, family) = self.all(tree)[:3]
        generators, where = self.find(tree, "told_for") or ((), None)
        among = self.find(tree, "where")
        if kind == "value" and among is not None:  # there are no choices that it could be about
            where = among if where is None else s.Binary("and", among, where, among.span.to(where.span))
            among = None
        return s.Clue(param, keys, kind, value, family, among, generators, where, self.find(tree, "told_else"), span)

    def _places(self, tree: Node, span: Span) -> tuple[s.Expr, ...]:
        return self.all(tree)

    def _told_value(self, tree: Node, span: Span) -> tuple[str, s.Expr | None, s.Name | None]:
        return "value", self.all(tree)[0], None

    def _told_choice(self, tree: Node, span: Span) -> tuple[str, s.Expr | None, s.Name | None]:
        value, family = self.all(tree)
        if isinstance(value, s.Name) and value.id == "count":
            return "count", None, family
        return "choice", value, family

    def _told_total(self, tree: Node, span: Span) -> tuple[str, s.Expr | None, s.Name | None]:
        value, family = self.all(tree)
        return "total", value, family

    def _told_for(self, tree: Node, span: Span) -> tuple[tuple[s.Generator, ...], s.Expr | None]:
        return self.all(tree)[0], self.find(tree, "where")

    def _told_else(self, tree: Node, span: Span) -> s.Expr:
        return self.all(tree)[0]  # type: ignore[no-any-return]

    def _upto(self, tree: Node, span: Span) -> s.UpTo:
        return s.UpTo(self.all(tree), span)

    def _answers(self, tree: Node, span: Span) -> s.AnswersBy:
        return s.AnswersBy(self.all(tree)[0], span)

    def _symmetry(self, tree: Node, span: Span) -> s.Expr | s.SymmetryMap:
        left, *right = self.all(tree)
        if not right:
            return left  # type: ignore[no-any-return]
        return self.symmetry_map(left, right[0], span)

    def symmetry_map(self, left: s.Expr, right: s.Expr, span: Span) -> s.SymmetryMap:
        """The map of an `up to`; both sides must be choices."""
        example = "a map reads `put(p, s) -> put(mate(p), mirror(s))`"
        if not isinstance(right, s.Call):
            self.fault("E008", "what stands after `->` is not a choice", right.span, example)
            right = s.Call(s.Name("", right.span), (), right.span)
        if not (isinstance(left, s.Call) and all(isinstance(a, s.Name) for a in left.args)):
            self.fault("E008", "before `->` stands a choice with a name for each index", left.span, example)
            left = s.Call(s.Name("", left.span), (), left.span)
        names = tuple(a for a in left.args if isinstance(a, s.Name))
        return s.SymmetryMap(left.function, names, right.function, right.args, span)

    def _show(self, tree: Node, span: Span) -> s.Show:
        values, family = self.all(tree)[:2]
        style = self.find(tree, "as")
        if style is not None and style not in s.SHOWN:
            self.fault("E001", f"`as {style}` is for what is printed", span, f"print VALUE at LIST as {style}")
        return s.Show(
            values,
            family,
            self.find(tree, "at") or (),
            self.find(tree, "where"),
            self.find(tree, "else"),
            style,
            span,
            self.find(tree, "for") or (),
        )

    def _print(self, tree: Node, span: Span) -> s.Print:
        values, at = self.all(tree)[:2]
        places = []
        for place in at:
            if isinstance(place, s.Key):
                message = "a `print` binds its names with `for`, not in `at`"
                self.fault("E001", message, place.span, "print VALUE at x for x in SET")
            else:
                places.append(place)
        style = self.find(tree, "as")
        if style is not None and style not in s.PRINTED:
            self.fault("E001", f"`as {style}` is for what an answer shows", span, f"show VALUE of f at x as {style}")
        elif style in s.THROUGH and len(places) > 1:
            message = f"`as {style}` runs through one list of places"
            self.fault("E001", message, places[1].span, f"print VALUE at [x, y, z] as {style}")
        return s.Print(values, tuple(places), self.find(tree, "for") or (), self.find(tree, "where"), span, style)

    def _answered(self, tree: Node, span: Span) -> s.Show:
        value, family = self.all(tree)[:2]
        at, where = self.find(tree, "at") or (), self.find(tree, "where")
        return s.Show((value,), family, at, where, None, s.REGIONS, span, self.find(tree, "for") or ())

    def _outline(self, tree: Node, span: Span) -> s.Outline:
        return s.Outline(self.all(tree)[0], self.find(tree, "for") or (), span)

    def _at(self, tree: Node, span: Span) -> tuple[s.Expr | s.Key, ...]:
        return tuple(map(as_key, self.all(tree)[0]))

    def _else(self, tree: Node, span: Span) -> str:
        token = tree.children[1]
        assert isinstance(token, Token)
        return self.string(token)

    def _as(self, tree: Node, span: Span) -> str:
        return str(tree.children[1])

    def _expect(self, tree: Node, span: Span) -> s.Expect:
        kind, value = self.all(tree)[0]
        return s.Expect(kind, value, self.find(tree, "with") or (), span)

    def _solutions(self, tree: Node, span: Span) -> tuple[str, s.Expr | None]:
        return str(tree.data), next(iter(self.all(tree)), None)

    _unique = _none = _minimum = _maximum = _solutions

    def _with(self, tree: Node, span: Span) -> tuple[tuple[s.Name, s.Expr], ...]:
        return self.all(tree)

    def _setting(self, tree: Node, span: Span) -> tuple[s.Name, s.Expr]:
        name, value = self.all(tree)
        return name, value
