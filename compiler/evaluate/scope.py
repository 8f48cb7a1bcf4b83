"""A scope: what the global names of a model mean, and the readers by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from covr.compiler.evaluate.blocks import DataBlock
from covr.compiler.evaluate.calls import Function, Site
from covr.compiler.evaluate.expressions import Compiler, called_names, free_names
from covr.compiler.evaluate.files import seems
from covr.compiler.evaluate.limits import Budget, CompileLimits, EvalFault
from covr.compiler.evaluate.members import Bind, binder
from covr.compiler.evaluate.operators import Env, Run, Test
from covr.compiler.evaluate.picture_readers import read_area, read_grid, read_pieces, read_solids
from covr.compiler.evaluate.table_readers import read_csv, read_list, read_table, read_text
from covr.compiler.evaluate.values import FALSE, TRUE, Map, Seq, Set, Value
from covr.compiler.lattices import LATTICES
from covr.dsl import syntax as syn
from covr.dsl.diagnostics import Span
from covr.dsl.syntax import CheckedModel, Expr, Generator, Pattern, Template
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler.grids import Takes

# --- readers ---------------------------------------------------------------------------------------------------------
# The readers by name, and how they are called: with a block in the model, or with a text as their last argument.


COUNTED = re.compile(r"( [^\W\d]\w*)\(s\)")  # a noun behind a number, as in `{n} line(s)`
MISREAD = frozenset(f"E3{number:02}" for number in range(1, 20))  # codes of faults of a text that a reader reads


@frozen
class Reader:
    """A reader. read: takes the Site, the text and the values of the arguments. gives: the kind of the result."""

    name: str
    read: Callable[[Site, DataBlock, list[Value]], Value]
    gives: type

    def call(self, site: Site, *args: Value) -> Value:
        """The reader called as a function: `grid(9, 9, file("x"))`, the text last."""
        if not args or not isinstance(args[-1], str):
            raise site.fault(
                max(len(args) - 1, 0),
                f"`{self.name}` wants a text to read",
                help=f'write a `"""` block after it, or `{self.name}(…, file("name"))`',
                code="E208",
            )
        last = len(args) - 1
        return self.apply(site, DataBlock.of_value(args[last], site.of(last)), list(args[:last]))

    def apply(self, site: Site, block: DataBlock, args: list[Value]) -> Value:
        """What it reads from a text. If it can't read a file that seems to be of another kind, the fault says so."""
        try:
            return self.read(site, block, args)
        except EvalFault as fault:
            span = fault.diagnostic.span
            if span is None or span.source is site.span.source or fault.diagnostic.code not in MISREAD:
                raise
            if block.starts is not None and block.whole.end - block.whole.start < len(span.source.text):
                raise  # a section
            what, cure = seems(span.source.text)
            if not what or "commas" in what:
                raise
            cure = cure.replace("name", span.source.name)
            raise fault.with_note(f"this seems to be {what}" + f": {cure}" * bool(cure)) from None


READERS: Mapping[str, Reader] = {
    reader.name: reader
    for reader in (
        Reader("grid", read_grid, Map),
        Reader("area", read_area, Set),
        Reader("pieces", read_pieces, Set),
        Reader("solids", read_solids, Set),
        Reader("table", read_table, Seq),
        Reader("csv", read_csv, Seq),
        Reader("list", read_list, Seq),
        Reader("text", read_text, str),
    )
}


# --- scope -----------------------------------------------------------------------------------------------------------
# A scope: what the global names of a model mean, and how expressions that use them are compiled.
#
# `bind` (bind.py) makes a Scope from a model and its data. Everything else asks the scope: `compile` for values,
# `truth` for conditions, `template` for labels, `generate` for the bindings of a `for`.


Definition = syn.Param | syn.Let
AtOnce = Callable[[syn.Comprehension, "Scope"], "list[Any] | None"]
TakesOf = Callable[[str], "Takes | None"]

# Names that every model knows.
CONSTANTS: Mapping[str, Value] = {
    "one": 1,
    "true": TRUE,
    "false": FALSE,
    "fixed": "fixed",
    "onesided": "onesided",
    "free": "free",
}
# Names that every model knows, but may give another meaning: the lattices.
LATTICE_NAMES: Mapping[str, Value] = {name: name for name in LATTICES}


class Scope:
    """What global names mean. Local names are looked up in the environment that a closure is called with; one that is
    also a global name must be listed in `bound` when compiling.

    - definitions: the model's params and lets. A definition hides a built-in name; a function and a value may share one
      (`param box = 3`, `box(2, 3)`)
    - preset: the values that are already known; others are computed when first asked for, once
    - model, overrides: what `bind` made the scope from
    - walked: sets that statements walk, kept for those that walk the same (walk.py)
    - noted: what is known of values and their members, by their place in memory (facts.py)
    - tables: of values of expressions, by the expression's place in memory and the names that it uses (as_python.py)
    - at_once: makes what the `for` of a comprehension without local names comes to, or returns None where closures must
    - takes_of: returns which values the model takes for a param (`Takes`), as far as the rest of the model says it
    """

    def __init__(
        self,
        definitions: Iterable[Definition],
        preset: Mapping[str, Value] | None = None,
        limits: CompileLimits | None = None,
    ) -> None:
        self.budget = Budget(limits or CompileLimits())
        self.model: CheckedModel | None = None
        self.overrides: Mapping[str, object] = {}
        self.at_once: AtOnce | None = None
        self.takes_of: TakesOf | None = None
        self.walked: dict[tuple[Any, ...], tuple[Expr, Any]] = {}
        self.tables: dict[tuple[int, tuple[str, ...]], tuple[Any, ...]] = {}
        self.noted: dict[tuple[str, int], tuple[Any, Any]] = {}
        self._definitions: dict[str, Definition] = {}
        self._functions: dict[str, Function] = {}
        self._values: dict[str, Value] = dict(preset or {})
        self._failed: dict[str, EvalFault] = {}
        self._working: set[str] = set()
        for definition in definitions:
            if isinstance(definition, syn.Let) and definition.parameters is not None:
                self._functions[definition.name.id] = Function(self, definition)
            else:
                self._definitions[definition.name.id] = definition

    @property
    def limits(self) -> CompileLimits:
        """The limits on what evaluating the model may use."""
        return self.budget.limits

    def defines(self, name: str) -> bool:
        """Whether a name stands for a value in this scope."""
        return name in self._values or name in self._definitions or name in CONSTANTS or name in LATTICE_NAMES

    def only_a_lattice(self, name: str) -> bool:
        """Whether a name stands for a lattice, because the model gives it no other meaning."""
        return name in LATTICE_NAMES and name not in self._values and name not in self._definitions

    def value(self, name: str, span: Span | None = None) -> Value:
        """The value of a global name. Raises EvalFault if it has none: the same fault each time."""
        if name in self._values:
            return self._values[name]
        if name in self._failed:
            raise AlreadyReported(self._failed[name].diagnostic)
        definition = self._definitions.get(name)
        if definition is None:
            return CONSTANTS[name] if name in CONSTANTS else LATTICE_NAMES[name]
        if name in self._working:
            raise EvalFault.at(span or definition.span, "E216", f"`{name}` is defined by itself")
        self._working.add(name)
        try:
            value = self.evaluate(definition.value)
        except EvalFault as fault:
            self._failed[name] = fault
            raise
        finally:
            self._working.discard(name)
        self._values[name] = value
        return value

    def set_value(self, name: str, value: Value) -> None:
        """Keep the value of a definition."""
        self._values[name] = value

    def set_failed(self, name: str, fault: EvalFault) -> None:
        """Make `value` raise this fault again for the name, as one that has already been reported."""
        self._failed[name] = fault

    def function(self, name: str) -> Function | None:
        """The function of that name, or None."""
        return self._functions.get(name)

    def function_names(self) -> Iterable[str]:
        """The names of all functions that the model defines."""
        return self._functions

    def kept_values(self) -> Mapping[str, int]:
        """For each function, for how many arguments its value is kept."""
        return {name: len(function.kept) for name, function in self._functions.items()}

    def forget_values(self, kept: Mapping[str, int]) -> None:
        """Forget the values of functions that were kept since `kept_values` returned this."""
        for name, size in kept.items():
            values = self._functions[name].kept
            while len(values) > size:
                values.popitem()

    @property
    def global_names(self) -> frozenset[str]:
        """Every name that stands for a value in this scope."""
        return frozenset(self._values) | frozenset(self._definitions) | frozenset(CONSTANTS) | frozenset(LATTICE_NAMES)

    @property
    def known_values(self) -> Mapping[str, Value]:
        """The global values that have been computed so far."""
        return self._values

    def depends(self, of: str | Expr) -> frozenset[str]:
        """The params, lets and functions that a definition or an expression uses, directly or through others."""
        found: set[str] = set()
        todo = [of] if isinstance(of, str) else list(self._mentioned(of))
        while todo:
            name = todo.pop()
            if name in found:
                continue
            if name in self._definitions:
                found.add(name)
                todo += self._mentioned(self._definitions[name].value)
            if name in self._functions:
                found.add(name)
                todo += self._mentioned(self._functions[name].let.value)
        return frozenset(found - {of} if isinstance(of, str) else found)

    def _mentioned(self, expr: Expr) -> frozenset[str]:
        return free_names(expr) | called_names(expr)

    # --- compiling ----------------------------------------------------------------------------------------

    def compile(self, expr: Expr, bound: Iterable[str] = ()) -> Run:
        """A closure from local names to the expression's value. Compiling and calling it raise EvalFault."""
        return Compiler(self, frozenset(bound)).code(expr).run

    def truth(self, expr: Expr, bound: Iterable[str] = ()) -> Test:
        """A closure for a condition, as a Python bool. It raises EvalFault if the value is neither true nor false."""
        return Compiler(self, frozenset(bound)).test(expr)

    def members(self, expr: Expr, bound: Iterable[str] = ()) -> Run:
        """A closure for the members that `x in EXPR` walks: a Set, Seq or tuple of a size that the budget allows."""
        compiler = Compiler(self, frozenset(bound))
        return compiler.counted_members(compiler.code(expr))

    def binder(self, pattern: Pattern) -> Bind:
        """A closure that takes a member and an environment, in which it sets the names of the pattern."""
        return binder(pattern)

    def template(self, template: Template, bound: Iterable[str] = ()) -> Callable[[Env], str]:
        """A closure that fills in a label. `(s)` behind the word that follows a number is `s`, or nothing after 1."""
        shown = self.budget.shown
        if all(isinstance(p, str) for p in template.parts):
            text = "".join(str(p) for p in template.parts)
            return lambda env: text
        pieces: list[tuple[str, Run | None, Span, tuple[str, str] | None]] = []
        for part in template.parts:
            if isinstance(part, str):
                noun = COUNTED.match(part) if pieces else None
                split = None if noun is None else (noun[1], part[noun.end() :])
                pieces.append((part, None, template.span, split))
            else:
                pieces.append(("", self.compile(part, bound), part.span, None))

        def fill(env: Env) -> str:
            texts = []
            value: Value = 0
            for text, run, span, counted in pieces:
                if run is not None:
                    value = run(env)
                    texts.append(shown(value, span))
                elif counted is not None and type(value) is int:
                    texts.append(f"{counted[0]}{'' if value == 1 else 's'}{counted[1]}")
                else:
                    texts.append(text)
            return "".join(texts)

        return fill

    def generate(
        self, generators: tuple[Generator, ...], where: Expr | None, env: Env | None = None
    ) -> Iterator[dict[str, Any]]:
        """The bindings of generators that satisfy a condition, in documented order: the first name varies slowest."""
        given = env or {}
        return self.bindings(generators, where, given)(given)

    def bindings(
        self, generators: tuple[Generator, ...], where: Expr | None, bound: Iterable[str]
    ) -> Callable[[Env], Iterator[Env]]:
        """A closure for the bindings of generators, with repeats, that satisfy a condition."""
        return Compiler(self, frozenset(bound)).walk(generators, where)

    def evaluate(self, expr: Expr, env: Env | None = None) -> Value:
        """The value of an expression, once."""
        given = env or {}
        return self.compile(expr, given)(given)  # type: ignore[no-any-return]


class AlreadyReported(EvalFault):
    """A fault of a definition, raised again for something that uses it. It has already been reported."""
