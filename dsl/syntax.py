"""The syntax tree: what a model says, as frozen values, each with the span it was read from."""

from __future__ import annotations

from typing import TypeAlias

from attrs import field

from covr.dsl.diagnostics import Source, Span
from covr.frozen import frozen

# --- places ----------------------------------------------------------------------------------------------------------
# The place of a node in its source.


class Remembering:
    """What an expression is made of, where something is kept that was found out about it: its free names
    (compiler/evaluate/expressions.py) and its size (compiler/lower/groups.py), which are asked for again and again. It
    counts for nothing else."""

    __slots__ = ("_free", "_size")


def span_field() -> Span:
    """The field for the span that a node was read from, which is ignored when nodes are compared."""
    return field(eq=False, repr=False)  # type: ignore[no-any-return]


# --- expressions -----------------------------------------------------------------------------------------------------
# Expressions, templates, and the generators and patterns that bind names in them.


@frozen
class Number(Remembering):
    """A whole number, as written."""

    value: int
    span: Span = span_field()


@frozen
class Text(Remembering):
    """A text without holes."""

    value: str
    span: Span = span_field()


@frozen
class TruthLiteral(Remembering):
    """`true` or `false`."""

    value: bool
    span: Span = span_field()


@frozen
class Name(Remembering):
    """A name, in any position."""

    id: str
    span: Span = span_field()


@frozen
class Call(Remembering):
    """`f(a, b)`; the sides of a map after `up to` are calls as well, until they are recognised as choices."""

    function: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Index(Remembering):
    """`m[a]` or `m[a, b]`; several indices are looked up as one tuple."""

    of: Expr
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Field(Remembering):
    """`e.name`, a field of a record."""

    of: Expr
    name: str
    span: Span = span_field()


@frozen
class Unary(Remembering):
    """An operator before its operand. op: `-` or `not`."""

    op: str
    of: Expr
    span: Span = span_field()


@frozen
class Binary(Remembering):
    """An operator between two operands. op: `+ - * div mod ^ | &`, or `and`, `or`."""

    op: str
    left: Expr
    right: Expr
    span: Span = span_field()


@frozen
class Compare(Remembering):
    """A chain `first op1 e1 op2 e2 …`: true when every neighbouring pair is. ops: `= != < <= > >= in`, `not in`."""

    first: Expr
    rest: tuple[tuple[str, Expr], ...]
    span: Span = span_field()


@frozen
class IfElse(Remembering):
    """`if test then … else …`."""

    test: Expr
    then: Expr
    other: Expr
    span: Span = span_field()


@frozen
class TupleOf(Remembering):
    """`(a, b)`; `()` is empty; a tuple of one is `(a,)`."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class ListOf(Remembering):
    """A list written out."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class SetOf(Remembering):
    """A set written out."""

    items: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class MapOf(Remembering):
    """A map written out, `{key: value, …}`. items: its entries, each a pair of a key and a value."""

    items: tuple[TupleOf, ...]
    span: Span = span_field()


@frozen
class Comprehension(Remembering):
    """`{x for … where …}` (kind `set`), `[x for … where …]` (kind `list`), or `{k: x for … where …}` (kind `map`,
    whose item is a pair of a key and a value); or `some(x in … where …)` or `no(…)`, the condition that some or no
    values meet `where`, whose item is 1."""

    kind: str
    item: Expr
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()


@frozen
class Range(Remembering):
    """`low..high`, both ends included; empty when high < low."""

    low: Expr
    high: Expr
    span: Span = span_field()


@frozen
class ReaderBlock(Remembering):
    '''`grid(9, 9) """…"""`: a reader (`name`), its arguments and its block of text.

    `block` is the dedented text; `block_start` gives, for each of its lines, the offset in the source where that
    line begins, so that a fault in the data is shown at its place. A reader of a file has no block:
    `grid(9, 9, file("x"))` is an ordinary Call.
    '''

    name: Name
    args: tuple[Expr, ...]
    block: str
    block_start: tuple[int, ...] = field(eq=False, repr=False)
    span: Span = span_field()


