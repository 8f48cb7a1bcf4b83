"""What the names in an expression mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from operator import attrgetter
from typing import Any

from attrs import field

from covr.dsl import syntax as s
from covr.dsl.diagnostics import Diagnostic, Span, near_enough, suggest
from covr.frozen import evolve, frozen, names_of

# --- names -----------------------------------------------------------------------------------------------------------
# The names that patterns bind.


def bound_by(pattern: s.Pattern) -> Iterator[s.Name]:
    """The names of a pattern, from left to right."""
    if isinstance(pattern, s.Name):
        yield pattern
    else:
        for item in pattern.items:
            yield from bound_by(item)


def bound_by_all(generators: tuple[s.Generator, ...]) -> Iterator[s.Name]:
    """The names that these generators bind, in order."""
    for generator in generators:
        for pattern in generator.patterns:
            yield from bound_by(pattern)


# --- walk ------------------------------------------------------------------------------------------------------------
# One walk over syntax trees, for all code that looks for names, calls or anything else in them. Callers differ in what
# lies below a node: everything (`fields`), the parts of an expression (`operands`), or a function of their own.


PLACES = ("span", "block_start")  # attributes that say where a node stands, not what it is made of


_ATTRIBUTES: dict[type, tuple[str, ...]] = {}  # what `attributes` has found


def attributes(kind: type) -> tuple[str, ...]:
    """The names of the attributes that a kind of node is made of, in order; empty for anything that is not a node."""
    found = _ATTRIBUTES.get(kind)
    if found is None:
        found = tuple(name for name in names_of(kind) if name not in PLACES) if kind is not Span else ()
        _ATTRIBUTES[kind] = found
    return found


def fields(node: Any) -> Iterable[object]:
    """Everything that a node is made of, in order."""
    return [getattr(node, name) for name in attributes(type(node))]


def walk(tree: object, below: Callable[[Any], Iterable[object]] = fields) -> Iterator[Any]:
    """Every node of a tree, or of a list or tuple of trees, parents first and in source order. below: returns what lies
    below a node, in order; tuples and lists in it are walked, texts and numbers are skipped. Does not recurse. Time
    O(size of the tree)."""
    todo = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, list | tuple):
            todo += reversed(node)
        elif attributes(type(node)):
            yield node
            todo += reversed([*below(node)])


_PARTS: dict[type, Callable[[Any], tuple[s.Expr, ...]]] = {
    s.Call: attrgetter("args"),
    s.ReaderBlock: attrgetter("args"),
    s.Index: lambda expr: (expr.of, *expr.args),
    s.Field: lambda expr: (expr.of,),
    s.Unary: lambda expr: (expr.of,),
    s.Binary: attrgetter("left", "right"),
    s.Compare: lambda expr: (expr.first, *[other for _, other in expr.rest]),
    s.IfElse: attrgetter("test", "then", "other"),
    s.TupleOf: attrgetter("items"),
    s.ListOf: attrgetter("items"),
    s.SetOf: attrgetter("items"),
    s.MapOf: attrgetter("items"),
    s.Range: attrgetter("low", "high"),
}


def parts(expr: s.Expr) -> tuple[s.Expr, ...]:
    """The expressions that an expression is made of, in order; none for a comprehension, because it binds names."""
    found = _PARTS.get(type(expr))
    return () if found is None else found(expr)


def operands(expr: s.Expr) -> tuple[s.Expr, ...]:
    """The expressions that an expression is made of, in order, including those of a comprehension."""
    if not isinstance(expr, s.Comprehension):
        return parts(expr)
    inner = (expr.item,) if expr.where is None else (expr.item, expr.where)
    return (*(g.over for g in expr.generators), *inner)


# --- builtins --------------------------------------------------------------------------------------------------------
# The names that covr itself defines: constants, functions and readers, with the number of values that each takes.
#
# The compiler defines what they do; the checker and the help texts know them from this table.


# How a piece may lie (`placements(p, area, fixed)`) is text in the language.
CONSTANTS: dict[str, int | str] = {"one": 1, "fixed": "fixed", "onesided": "onesided", "free": "free"}

# The lattices that readers take (`area(hex)`), which are text, too. A model may give these names another meaning.
LATTICES: dict[str, str] = {name: name for name in ("square", "cubes", "hex", "triangle", "sticks", "balls")}


@frozen
class Builtin:
    """A built-in function or reader. low, high: how many values it takes (high None: any number). help: one line."""

    name: str
    low: int
    high: int | None
    help: str

    def takes(self, count: int) -> bool:
        """Whether it can be called with `count` arguments."""
        return self.low <= count and (self.high is None or count <= self.high)


def _table(*rows: Builtin) -> dict[str, Builtin]:
    return {row.name: row for row in rows}


FUNCTIONS = _table(
    Builtin("abs", 1, 1, "a number without its sign"),
    Builtin("min", 1, None, "the least of its values, or of the members of one set or list"),
    Builtin("max", 1, None, "the greatest of its values, or of the members of one set or list"),
    Builtin("sum", 1, 1, "the sum of the numbers in a set or list"),
    Builtin("size", 1, 1, "how many members a set, list, text or grid has"),
    Builtin("sorted", 1, 1, "the members of a set or list, as a list in order"),
    Builtin("position", 2, 2, "where a value stands in a list, tuple or text, counted from 1"),
    Builtin("subsets", 2, 2, "the subsets of S with k members"),
    Builtin("tuples", 2, 2, "the lists of k members of S"),
    Builtin("permutations", 1, 1, "the members of S as lists, in every order"),
    Builtin("box", 2, 3, "the cells (row, column) or (layer, row, column) of a rectangle or box"),
    Builtin("cells", 1, 1, "the places of a grid where something stands"),
    Builtin("hex", 2, 2, "the hexagon in a line and column"),
    Builtin("triangle", 2, 2, "the triangle in a line and column"),
    Builtin("sticks", 2, 2, "the stick in a line and column, whose sum is odd"),
    Builtin("balls", 3, 3, "the ball in a layer, line and column"),
    Builtin("hexagon", 1, 2, "the cells of a hexagon with n of them along each side"),
    Builtin("neighbours", 1, 1, "the cells that share an edge or face with a cell"),
    Builtin("rotate", 1, 2, "a cell or set of cells, turned by a right angle, or by a sixth of a turn"),
    Builtin("reflect", 1, 2, "a cell or set of cells, turned over"),
    Builtin("translate", 2, 2, "a cell or set of cells, moved by a tuple"),
    Builtin("orientations", 1, 2, "the shapes a piece takes when it is turned"),
    Builtin("shape", 1, 2, "what a piece has in common with those that are congruent: the first of its orientations"),
    Builtin("placements", 2, 3, "the sets of cells a piece covers in an area, in every orientation and position"),
    Builtin("symmetries", 1, 1, "the rotations and reflections that carry an area into itself"),
    Builtin("rotations", 1, 1, "the rotations that carry an area into itself"),
    Builtin("frame", 1, 1, "every place of a grid's picture, blank or not"),
    Builtin("runs", 1, 1, "the straight runs of an area, as long as they can be, each a set of two cells or more"),
    Builtin("edges", 1, 1, "the pairs of neighbours in an area, each a set of two cells"),
    Builtin("windows", 3, 4, "the rectangles of h by w cells inside an area, each a set of cells"),
    Builtin("regions", 2, 2, "the sets of up to k cells of an area that hang together"),
    Builtin("rectangles", 1, 2, "the rectangles inside an area, all or those of k squares, each a set of cells"),
    Builtin("border", 1, 1, "where an area ends: pairs of a cell of it and one outside that touch"),
    Builtin("parts", 1, 1, "the largest sets of cells of an area that hang together"),
    Builtin("between", 2, 2, "the cells that lie between two cells on a straight line"),
    Builtin("touches", 2, 2, "whether two cells, or sets of cells, share an edge or face"),
    Builtin("meets", 2, 2, "whether two sets or lists have a member in common"),
    Builtin("some", 1, None, "whether some values of names meet a condition: `some(x in SET where CONDITION)`"),
    Builtin("no", 1, None, "whether no values of names meet a condition: `no(x in SET where CONDITION)`"),
    Builtin("map", 3, 3, "a map from one column of a table to another"),
    Builtin("columns", 1, 1, "the names of the fields of a record, or of a table"),
    Builtin("split", 1, 2, "the words of a text, as a list"),
    Builtin("days", 2, 2, "a day and those after it, n in all, as a list of texts like 2026-12-01"),
    Builtin("weekday", 1, 1, "the day of the week of a date: 1 for Monday to 7 for Sunday"),
    Builtin("file", 1, 1, "the text of a file, its path relative to the model"),
    Builtin("section", 2, 2, "the part of a text under a name, for a reader"),
)

# How many values each takes before its block, or before the text it reads when it is called without one.
READERS = _table(
    Builtin("grid", 0, 2, "a map from (row, column) to what stands there"),
    Builtin("area", 0, 1, "the set of cells of a picture; `#` and space are outside"),
    Builtin("pieces", 0, 1, "letter pictures in the plane; equal letters are one piece"),
    Builtin("solids", 0, 0, "letter pictures whose layers are separated by `/`"),
    Builtin(
        "table", 0, None, "lines of fields, under the given names or those of the first line; the last with … is a list"
    ),
    Builtin("csv", 0, None, "comma-separated fields, under the given names or those of the first line"),
    Builtin("list", 0, 0, "the words of the text"),
    Builtin("text", 0, 0, "the text itself"),
)


# --- scope -----------------------------------------------------------------------------------------------------------
# What the names in an expression mean: the checker's walk over expressions.
#
# Values and functions are looked up separately: a call means a function, the model's own before a built-in one, even if
# there is also a value with that name (`param box = 3` leaves `box(3, 3)` alone). A local name hides a global value.


Definition = s.Param | s.Let
Meaning = tuple[s.Name, tuple[s.Name, ...]]  # a name where it is used, and the names that bind it
MAX_FAULTS = 100  # how many faults of a model are reported; after that, covr stops looking for more


def is_function(definition: Definition | None) -> bool:
    """Whether a definition is a `let` with parameters."""
    return isinstance(definition, s.Let) and definition.parameters is not None


@frozen
class KnownNames:
    """The names that may be used at one place of a model, and what each of them is.

    definitions: the global values and functions by name. later: those that may not be used yet.
    families: by name. indices: what `cells` and `values` declare anywhere, by name.
    local: names with a value here, each with the names that bind it: several, if families share an index.
    place: what the expression belongs to, for messages: `` `place` ``.
    defining: the name whose definition this is.
    in_function: the body of a function, which may call functions that are defined later.
    faults: to which faults are added; used: to which the names of definitions that are used are added.
    pending: names that a `for`, a `per` or an `at` binds only later, for messages; binder: which of the three.
    binding: the word by which the statement could bind a name that is unknown here, for messages; empty if by none.
    barred: names that have a value elsewhere in the statement, but not here: the message and the help.
    meanings: if given, every name that means something is added to it, with the names that bind it.
    """

    definitions: Mapping[str, Definition]
    families: Mapping[str, s.Choose]
    indices: Mapping[str, s.Name]
    faults: list[Diagnostic]
    later: Mapping[str, Definition] = field(factory=dict)
    local: Mapping[str, tuple[s.Name, ...]] = field(factory=dict)
    place: str = ""
    defining: str = ""
    in_function: bool = False
    used: set[str] = field(factory=set)
    pending: frozenset[str] = frozenset()
    binder: str = "for"
    meanings: list[Meaning] | None = None
    binding: str = ""
    barred: Mapping[str, tuple[str, str]] = field(factory=dict)

    def with_local(self, names: Iterable[s.Name], place: str = "") -> KnownNames:
        """The scope inside something that binds these names. place: what it is, for messages."""
        bound = _bindings(names)
        if not bound and (not place or place == self.place):
            return self
        return self._changed({**self.local, **bound}, place or self.place)

    def without(self, names: Iterable[str], binder: str = "for") -> KnownNames:
        """The scope before a clause binds these names; it is a fault if a set of the clause mentions one of them."""
        pending = frozenset(names)
        local = {name: by for name, by in self.local.items() if name not in pending}
        return self._changed(local, self.place, pending, binder)

    def bound_by(self, word: str) -> KnownNames:
        """The scope in a statement that binds names by this word."""
        return self._changed(self.local, self.place, binding=word)

    def of_function(self) -> KnownNames:
        """The scope in the body of a function, which may call functions that are defined later."""
        return evolve(self, in_function=True)

    def _changed(
        self,
        local: Mapping[str, tuple[s.Name, ...]],
        place: str,
        pending: frozenset[str] | None = None,
        binder: str | None = None,
        binding: str | None = None,
    ) -> KnownNames:
        """The scope with other names. Written out, since `evolve` takes five times as long, and most of a check."""
        return KnownNames(
            self.definitions,
            self.families,
            self.indices,
            self.faults,
            self.later,
            local,
            place,
            self.defining,
            self.in_function,
            self.used,
            self.pending if pending is None else pending,
            self.binder if binder is None else binder,
            self.meanings,
            self.binding if binding is None else binding,
            self.barred,
        )

    def means(self, name: s.Name, *bound: s.Name) -> None:
        """Note what a name means: what these names bind."""
        if self.meanings is not None:
            self.meanings.append((name, bound))

    def fault(self, code: str, message: str, span: Span, help: str = "", note: str = "") -> None:
        """Report a fault, unless there are `MAX_FAULTS` already."""
        if len(self.faults) >= MAX_FAULTS:
            return
        fault = Diagnostic(code, message, span, help, (note,) if note else ())
        if fault not in self.faults:
            self.faults.append(fault)

    # --- expressions ---------------------------------------------------------------------------------------

    def check(self, *exprs: s.Expr | s.Template | None) -> None:
        """Add a fault for every name in the expressions that means nothing here."""
        local = self.local if self.meanings is None else ()
        todo = [*reversed(exprs)]
        while todo:
            expr = todo.pop()
            kind = type(expr)
            if kind is s.Name:
                if expr.id not in local:  # type: ignore[union-attr]
                    self.value(expr)  # type: ignore[arg-type]
            elif isinstance(expr, s.Comprehension):
                self.bind(expr.generators, binding="for").check(expr.item, expr.where)
            elif isinstance(expr, s.Template):
                todo += [part for part in reversed(expr.parts) if not isinstance(part, str)]
            elif expr is not None:
                if kind is s.Call:
                    self.call(expr)  # type: ignore[arg-type]
                elif kind is s.ReaderBlock:
                    self.reader(expr)  # type: ignore[arg-type]
                todo += reversed(parts(expr))

    def bind(
        self, generators: tuple[s.Generator, ...], known: Iterable[s.Name] = (), binding: str | None = None
    ) -> KnownNames:
        """Check the sets of generators. Returns the scope in which their names have values. known: names that are bound
        elsewhere in the same statement, so that these sets must not use globals of the same name. binding: see above,
        in that scope; None for the same."""
        scope = self
        seen: set[str] = set()
        bound = [n for g in generators for p in g.patterns for n in bound_by(p)]
        bound += known
        for generator in generators:
            scope.check_set(generator.over, bound)
            local = {**scope.local}
            for pattern in generator.patterns:
                names = list(bound_by(pattern))
                self.distinct(names, seen)
                local.update(_bindings(names))
            last = generator is generators[-1]
            scope = scope._changed(local, scope.place, binding=binding if last else None)
        return scope if generators or binding is None else self.bound_by(binding)

    def check_set(self, over: s.Expr, bound: Iterable[s.Name]) -> None:
        """Check a set that names run over. bound: the names bound together with it, before and after. A set that uses
        the global value of a name that is bound here is refused, because it is unclear which is meant."""
        before = {*self.used}
        self.used.clear()
        self.check(over)
        used = {*self.used}
        self.used.update(before)
        if not used:
            return
        for name in bound:
            if name.id in used and not is_function(self.definitions[name.id]):
                line = self.definitions[name.id].name.span.place[0]
                message = f"`{name.id}` is bound here, and a set here uses the `{name.id}` of line {line}"
                self.fault("E115", message, name.span, "choose another name for one of them")

    def distinct(self, names: Iterable[s.Name], seen: set[str]) -> None:
        """Add a fault for a name that is bound twice, or that may not be bound at all."""
        for name in names:
            if name.id in seen:
                self.fault("E104", f"`{name.id}` is bound twice", name.span)
            seen.add(name.id)
            self.bindable(name)

    def bindable(self, name: s.Name) -> None:
        """Check that a name may be bound: constants may not."""
        if name.id in CONSTANTS:
            self.fault("E112", f"`{name.id}` always means {CONSTANTS[name.id]}", name.span, "choose another name")

    # --- names ---------------------------------------------------------------------------------------------

    def value(self, name: s.Name) -> None:
        """Check that a name stands for a value here; if it does not, a fault is added to `faults`."""
        if name.id in self.local:
            self.means(name, *self.local[name.id])
            return
        if name.id in CONSTANTS:
            return
        found = self.definitions.get(name.id)
        if name.id in LATTICES and found is None and name.id not in {*self.indices, *self.families}:
            return
        if is_function(found) or (found is None and name.id in FUNCTIONS):
            self.fault("E113", f"`{name.id}` is a function, not a value", name.span, f"write `{name.id}(…)`")
        elif name.id in self.later:
            self.too_early(name)
        elif found is not None:
            self.used.add(name.id)
            self.means(name, found.name)
        else:
            self.unknown(name)

    def unknown(self, name: s.Name) -> None:
        """Report a name that has no value here, with the most precise reason that is known."""
        if name.id in self.barred:
            message, help = self.barred[name.id]
            self.fault("E107", message, name.span, help)
        elif name.id in self.indices:
            self.fault("E107", self.without_value(name), name.span, self.advice(name))
        elif name.id in self.families:
            self.fault("E101", f"`{name.id}` is a family of choices, not a value", name.span, self.known_here(name))
        elif self.place and (owner := self.owner(name.id)):
            own = self.place == f"`{owner}`"
            fault = "has no value yet" if own else f"is an index of `{owner}`, not of {self.place}"
            help = self.rename(name) if own else self.known_here(name)
            self.fault("E107", f"`{name.id}` {fault}", name.span, help)
        else:
            span, help = self.written(name)
            help = help or self.guess(name) or self.known_here(name) or self.bind_it(name)
            self.fault("E101", f"`{name.id}` is not defined", span, help)

    def written(self, name: s.Name) -> tuple[Span, str]:
        """The place of an unknown name, or of a form around it that others write, and a help text, perhaps empty."""
        from covr.dsl.advice import AROUND, WORDS, written_around  # only a model with a fault needs it

        if name.id in WORDS:
            return name.span, f"write `{WORDS[name.id]}`"
        found = written_around(name.span, AROUND)
        if found is not None:
            return found[0], f"write `{found[1]}`"
        return name.span, self.meant(name) or (f'write `"{name.id}"`' if in_a_list(name.span) else "")

    def meant(self, name: s.Name) -> str:
        """A help text with a name of the model that is like an unknown one."""
        return self.guess(name, (), numbers=False) if name.id != "count" else ""

    def known_here(self, name: s.Name) -> str:
        """A help text with what `per` or `at` may name; empty elsewhere."""
        if self.binder not in ("per", "at") or len(self.faults) >= MAX_FAULTS:
            return ""
        own = [n.id for family in self.families.values() if f"`{family.name.id}`" in self.place for n in family.indices]
        listed = f" ({', '.join(f'`{n}`' for n in dict.fromkeys(own))})" if own else ""
        return (
            f"`{self.binder}` takes indices of {self.place}{listed}, names that `cells` or `values` declare, "
            f"and `x in SET`, which binds `x`"
        )

    def bind_it(self, name: s.Name) -> str:
        """A help text for a name that nothing binds, where the statement could bind it."""
        return f"let `{name.id}` run over a set: add `{self.binding} {name.id} in …`" if self.binding else ""

    def rename(self, name: s.Name) -> str:
        """A help text for a name that its own set uses."""
        return f"choose another name for what is bound here: `{self.binder} x in …`" if self.binder != "for" else ""

    def guess(self, name: s.Name, constants: Iterable[str] = CONSTANTS, numbers: bool = True) -> str:
        """A help text with what an unknown name may have meant; empty if nothing is similar."""
        if len(self.faults) >= MAX_FAULTS:
            return ""
        if name.id == "count":
            return "`count` stands in goals only: `count of f`"
        from covr.dsl.advice import NUMBERS

        if name.id in NUMBERS:
            return f"write `{NUMBERS[name.id]}`" if numbers else ""
        size, far = len(name.id), near_enough(name.id)
        known = [n for n in self.definitions if -far <= len(n) - size <= far and n != self.defining]
        known = [n for n in known if not is_function(self.definitions[n]) and n not in self.later]
        return asked(suggest(name.id, [*sorted(self.local), *known, *constants]))

    def without_value(self, name: s.Name) -> str:
        """Why an index has no value here."""
        declared = self.indices[name.id]
        if name.id in self.pending:
            return f"`{name.id}` is bound by this `{self.binder}`, and has no value yet"
        if self.place and declared.span.place > name.span.place:
            return f"`{name.id}` is declared only below, on line {declared.span.place[0]}"
        if self.place:
            return f"`{name.id}` is not an index of {self.place}"
        return f"`{name.id}` is an index and has no value here"

    def advice(self, name: s.Name) -> str:
        """What to do about an index that has no value here; may be empty."""
        if name.id in self.pending:
            return self.rename(name)
        return (
            self.known_here(name)
            if self.place
            else f"let `{name.id}` range over a set with `for`, or name another value"
        )

    def owner(self, index: str) -> str | None:
        """The family that has an index of that name, or None."""
        for family in self.families.values():
            if any(n.id == index for n in family.indices):
                return family.name.id
        return None

    def too_early(self, name: s.Name) -> None:
        """Report a name that is used before its definition (E108)."""
        line = self.later[name.id].name.span.place[0]
        message = f"`{name.id}` is used before it is defined"
        self.fault("E108", message, name.span, f"move its definition, on line {line}, up")

    # --- functions and readers -----------------------------------------------------------------------------

    def call(self, call: s.Call) -> None:
        """Check the call of a function: that it exists, and takes this number of arguments."""
        name, got = call.function, len(call.args)
        own = self.definitions.get(name.id)
        if isinstance(own, s.Let) and own.parameters is not None:
            self.used.add(name.id)
            self.means(name, own.name)
            if name.id in self.later and not self.in_function:
                self.too_early(name)
            elif len(own.parameters) != got:
                self.count(call, name.id, Builtin(name.id, len(own.parameters), len(own.parameters), ""))
        elif name.id in ("some", "no"):
            self.fault("E105", f"`{name.id}(…)` wants a condition after `where`", call.span, self.form(name.id))
        elif name.id in FUNCTIONS:
            self.count(call, name.id, FUNCTIONS[name.id])
        elif name.id in READERS:
            reader = READERS[name.id]
            high = None if reader.high is None else reader.high + 1
            self.count(call, name.id, Builtin(name.id, reader.low + 1, high, ""))
        else:
            self.no_function(call)

    def reader(self, reader: s.ReaderBlock) -> None:
        """Check a reader: that it exists, and takes this number of arguments."""
        name = reader.name
        if name.id in READERS:
            self.count(reader, name.id, READERS[name.id])
        else:
            help = asked(suggest(name.id, READERS)) or f"the readers are {', '.join(READERS)}"
            self.fault("E103", f"`{name.id}` is not a reader", name.span, help)

    def count(self, call: s.Call | s.ReaderBlock, name: str, wanted: Builtin) -> None:
        """Check the number of arguments."""
        got = len(call.args)
        if not wanted.takes(got):
            message = f"`{name}` takes {plural(wanted.low, wanted.high)}, not {got}"
            self.fault("E105", message, call.span, self.form(name))

    def form(self, name: str) -> str:
        """A help text: how a function or reader is called."""
        from covr.dsl.service.function_rows import FUNCTION_ROWS, READER_ROWS

        own = self.definitions.get(name)
        if isinstance(own, s.Let) and own.parameters is not None:
            return f"it reads `{name}({', '.join(p.id for p in own.parameters)})`"
        row = FUNCTION_ROWS.get(name) or READER_ROWS.get(name)
        return f"it reads {', or '.join(f'`{form}`' for form in row.forms)}: {row.gives}" if row is not None else ""

    def no_function(self, call: s.Call) -> None:
        """Report a call of something that is not a function."""
        from covr.dsl.advice import CALLS, forms

        name = call.function
        known = [n for n, d in self.definitions.items() if is_function(d)]
        help = asked(suggest(name.id, [*known, *FUNCTIONS, *READERS]))
        span = name.span
        for _, _, text in forms(call.span.one_line, CALLS, whole=True):
            span, help = call.span, f"write `{text}`"
            break
        if name.id in self.local or name.id in self.definitions or name.id in CONSTANTS:
            self.fault("E113", f"`{name.id}` is a value, not a function", name.span, help)
        elif name.id in self.families:
            self.fault("E103", f"`{name.id}` is a family of choices, not a function", name.span)
        else:
            self.fault("E103", f"`{name.id}` is not a function", span, help)


def in_a_list(span: Span) -> bool:
    """Whether what stands there is by itself a member of a set or list that is written out, or compared with `=`."""
    from covr.dsl.advice import LONGEST

    text, at = span.source.text, span.start
    before = text[max(0, at - LONGEST) : at].rstrip()
    after = text[span.end : span.end + LONGEST].lstrip()[:1]
    if before.endswith("=") and not re.search(r"\b(?:let|param)\s+\w+\s*=\Z", before):
        return after not in ("(", "[", ".")
    if before[-1:] not in ("{", "[", ",") or after not in (",", "}", "]"):
        return False
    opened: list[str] = []
    for sign in reversed(before):
        if sign in ")]}":
            opened.append(sign)
        elif sign in "([{" and opened:
            opened.pop()
        elif sign in "([{":
            return sign == "{" or (sign == "[" and not re.search(r"[\w)\]][ ]*\Z", before[: before.rfind("[")]))
    return False


def _bindings(names: Iterable[s.Name]) -> dict[str, tuple[s.Name, ...]]:
    """Names with all that bind them."""
    bound: dict[str, tuple[s.Name, ...]] = {}
    for name in names:
        bound[name.id] = (*bound.get(name.id, ()), name)
    return bound


def asked(word: str | None) -> str:
    """`did you mean …?`, or an empty text if there is no word."""
    return f"did you mean `{word}`?" if word else ""


def plural(low: int, high: int | None) -> str:
    """A number of values in words: `1 value`, `2 to 3 values`, `1 value or more`."""
    if high is None:
        return f"{low} value{'s' * (low != 1)} or more"
    if low == high:
        return f"{low or 'no'} value{'s' * (low != 1)}"
    return f"{low} to {high} values"
