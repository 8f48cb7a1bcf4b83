"""The parser's tree → the frozen classes of syntax.py."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final, TypeAlias

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, Source, Span
from covr.dsl.lexer import Token, Tree, dedent, split_template, unescape
from covr.dsl.scope import MAX_FAULTS, bound_by_all
from covr.frozen import evolve

# --- keys ------------------------------------------------------------------------------------------------------------
# Keys: expressions `x in SET` that bind names.


def as_key(expr: s.Expr) -> s.Expr | s.Key:
    """A key `x in SET` or `(i, j) in SET` as a Key; any other expression as it is."""
    if not (isinstance(expr, s.Compare) and len(expr.rest) == 1 and expr.rest[0][0] == "in"):
        return expr
    pattern = as_pattern(expr.first)
    return expr if pattern is None else s.Key(pattern, expr.rest[0][1], expr.span)


def as_pattern(expr: s.Expr) -> s.Pattern | None:
    """An expression such as `r` or `(r, (c, d))` as a pattern of names to bind; None for any other expression."""
    if isinstance(expr, s.Name):
        return expr
    if not isinstance(expr, s.TupleOf) or not expr.items:
        return None
    items = tuple(map(as_pattern, expr.items))
    if any(item is None for item in items):
        return None
    return s.TuplePattern(tuple(i for i in items if i is not None), expr.span)


# --- limits ----------------------------------------------------------------------------------------------------------
# How large a model may be, as far as its text says.


MAX_DIGITS: Final = 1000  # how many digits a number may have
MAX_DEPTH: Final = 200  # how many levels of expressions may be nested
SHAPE_FORMS: Final = {  # of the shapes, for messages
    "tree": "`tree f at PLACE` or `tree f along ENDS`",
    "forest": "`forest f at PLACE` or `forest f along ENDS`",
    "path": "`path f along ENDS from A to B`, or without `from`",
    "paths": "`paths f along ENDS between PLACES`, or without `between`",
    "loops": "`loops f along ENDS`",
}
MOST: Final = 100  # how many names a statement or comprehension may bind, and how many keys or families a rule may have


def too_deep(span: Span) -> tuple[str, str, Span, str]:
    """The parts of the diagnostic for an expression that nests too deeply."""
    return ("E006", f"more than {MAX_DEPTH} levels of expressions in each other", span, "name parts of it with `let`")


# --- nodes -----------------------------------------------------------------------------------------------------------
# The walk over the parser's tree, from the leaves up, and what the methods for all rules share.


FLAT: Final = frozenset({"arguments", "expressions", "for", "generators", "generator", "named", "patterns", "where"})

Node: TypeAlias = Tree
ParseHole: TypeAlias = Callable[[str, Sequence[int]], "s.Expr | None"]


Method: TypeAlias = Callable[["NodeBuilder", Tree, Span], Any]


def _whole(kind: Callable[[tuple[Any, ...], Span], Any]) -> Method:
    """How a node is built from all its parts together."""
    return lambda builder, tree, span: kind(builder.all(tree), span)


def _in_order(kind: Callable[..., Any]) -> Method:
    """How a node is built whose fields are its parts, one after another."""
    return lambda builder, tree, span: kind(*builder.all(tree), span)


def _parts(builder: NodeBuilder, tree: Node, span: Span) -> tuple[Any, ...]:
    return builder.all(tree)


def _first_part(builder: NodeBuilder, tree: Node, span: Span) -> Any:
    return builder.all(tree)[0]


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
            todo += [(child, below) for child in node.children if type(child) is Tree]
        source, offsets = self.source, self.offsets
        for node in reversed(order):
            start, end = node.start_pos, node.end_pos
            span = Span(source, start, end) if offsets is None else Span(source, offsets[start], offsets[end])  # type: ignore[arg-type,index]
            node.value = getattr(self, f"_{node.data}")(node, span)
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
        return tuple([child.value for child in tree.children if type(child) is Tree])

    def find(self, tree: Node, rule: str) -> Any:
        """The node of the clause `rule` of a statement; None if the statement has no such clause."""
        for child in tree.children:
            if type(child) is Tree and child.data == rule:
                return child.value
        return None

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


# --- expressions -----------------------------------------------------------------------------------------------------
# Expressions, clauses, and the generators and patterns that bind names in them.


class ExpressionBuilder(NodeBuilder):
    """Builds the nodes of expressions and clauses."""

    _tuple, _entry, _list, _set = _whole(s.TupleOf), _whole(s.TupleOf), _whole(s.ListOf), _whole(s.SetOf)
    _map, _pattern_tuple = _whole(s.MapOf), _whole(s.TuplePattern)
    _if_else, _interval, _generator = _in_order(s.IfElse), _in_order(s.Range), _in_order(s.Generator)
    _arguments = _expressions = _patterns = _parts
    _for = _where = _first_part

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

    def _list_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("list", tree, span)

    def _set_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("set", tree, span)

    def _map_of(self, tree: Node, span: Span) -> s.Comprehension:
        return self.comprehension("map", tree, span)

    def comprehension(self, kind: str, tree: Node, span: Span) -> s.Comprehension:
        """A comprehension. kind: `set`, `list` or `map`, which is what it makes."""
        item, generators = self.all(tree)[:2]
        return s.Comprehension(kind, item, generators, self.find(tree, "where"), span)

    def _any_of(self, tree: Node, span: Span) -> s.Comprehension:
        """`some(x in SET where …)` or `no(…)`. LALR(1) does not tell its generators from a call's arguments."""
        kind = self.word(tree)
        if kind.id not in ("some", "no"):
            self.fault("E001", f"`{kind.id}(…)` has no `where`", kind.span, "`some(…)` and `no(…)` have")
        *generators, where = self.all(tree)
        found: list[s.Generator] = []
        patterns: list[s.Pattern] = []
        for expr in generators:
            key = as_key(expr)
            pattern = key.pattern if isinstance(key, s.Key) else as_pattern(expr)
            if pattern is None:
                self.fault("E001", f"`{kind.id}(…)` wants `NAME in SET` here", expr.span)
                return s.Comprehension("some", where, (), where, span)
            patterns.append(pattern)
            if isinstance(key, s.Key):
                found.append(s.Generator(tuple(patterns), key.over, patterns[0].span.to(key.span)))
                patterns = []
        if patterns:
            self.fault("E001", f"`{kind.id}(…)` wants `NAME in SET` here", patterns[-1].span)
        self.few(tuple(bound_by_all(tuple(found))), span, "names")
        return s.Comprehension(kind.id, s.Number(1, kind.span), tuple(found), where, span)

    def _generators(self, tree: Node, span: Span) -> tuple[s.Generator, ...]:
        found: tuple[s.Generator, ...] = self.all(tree)
        self.few(tuple(bound_by_all(found)), span, "names")
        return found

    def _names(self, tree: Node, span: Span) -> tuple[s.Name, ...]:
        return self.few(self.all(tree), span, "names")

    _families = _names

    def _parameters(self, tree: Node, span: Span) -> tuple[s.Name, ...]:
        return self.find(tree, "names") or ()

    def _template(self, tree: Node, span: Span) -> s.Template:
        token = tree.children[0]
        assert isinstance(token, Token)
        return s.Template(split_template(self.source, span, self.hole, self.faults), span)