Expr: TypeAlias = (
    Number
    | Text
    | TruthLiteral
    | Name
    | Call
    | Index
    | Field
    | Unary
    | Binary
    | Compare
    | IfElse
    | TupleOf
    | ListOf
    | SetOf
    | MapOf
    | Comprehension
    | Range
    | ReaderBlock
)


@frozen
class Template:
    """A label: text with `{holes}`. parts: texts and expressions, in the order written; `{{` and `}}` are braces."""

    parts: tuple[str | Expr, ...]
    span: Span = span_field()


Pattern: TypeAlias = "Name | TuplePattern"


@frozen
class TuplePattern:
    """`(r, c)` on the left of `in`; patterns nest."""

    items: tuple[Pattern, ...]
    span: Span = span_field()


@frozen
class Generator:
    """`a, b in SET`: each pattern runs over SET by itself; `(r, c) in SET` is one pattern bound together."""

    patterns: tuple[Pattern, ...]
    over: Expr
    span: Span = span_field()


# --- definitions -----------------------------------------------------------------------------------------------------
# Statements that say what a model is made of: its title, libraries, params, definitions and choices.


@frozen
class Title:
    """The statement that gives the model its title."""

    text: Template
    span: Span = span_field()


@frozen
class Use:
    """`use "path"`: the definitions of a library."""

    path: str
    span: Span = span_field()


@frozen
class Param:
    """A param with its default value, and the condition that its value must satisfy."""

    name: Name
    value: Expr
    where: Expr | None
    span: Span = span_field()


@frozen
class Let:
    """`let name = …`. parameters: None for a constant, a tuple (maybe empty) for a function."""

    name: Name
    parameters: tuple[Name, ...] | None
    value: Expr
    span: Span = span_field()


@frozen
class Assert:
    """A condition that must hold, and the text of the error if it does not."""

    test: Expr
    text: Template | None
    span: Span = span_field()


@frozen
class Declare:
    """`cells …` (kind `cells`) or `values …` (kind `values`)."""

    kind: str
    generators: tuple[Generator, ...]
    span: Span = span_field()


