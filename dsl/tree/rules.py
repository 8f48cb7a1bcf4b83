"""Statements that say which choices go together."""

from __future__ import annotations

from math import prod

from covr.dsl import syntax as s
from covr.dsl.source import Span
from covr.dsl.tokens import Token, Tree
from covr.dsl.tree.keys import as_key
from covr.dsl.tree.limits import MOST
from covr.dsl.tree.nodes import Node, NodeBuilder
from covr.frozen import evolve


class RuleBuilder(NodeBuilder):
    """Builds the nodes of rules, conditions on choices, givens and what is forbidden."""

    def _rule(self, tree: Node, span: Span) -> s.Rule:
        kind = " ".join(str(tree.children[0]).split())
        weighed = self.find(tree, "weighed") or ()
        return s.Rule(
            kind,
            self.all(tree)[0],
            tuple(family for _, family in weighed) or self.find(tree, "families"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
            weights=tuple(weight for weight, _ in weighed),
        )

    def _weighed(self, tree: Node, span: Span) -> tuple[tuple[s.Expr, s.Name], ...]:
        return self.few(self.all(tree), span, "sums")

    def _weight(self, tree: Node, span: Span) -> tuple[s.Expr, s.Name]:
        weight, family = self.all(tree)
        return weight, family

    def _named(self, tree: Node, span: Span) -> s.NamedChoice:
        family, args = self.all(tree)
        return s.NamedChoice(family, args, span)

    def _needs(self, tree: Node, span: Span) -> s.Needs:
        both = any(isinstance(c, Token) and c.type == "IF_AND_ONLY_IF" for c in tree.children)
        then = tuple([c.value for c in tree.children if isinstance(c, Tree) and c.data in ("follows", "counts")])
        if both and prod(map(len, self.find(tree, "when"))) > MOST:
            message = f"`and` and `or` before `then` combine in more than {MOST} ways"
            self.fault("E012", message, span, "make it two statements: `if … then …`, and the other way round")
        self.few(tuple([choice for part in then for choice in part.choices]), span, "choices")
        return s.Needs(
            self.find(tree, "when"),
            then,
            self.find(tree, "for") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
            both=both,
        )

    def _follows(self, tree: Node, span: Span) -> s.Then:
        word = next((str(c) for c in tree.children if isinstance(c, Token) and c.type != "OR"), "")
        return s.Then(word, None, self.all(tree), span)

    def _counts(self, tree: Node, span: Span) -> s.Then:
        kind = " ".join(str(tree.children[0]).split())
        quantity, *counted = self.all(tree)
        if isinstance(counted[0], s.NamedChoice):
            return s.Then(kind, quantity, tuple(counted), span)
        return s.Then(kind, quantity, tuple([c for _, c in counted]), span, weights=tuple([w for w, _ in counted]))

    def _added(self, tree: Node, span: Span) -> tuple[s.Expr, s.NamedChoice]:
        weight, choice = self.all(tree)
        return weight, choice

    def _when(self, tree: Node, span: Span) -> tuple[tuple[s.Taken, ...], ...]:
        return self.few(self.all(tree), span, "choices")

    def _together(self, tree: Node, span: Span) -> tuple[s.Taken, ...]:
        return self.few(self.all(tree), span, "choices")

    def _taken(self, tree: Node, span: Span) -> s.Taken:
        negated = any(isinstance(c, Token) and c.type == "NOT" for c in tree.children)
        return s.Taken(self.all(tree)[0], negated, span)

    def _connected(self, tree: Node, span: Span) -> s.Connected:
        return s.Connected(
            self.find(tree, "families"),
            self.few(tuple(map(as_key, self.find(tree, "expressions"))), span, "keys"),
            self.find(tree, "along"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
        )

    def _loop(self, tree: Node, span: Span) -> s.Loop:
        return s.Loop(
            self.all(tree)[0],
            self.find(tree, "along"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
        )

    _wished_rule = _rule
    _wished_needs = _needs
    _wished_connected = _connected
    _wished_loop = _loop

    def _prefer(self, tree: Node, span: Span) -> s.Prefer | s.Connected | s.Loop:
        rule, price = self.all(tree)[:2]
        if isinstance(rule, s.Connected | s.Loop):
            what = "connected" if isinstance(rule, s.Connected) else "loop"
            help = "it is kept or broken as a whole: say what of it may be broken with a rule of another kind"
            self.fault("E118", f"`{what}` can't be preferred", rule.span, help)
            return rule
        return s.Prefer(evolve(rule, label=self.find(tree, "template")), price, self.unlabelled(tree, span))

    def _price(self, tree: Node, span: Span) -> s.Expr:
        return self.all(tree)[0]  # type: ignore[no-any-return]

    def _along(self, tree: Node, span: Span) -> s.Expr:
        return self.all(tree)[0]  # type: ignore[no-any-return]

    def _per(self, tree: Node, span: Span) -> tuple[s.Expr | s.Key, ...]:
        return self.few(tuple(map(as_key, self.all(tree))), span, "keys")

    def _agree(self, tree: Node, span: Span) -> s.Agree:
        return s.Agree(
            self._shown_together(tree),
            self.find(tree, "for") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
        )

    def _shown_together(self, tree: Node) -> tuple[s.AgreePart, ...]:
        """The parts of an `agree`: each pair belongs to the family named last before it."""
        parts: list[tuple[s.Name, list[tuple[s.Expr, s.Expr]], Span]] = []
        for child in tree.children:
            if isinstance(child, Tree) and child.data == "shown":
                shown = child.value
                parts.append((shown.family, [*shown.pairs], shown.span))
            elif isinstance(child, Tree) and child.data == "pair":
                family, pairs, span = parts[-1]
                pairs.append(child.value)
                parts[-1] = family, pairs, span.to(self.span(child))
        return self.few(tuple([s.AgreePart(f, tuple(p), at) for f, p, at in parts]), self.span(tree), "families")

    def _shown(self, tree: Node, span: Span) -> s.AgreePart:
        family, pair = self.all(tree)
        return s.AgreePart(family, (pair,), span)

    def _pair(self, tree: Node, span: Span) -> tuple[s.Expr, s.Expr]:
        key, colour = self.all(tree)
        return key, colour

    def _alike(self, tree: Node, span: Span) -> s.Alike:
        things, family = self.all(tree)[:2]
        return s.Alike(
            " ".join(str(tree.children[0]).split()) == "all different",
            self.few(tuple(map(as_key, things)), span, "things"),
            family,
            self.find(tree, "on"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
        )

    def _on(self, tree: Node, span: Span) -> tuple[s.Expr, ...]:
        return self.few(self.all(tree)[0], span, "values")

    def _given(self, tree: Node, span: Span) -> s.Given:
        return s.Given(
            self.all(tree)[0],
            self.find(tree, "arguments"),
            self.find(tree, "for") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
        )

    def _forbid(self, tree: Node, span: Span) -> s.Forbid:
        return s.Forbid(
            self.all(tree)[0],
            self.find(tree, "arguments"),
            self.find(tree, "for") or (),
            self.find(tree, "where"),
            span,
        )