# --- definitions -----------------------------------------------------------------------------------------------------
# Statements that say what a model is made of.


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


# --- rules -----------------------------------------------------------------------------------------------------------
# Statements that say which choices go together.


class RuleBuilder(NodeBuilder):
    """Builds the nodes of rules, conditions on choices, givens and what is forbidden."""

    _named = _in_order(s.NamedChoice)
    _weight = _added = _parts

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

    def _areas(self, tree: Node, span: Span) -> s.AreaRule:
        stretch = self.find(tree, "stretch")
        if stretch is not None:
            rule = self._rule(tree, span)
            counted = rule.families[0]
            if len(rule.families) > 1 or rule.weights or counted.id not in ("places", stretch.family.id):
                help = f"it counts `places`, or its lines, `{stretch.family.id}`"
                self.fault("E124", "a stretch counts nothing else", counted.span, help)
            stretch = evolve(stretch, places=counted.id == "places")
            return s.AreaRule(
                evolve(rule, families=(stretch.family,), weights=()), stretch, self.unlabelled(tree, span)
            )
        return s.AreaRule(
            self._rule(tree, span), self.find(tree, "area") or self.find(tree, "area_by"), self.unlabelled(tree, span)
        )

    def _area(self, tree: Node, span: Span) -> s.Area:
        return s.Area(
            self.find(tree, "families"),
            False,
            self.few(tuple(map(as_key, self.find(tree, "expressions"))), span, "keys"),
            self.find(tree, "along"),
            *self._anchored(tree),
            span,
        )

    def _area_by(self, tree: Node, span: Span) -> s.Area:
        places = self.few(tuple(map(as_key, self.find(tree, "expressions"))), span, "keys")
        return s.Area((self.all(tree)[0],), True, places, None, *self._anchored(tree), span)

    def _stretch(self, tree: Node, span: Span) -> s.Stretch:
        words = [c.type for c in tree.children if isinstance(c, Token)]
        family, *rest = self.all(tree)
        within = rest[0] if "IN" in words else None
        return s.Stretch(family, "STRAIGHT" in words[0], False, within, rest[-1] if "HOLDING" in words else None, span)

    def _anchored(self, tree: Node) -> tuple[str, s.Expr | None]:
        """The word `holding` or `touching`, and what follows it."""
        word = next((str(c) for c in tree.children if isinstance(c, Token) and c.type in ("HOLDING", "TOUCHING")), "")
        return word, self.all(tree)[-1] if word else None

    def _divide(self, tree: Node, span: Span) -> s.Divide:
        places, family = self.all(tree)[:2]
        return s.Divide(
            places, family, self.find(tree, "along"), self.find(tree, "template"), self.unlabelled(tree, span)
        )

    def _weighed(self, tree: Node, span: Span) -> tuple[tuple[s.Expr, s.Name], ...]:
        return self.few(self.all(tree), span, "sums")

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

    def _when(self, tree: Node, span: Span) -> tuple[tuple[s.Taken, ...], ...]:
        return self.few(self.all(tree), span, "choices")

    def _together(self, tree: Node, span: Span) -> tuple[s.Taken, ...]:
        return self.few(self.all(tree), span, "choices")

    def _taken(self, tree: Node, span: Span) -> s.Taken:
        negated = any(isinstance(c, Token) and c.type == "NOT" for c in tree.children)
        return s.Taken(self.all(tree)[0], negated, span)

    def _connected(self, tree: Node, span: Span, word: str = "connected") -> s.Connected:
        return s.Connected(
            self.find(tree, "families"),
            self.few(tuple(map(as_key, self.find(tree, "expressions"))), span, "keys"),
            self.find(tree, "along"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
            word,
            self.find(tree, "corners") is not None,
        )

    def _loop(self, tree: Node, span: Span, word: str = "loop", family: s.Name | None = None) -> s.Loop:
        led, route = self.find(tree, "led"), self.find(tree, "route") or ()
        return s.Loop(
            family or self.all(tree)[0],
            led or self.find(tree, "along"),
            self.find(tree, "per") or (),
            self.find(tree, "where"),
            self.find(tree, "template"),
            self.unlabelled(tree, span),
            word,
            led is not None,
            route[:2] or self.find(tree, "among") or (),
            self.find(tree, "crossing"),
            next(iter(route[2:]), None),
        )

    def _shape(self, tree: Node, span: Span) -> s.Connected | s.Loop:
        """`tree` and `forest … at` are read like `connected`, the other shapes like `loop`."""
        word = str(tree.children[0])
        families, own = self.find(tree, "families"), self.unlabelled(tree, span)
        at = self.find(tree, "expressions") is not None
        joins = self.find(tree, "along") or self.find(tree, "led")
        lines = word in ("path", "paths", "loops") or not at
        route, among = self.find(tree, "route"), self.find(tree, "among")
        ways = [route, among, self.find(tree, "crossing"), self.find(tree, "led")]
        if lines:
            fits = joins is not None and not at and len(families) == 1
            fits = fits and (route is None or word == "path") and (among is None or word == "paths")
        else:
            fits = route is None and among is None
        if not fits or (word in ("tree", "forest") and ways != [None] * 4):
            self.fault(
                "E122",
                f"a clause is missing in this `{word}`, or does not belong there",
                own,
                f"write {SHAPE_FORMS[word]}",
            )
        if lines:
            return self._loop(tree, span, word, families[0])
        return self._connected(tree, span, word)

    _wished_rule = _rule
    _wished_areas = _areas
    _wished_needs = _needs
    _wished_connected = _connected
    _wished_loop = _loop
    _wished_shape = _shape

    def _prefer(self, tree: Node, span: Span) -> s.Prefer | s.AreaRule | s.Connected | s.Loop:
        rule, price = self.all(tree)[:2]
        if isinstance(rule, s.AreaRule | s.Connected | s.Loop):
            word = "area" if isinstance(rule, s.AreaRule) else rule.word
            help = "it is kept or broken as a whole: say what of it may be broken with a rule of another kind"
            self.fault("E118", f"`{word}` can't be preferred", rule.span, help)
            return rule
        return s.Prefer(evolve(rule, label=self.find(tree, "template")), price, self.unlabelled(tree, span))

    _price = _along = _crossing = _through = _first_part
    _pair = _parts

    def _led(self, tree: Node, span: Span) -> s.Expr:
        return s.TupleOf(tuple(self.all(tree)), span)

    def _corners(self, tree: Node, span: Span) -> bool:
        return True

    def _route(self, tree: Node, span: Span) -> tuple[s.Expr, ...]:
        return tuple(self.all(tree))

    _among = _route

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


# --- answers ---------------------------------------------------------------------------------------------------------
# Statements about the answers.


class AnswerBuilder(NodeBuilder):
    """Builds the nodes of goals, symmetries, pictures and expectations."""

    _places = _with = _parts
    _told_else = _first_part

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

    def _setting(self, tree: Node, span: Span) -> tuple[s.Name, s.Expr]:
        name, value = self.all(tree)
        return name, value


# --- tree ------------------------------------------------------------------------------------------------------------
# Lark's tree → the frozen classes of syntax.py. There is one method for each rule of cover.lark, with the same name,
# called when the children are built.
#
# What LALR(1) cannot express is done here: a key `x in SET` becomes a `Key`, the two sides of a `->` must be choices,
# texts are unescaped. Nothing here recurses, and expressions deeper than `MAX_DEPTH` are refused, so code that walks
# the result may recurse.


class TreeBuilder(ExpressionBuilder, DefinitionBuilder, RuleBuilder, AnswerBuilder):
    """Builds the nodes of all rules of cover.lark."""