@frozen
class Choose:
    """`choose name(indices) for generators where …`; generators holds only the statement's own `for`."""

    name: Name
    indices: tuple[Name, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()


# --- rules -----------------------------------------------------------------------------------------------------------
# Statements that say which choices go together: rules, conditions on choices, givens and what is forbidden.


@frozen
class Rule:
    """`exactly|at least|at most QUANTITY [total WEIGHT of] f or [WEIGHT of] g per keys where … "label"`.

    kind: `exactly`, `at least` or `at most`. quantity: a whole number, a Range, or after `exactly` a set of numbers.
    keys: as written; `x in SET` and `(i, j) in SET` are Key values, anything else an expression.
    weights: beside `families`, what a choice of each counts for; empty where each choice counts for 1.
    """

    kind: str
    quantity: Expr
    families: tuple[Name, ...]
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    weights: tuple[Expr, ...] = field(default=(), kw_only=True)
    span: Span = span_field()


@frozen
class Key:
    """`x in SET` or `(i, j) in SET` after `per`, which binds names for this rule alone."""

    pattern: Pattern
    over: Expr
    span: Span = span_field()


@frozen
class Area:
    """`area of f or g at places along pairs holding|touching anchor`, or `area by f at places …` after `per`.

    families: of which the taken choices form the areas; for `by` one, the walls of a `divide`. at: as in `Connected`.
    word: `holding`, `touching` or empty.
    """

    families: tuple[Name, ...]
    divided: bool
    at: tuple[Expr | Key, ...]
    along: Expr | None
    word: str
    anchor: Expr | None
    span: Span = span_field()


@frozen
class Stretch:
    """`stretch of f in within holding anchor`, or `straight stretch of f …`, after `per`: the longest pieces of the
    lines of f. places: whether the rule counts their places; otherwise it counts their lines."""

    family: Name
    straight: bool
    places: bool
    within: Expr | None
    anchor: Expr | None
    span: Span = span_field()

    @property
    def families(self) -> tuple[Name, ...]:
        """The family of the lines."""
        return (self.family,)


@frozen
class AreaRule:
    """`exactly … f per area of … per keys where … "label"`. rule: what it says of each area, with the keys after the
    second `per`, and the condition; its choices count where they stand in the area."""

    rule: Rule
    area: Area | Stretch
    span: Span = span_field()

    @property
    def families(self) -> tuple[Name, ...]:
        """The families that count, and then those that form the areas; the same may be among both."""
        return (*self.rule.families, *self.area.families)

    @property
    def keys(self) -> tuple[Expr | Key, ...]:
        """The keys of its rule."""
        return self.rule.keys

    @property
    def where(self) -> Expr | None:
        """The condition of its rule."""
        return self.rule.where

    @property
    def label(self) -> Template | None:
        """The label of its rule."""
        return self.rule.label


@frozen
class Divide:
    """`divide places by f along pairs "label"`: a wall stands between two areas of the places, and around each."""

    places: Expr
    family: Name
    ends: Expr
    label: Template | None
    span: Span = span_field()

    @property
    def keys(self) -> tuple[Expr | Key, ...]:
        """None: there is one division."""
        return ()

    @property
    def where(self) -> None:
        """None: all choices of the family are walls."""
        return None


@frozen
class NamedChoice:
    """`f(a, b)` where a choice stands: in `if … then`."""

    family: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class Taken:
    """`f(a, b)` or `not f(a, b)` before `then`: that a choice is taken, or that it is not."""

    choice: NamedChoice
    negated: bool
    span: Span = span_field()


@frozen
class Then:
    """A part of what stands after `then`: `[not|all|some|no] g(args) or h(args) …`, or a count of such choices,
    `exactly|at least|at most QUANTITY [total WEIGHT of] g(args) or …`.

    kind: its first word or words, or empty. quantity: as of a `Rule`; None if it is no count. weights: beside
    `choices`, what each of them counts for; empty where each counts for 1.
    """

    kind: str
    quantity: Expr | None
    choices: tuple[NamedChoice, ...]
    weights: tuple[Expr, ...] = field(default=(), kw_only=True)
    span: Span = span_field()

    @property
    def forbids(self) -> bool:
        """Whether none of the choices is to be taken."""
        return self.kind in ("not", "no")

    @property
    def bare(self) -> bool:
        """Whether it is one choice, without a word that says how many of those that it stands for are meant."""
        return not self.kind and len(self.choices) == 1


@frozen
class Needs:
    """`if f(args) and not g(args) or … then PART and PART … for generators where … "label"`, or the same with `if and
    only if`.

    when: what stands before `then`: one of these, and of it every part. then: the parts after it, all of which hold.
    both: whether it says `if and only if`.
    """

    when: tuple[tuple[Taken, ...], ...]
    then: tuple[Then, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    both: bool = field(default=False, kw_only=True)
    span: Span = span_field()

    @property
    def before(self) -> tuple[NamedChoice, ...]:
        """The choices before `then`, in source order."""
        return tuple([part.choice for together in self.when for part in together])

    @property
    def after(self) -> tuple[NamedChoice, ...]:
        """The choices after `then`, in source order."""
        return tuple([choice for part in self.then for choice in part.choices])


@frozen
class Connected:
    """`connected f or g at places along pairs per keys where … "label"`. places, keys: like the keys of a rule.

    word: `connected`, `tree` or `forest`. corners: whether squares with a corner in common touch, too."""

    families: tuple[Name, ...]
    at: tuple[Expr | Key, ...]
    along: Expr | None
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()
    word: str = "connected"
    corners: bool = False


@frozen
class Loop:
    """`loop f along ends per keys where … "label"`. ends: for each choice, the two ends it joins.

    word: `loop`, `loops`, `path`, `paths` or `forest`. directed: whether a choice leads from the first of its ends to
    the other one, `along a -> b`. stops: where a path begins and where it ends; where paths may end, for `paths`.
    crossing: the places where two straight lines may cross. through: a list of places that a path passes in order."""

    family: Name
    ends: Expr
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()
    word: str = "loop"
    directed: bool = False
    stops: tuple[Expr, ...] = ()
    crossing: Expr | None = None
    through: Expr | None = None


def draws(statement: object, family: str) -> bool:
    """Whether a statement says that the choices of a family are the lines of loops or paths."""
    return isinstance(statement, Loop) and statement.family.id == family and statement.word not in ("tree", "forest")


@frozen
class Prefer:
    """`prefer RULE cost PRICE "label"`: a rule that may be broken, at a price for each unit. The rule has the label.
    The names in the price have the values that they have in the rule's label."""

    rule: Rule | Needs
    price: Expr
    span: Span = span_field()

    @property
    def label(self) -> Template | None:
        """The label of its rule."""
        return self.rule.label


@frozen
class AgreePart:
    """`f on key = colour, …`: what the choices of a family show, as a part of an `agree`."""

    family: Name
    pairs: tuple[tuple[Expr, Expr], ...]
    span: Span = span_field()


@frozen
class Agree:
    """`agree f on key = colour, …, g on … for generators where … "label"`. A family may be named several times."""

    shown: tuple[AgreePart, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Alike:
    """`all different|all alike THINGS of f on SEEN per keys where … "label"`: which things show the same, or not.

    different: whether it says that. things, keys: like the keys of a rule. seen: what of the choices is compared; None
    for all indices of the family that are neither things nor keys.
    """

    different: bool
    things: tuple[Expr | Key, ...]
    family: Name
    seen: tuple[Expr, ...] | None
    keys: tuple[Expr | Key, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Given:
    """`given f(args) for … where …`: choices that are in every answer."""

    family: Name
    args: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    label: Template | None
    span: Span = span_field()


@frozen
class Forbid:
    """`forbid f(args) for … where …`. args: None for `forbid f where …`, which may use the family's own indices."""

    family: Name
    args: tuple[Expr, ...] | None
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()


# --- answers ---------------------------------------------------------------------------------------------------------
# Statements about the answers: which is the best, which count as one, how they are shown, what is expected.


@frozen
class Goal:
    """`EXPR of f for … where …`; value is None for `count of f`. With generators, which only the last goal of a
    statement can have, each of their bindings adds to what a choice costs."""

    value: Expr | None
    family: Name
    where: Expr | None
    span: Span = span_field()
    generators: tuple[Generator, ...] = ()


@frozen
class Optimize:
    """A `minimize` or `maximize` statement. kind: which of the two.  then: whether it is a goal of its own, that
    chooses among the best answers for the goals before it."""

    kind: str
    goals: tuple[Goal, ...]
    then: bool = field(default=False, kw_only=True)
    span: Span = span_field()


@frozen
class SymmetryMap:
    """`put(p, s) -> put(mate(p), mirror(s))`: parameters are the names on the left."""

    family: Name
    parameters: tuple[Name, ...]
    image: Name
    args: tuple[Expr, ...]
    span: Span = span_field()


@frozen
class UpTo:
    """An `up to` statement. symmetries: calls such as `symmetries(area)`, and maps on choices."""

    symmetries: tuple[Expr | SymmetryMap, ...]
    span: Span = span_field()


@frozen
class AnswersBy:
    """`answers by f, g`: answers that agree in these families count as one."""

    families: tuple[Name, ...]
    span: Span = span_field()


@frozen
class Clue:
    """`clue board[keys] = … where … for … where … else …`: what the clue in a param would be, given an answer.

    param, keys: where the clue stands.  kind: `value` (an expression in which the name of a family is the set of its
    choices that are taken), `choice` (`value of family`), `count` (`count of family`) or `total` (`total value of
    family`); the last three have a family.  among: the condition after it, about its choices.
    generators, where: which clues there are.  other: what stands where a clue is left out; None: nothing does.
    """

    param: Name
    keys: tuple[Expr, ...]
    kind: str
    value: Expr | None
    family: Name | None
    among: Expr | None
    generators: tuple[Generator, ...]
    where: Expr | None
    other: Expr | None
    span: Span = span_field()


SHAPES = ("circle", "square", "diamond")
THROUGH = ("line", "arrow", "bulb")  # of a `print` through a list of places
PRINTED = ("dark", *SHAPES, *THROUGH)
SHOWN = ("outline", "plain", "dark", "line", "lines", *SHAPES)
REGIONS = "regions"  # of an `outline` of what an answer shows


@frozen
class Show:
    """`show values of f at keys for … where … else "…" as outline`. at: like the keys of a rule. style: one of those in
    `SHOWN`, or None; or `REGIONS`, of an `outline value of f at keys`: lines between places with unlike values."""

    values: tuple[Expr, ...]
    family: Name
    at: tuple[Expr | Key, ...]
    where: Expr | None
    other: str | None
    style: str | None
    span: Span = span_field()
    generators: tuple[Generator, ...] = ()


@frozen
class Print:
    """`print values at keys for … where … as …`: what stands on the board whatever the answer. at: one place, or two
    tuples, the places on the two sides of a border. style: one of those in `PRINTED`, or None; for those in `THROUGH`,
    `at` is a list of places."""

    values: tuple[Expr, ...]
    at: tuple[Expr, ...]
    generators: tuple[Generator, ...]
    where: Expr | None
    span: Span = span_field()
    style: str | None = None


@frozen
class Outline:
    """`outline value for …`: lines between places with unlike values. Places are what the generators bind, or, without
    any, what `cells` declares."""

    value: Expr
    generators: tuple[Generator, ...]
    span: Span = span_field()


@frozen
class Expect:
    """An `expect` statement. kind: `solutions` (with value), `unique`, `none`, `minimum` or `maximum` (with value)."""

    kind: str
    value: Expr | None
    settings: tuple[tuple[Name, Expr], ...]
    span: Span = span_field()


# --- models ----------------------------------------------------------------------------------------------------------
# A model: the statements of one file, and what is left of them after checking.


Statement: TypeAlias = (
    Title
    | Use
    | Param
    | Let
    | Assert
    | Declare
    | Choose
    | Rule
    | AreaRule
    | Divide
    | Needs
    | Connected
    | Loop
    | Prefer
    | Agree
    | Alike
    | Given
    | Forbid
    | Clue
    | Optimize
    | UpTo
    | AnswersBy
    | Show
    | Print
    | Outline
    | Expect
)


@frozen
class Module:
    """One file as parsed: no names are looked up, and no libraries are merged."""

    source: Source
    statements: tuple[Statement, ...]


@frozen
class CheckedModel:
    """A checked model: names are bound, libraries merged in. definitions: every Param and Let in an order in which each
    may be evaluated, libraries first. statements: the other statements of the model itself, in source order (no Title,
    Use, Param, Let)."""

    source: Source
    title: Template | None
    definitions: tuple[Param | Let, ...]
    statements: tuple[Statement, ...]
    libraries: tuple[Source, ...] = field(default=(), eq=False)

    @property
    def has_goal(self) -> bool:
        """Whether answers have a value, by which the best are asked for: a wish alone makes it one."""
        return bool(self.all(Optimize, Prefer))

    def all(self, *kinds: type) -> tuple[Statement, ...]:
        """The statements of the given kinds, in source order."""
        return tuple(s for s in self.statements if isinstance(s, kinds))
