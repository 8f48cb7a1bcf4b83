"""Faults of evaluation, their context, and the limits on what a model may ask for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from covr.compiler.evaluate.values import WORD, Value, abbreviate, kind_of, measure, show_value
from covr.dsl import suggest
from covr.dsl.diagnostics import Diagnostic, Span
from covr.engine.base.limits import check_limits
from covr.frozen import evolve, frozen

# --- faults ----------------------------------------------------------------------------------------------------------
# A user's fault that is found during evaluation. It ends the evaluation of the expression.


# At most so many calls are listed one by one.
_NOTES = 4
_AGAIN = ", again and again"


class EvalFault(Exception):
    """Carries one Diagnostic. Code that catches it may add notes (`with_note`), and raises it again or collects it."""

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(diagnostic.message)
        self.diagnostic = diagnostic

    @classmethod
    def at(cls, span: Span | None, code: str, message: str, help: str = "") -> EvalFault:
        """A fault with one diagnostic: its code, message, place and advice."""
        return cls(Diagnostic(code, message, span, help))

    def with_note(self, note: str) -> EvalFault:
        """The same fault with one more note; of a long chain of calls, only the first few notes are kept. A call that
        repeats is noted only once, so that the call that began the chain can be seen, too."""
        notes = self.diagnostic.notes
        if notes and notes[-1].removesuffix(_AGAIN) == note:
            if notes[-1] == note:
                return EvalFault(evolve(self.diagnostic, notes=(*notes[:-1], note + _AGAIN)))
            return self
        if len(notes) > _NOTES:
            return self
        note = "and further calls" if len(notes) == _NOTES else note
        return EvalFault(evolve(self.diagnostic, notes=(*notes, note)))

    def placed(self, span: Span) -> EvalFault:
        """The same fault, at `span` if it has no place yet."""
        if self.diagnostic.span is not None:
            return self
        return EvalFault(evolve(self.diagnostic, span=span))


def did_you_mean(word: str, candidates: Iterable[str]) -> str:
    """A `help:` text that names the most similar candidate; empty if none is similar."""
    near = suggest(word, candidates)
    return f"did you mean `{near}`?" if near else ""


# --- limits ----------------------------------------------------------------------------------------------------------
# How much a model may ask for: every limit of evaluation with its default, and the budget counted against them.
#
# A model may come from a stranger. Whatever it says, it must not exhaust memory, overflow Python's stack or run without
# end: compilation stops with an error at the expression that asked for too much.


EVERY: Final = 20_000  # steps and values, of some tenths of a microsecond each, between two looks at a limit of time


IN_SOURCE: Final = (
    200_000  # the same in loops that are written as Python source (compiler/lower/loops.py), where a step takes less
)


@frozen
class CompileLimits:
    """Every limit, with its default.

    values: values built in one compilation (members of sets and lists, cells of placements, bindings of indices).
        A value takes 50 to 300 bytes, so that three million stay below a gigabyte.
    steps: members walked, functions called and choices visited in one compilation; five to twenty seconds of work.
    frames: how deep functions may call each other, counted in Python calls: one for each level of nesting in the
        bodies of the functions that are running.
    nesting: how deep one expression may nest.
    depth: how deep tuples, lists and sets may hold each other.
    bits: size of a whole number. Python refuses to print numbers of more than 4300 digits (14 284 bits).
    text: characters of one text.
    data: bytes of a file, characters of a value given on the command line.
    options, items, entries: of the matrix. Five million entries take about a gigabyte while they are put together.
    group, group_entries: members of the group that `up to` generates, and members times choices.
    """

    values: int = 3_000_000
    steps: int = 20_000_000
    frames: int = 12_000
    nesting: int = 200
    depth: int = 50
    bits: int = 10_000
    text: int = 1_000_000
    data: int = 20_000_000
    options: int = 1_000_000
    items: int = 1_000_000
    entries: int = 5_000_000
    group: int = 50_000
    group_entries: int = 20_000_000


_observer: ContextVar[Callable[[Budget], None] | None] = ContextVar("told", default=None)


@contextmanager
def telling(tell: Callable[[Budget], None]) -> Iterator[None]:
    """A context in which `tell` gets the budget of each compilation that begins, so that it can be followed."""
    token = _observer.set(tell)
    try:
        yield
    finally:
        _observer.reset(token)


def announce(budget: Budget, total: int) -> None:
    """Say that a compilation of `total` statements begins."""
    budget.total = total
    tell = _observer.get()
    if tell is not None:
        tell(budget)


class Budget:
    """What one compilation has used up. Shared by everything that evaluates for it.

    limits: the limits it counts against. values, steps: used so far. frames: in use now. begun: how many of the
    `total` statements were begun. span: of the statement being compiled, if any. Another thread may read all of them.
    files: those that were read for its data, as absolute paths, so that no output is written over them.
    """

    __slots__ = ("_look", "begun", "files", "frames", "limits", "span", "steps", "total", "values")

    def __init__(self, limits: CompileLimits) -> None:
        self.limits = limits
        self.values = 0
        self.steps = 0
        self.frames = 0
        self.begun = self.total = 0
        self.span: Span | None = None
        self.files: set[str] = set()
        self._look = EVERY  # steps and values after which it is asked again whether to stop

    def left(self) -> tuple[int, int]:
        """How many steps and values are left."""
        return self.limits.steps - self.steps, self.limits.values - self.values

    def soon(self) -> tuple[int, int]:
        """How many steps loops of Python source may take before they ask again, and how many values are left."""
        steps, values = self.left()
        return min(steps, IN_SOURCE), values

    def begin(self, span: Span) -> None:
        """Note that a statement is compiled now."""
        self.begun += 1
        self.span = span

    def _asked(self) -> None:
        """Ask whether to stop. Raises LimitReached (engine/base/limits.py)."""
        self._look = self.steps + self.values + EVERY
        check_limits()

    def count_values(self, count: int = 1, span: Span | None = None) -> None:
        """Count values before they are built. Raises EvalFault E210 when there would be too many."""
        self.values += count
        if self.steps + self.values >= self._look:
            self._asked()
        if self.values > self.limits.values:
            self.values -= count
            raise EvalFault.at(
                span,
                "E210",
                f"this builds more than {self.limits.values:,} values in all",
                help="make the sets smaller, or say sooner (`where`) what is not wanted",
            )

    def step(self, count: int = 1, span: Span | None = None) -> None:
        """Count members about to be walked. Raises EvalFault E211 when there would be too many."""
        self.steps += count
        if self.steps + self.values >= self._look:
            self._asked()
        if self.steps > self.limits.steps:
            self.steps -= count
            raise EvalFault.at(
                span,
                "E211",
                f"this takes more than {self.limits.steps:,} steps in all",
                help="walk smaller sets, or avoid computing the same thing again and again",
            )

    def apart(
        self, values: Sequence[Value] | Sequence[tuple[Value, ...]], span: Span | None = None, doubled: bool = False
    ) -> None:
        """Count what it costs to tell values apart whose hashes are equal, before they are put into a set or a table:
        as many comparisons as there are pairs of them. Of many values it takes a sample, which is next to no time.
        doubled: whether this was counted for half of them. Raises EvalFault E211 when there would be too many."""
        many = len(values)
        if many < FEW_HASHES:
            return
        sample = values[:: -(-many // FEW_HASHES)]
        equal = sum([n * (n - 1) // 2 for n in Counter(map(hash, sample)).values() if n > 1])
        if equal:
            pairs = equal * (many // len(sample)) ** 2
            self.step((pairs - pairs // 4 if doubled else pairs) // COMPARED, span)

    def number(self, bits: int, span: Span | None) -> None:
        """Check the size of a number, before or after it is computed. Raises EvalFault E212 if it is too large."""
        if bits > self.limits.bits:
            raise EvalFault.at(span, "E212", f"this number has more than {self.limits.bits:,} binary digits")
        if bits > WORD:
            self.count_values(bits // WORD, span)

    def text(self, length: int, span: Span | None) -> None:
        """Check the length of a text, in characters. Raises EvalFault E213 if it is too long."""
        if length > self.limits.text:
            raise EvalFault.at(span, "E213", f"this text has more than {self.limits.text:,} characters")
        self.count_values(1 + length // WORD, span)

    def check_depth(self, value: Value, span: Span | None) -> Value:
        """Check a value that contains others, before it is hashed, compared or printed. Returns the value. Raises
        EvalFault E217 if it nests too deeply, or contains the same parts so often that walking it takes for ever."""
        weight, depth, _ = measure(value)
        if depth > self.limits.depth:
            raise EvalFault.at(
                span, "E217", f"tuples, lists and sets hold each other more than {self.limits.depth} deep here"
            )
        if weight > (HEAVIEST_TUPLE if isinstance(value, tuple) else 10 * self.limits.values):
            raise EvalFault.at(span, "E217", "this value has too many parts")
        return value

    def shown(self, value: Value, span: Span | None) -> str:
        """A value as text for a label. Raises EvalFault E213 if the text would be very long."""
        if not isinstance(value, int | str) and measure(value)[0] > self.limits.text // WORD:
            raise EvalFault.at(span, "E213", f"this is {kind_of(value)} with too many parts to write out")
        return show_value(value)


SEARCH: Final = 5  # how many steps it counts as to look up the members that a condition leaves, found or not
SIFTED: Final = 16  # how many members that are listed, and then left out, count as one step
CHOICE: Final = 3  # how many steps it counts as when a statement visits a choice

FEW_HASHES: Final = 1000  # values whose hashes are looked at; fewer are told apart in milliseconds, whatever they are
COMPARED: Final = 4  # how many comparisons of values with equal hashes count as one step

# Codes of faults after which compilation stops: what is used up is used up for all other statements, too.
USED_UP: Final = frozenset({"E210", "E211", "E420", "E421", "E422"})

# How many parts a tuple may have. It is hashed each time it is looked up, so it must stay small; lists and sets keep
# their hashes.
HEAVIEST_TUPLE: Final = 100_000


# --- fault context ---------------------------------------------------------------------------------------------------
# Where a fault occurred: notes that name the choice, or the values that the names had at the time.


def met(fault: EvalFault, note: str) -> EvalFault:
    """The same fault with a note before its others."""
    return EvalFault(evolve(fault.diagnostic, notes=(note, *fault.diagnostic.notes)))


def met_for(fault: EvalFault, names: Iterable[str], env: Mapping[str, Any]) -> EvalFault:
    """The same fault with the values of these names: `for r = 3, d = 7`. If a limit was exceeded, all values together
    have done so, and the fault is returned unchanged."""
    shown = [f"{name} = {abbreviate(env[name])}" for name in names if name in env]
    return met(fault, f"for {', '.join(shown)}") if shown and fault.diagnostic.code not in USED_UP else fault
