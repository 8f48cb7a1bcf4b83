"""What writing expressions as Python (as_python.py) rests on: the names of variables and constants, and the facts known
of them. Sets and look-ups are written in files of their own (written_sets.py, written_lookups.py)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from types import CodeType
from typing import Any, Final, TypeVar

from covr.compiler.lower.facts import Fact, Sets, WholeNumbers, fact_of, inside_too
from covr.compiler.lower.local_scope import Within
from covr.dsl.syntax import Expr
from covr.frozen import frozen

T = TypeVar("T")

MOST_LOOKED_AT: Final = 4096
"""Of a constant set with more members than this it is not asked what holds for its members."""

Combinations = Callable[[tuple[str, ...]], "Iterable[tuple[Any, ...]] | None"]
"""All combinations of values that these names can have, each as a tuple; None if they aren't known."""


class Unsuitable(Exception):
    """Something is better left to the closures."""


class UsedUp(Unsuitable):
    """The steps that were left do not suffice."""


@frozen
class Surroundings:
    """What a context of names consists of, to come back to it."""

    within: Within
    facts: dict[str, Fact]
    texts: dict[str, str]


class Written(ABC):
    """Writes expressions of one statement.

    within: the scope they are seen from. facts: what is known of the local names that have a value by now.
    combinations: see there. space: what the source refers to, for `finished`.
    guesses: whether what is computed only on the way may be taken to be of the same kinds as a sample, which the source
    checks, and to be there. sample: values for some names, to find one.
    guessed, doubts: whether and how often that was done; if a guess is wrong, the source raises Unsuitable.
    tuples: for a tuple that was written, as source, its parts. prelude: lines that come before all others.
    """

    def __init__(self, within: Within, combinations: Combinations, guesses: bool = False) -> None:
        self.within = within
        self.guesses, self.guessed, self.doubts = guesses, False, 0
        self.sample: dict[str, Any] = {}
        self.facts: dict[str, Fact] = {}
        self.space: dict[str, Any] = {}
        self.combinations = combinations
        self.tuples: dict[str, tuple[str, ...]] = {}
        self.prelude: list[str] = []
        self._texts: dict[str, str] = {}
        self._helpers: dict[Any, str] = {}  # the names of functions that the source calls
        self._inner = 0  # how many names sets made by `for` have bound

    @abstractmethod
    def value(self, expr: Expr) -> tuple[str, Fact]:
        """The source of an expression, and what is known of its values. Raises Unsuitable; EvalFault if a table of its
        values can't be made."""

    @abstractmethod
    def condition(self, expr: Expr) -> str:
        """The source of a condition; what it gives is a Python bool. Raises as `value` does."""

    @abstractmethod
    def every(self, names: tuple[str, ...]) -> Iterable[tuple[Any, ...]] | None:
        """All combinations of values that these names can have, parameters of a function that is written included."""

    @contextmanager
    def careful(self, needed: bool) -> Iterator[None]:
        """A context in which nothing is guessed, if that is needed: where a loop does not look at all members, a
        condition must be one that can't fault."""
        before, self.guesses = self.guesses, self.guesses and not needed
        try:
            yield
        finally:
            self.guesses = before

    @contextmanager
    def inside(self) -> Iterator[Surroundings]:
        """A context in which more names may be bound, which are forgotten after it."""
        before = Surroundings(self.within, self.facts, self._texts)
        self.facts, self._texts = dict(self.facts), dict(self._texts)
        try:
            yield before
        finally:
            self.within, self.facts, self._texts = before.within, before.facts, before.texts

    # --- names --------------------------------------------------------------------------------------------

    def bind(self, name: str, fact: Fact, text: str = "") -> str:
        """Give a local name its variable, or another text that stands for it; returns that."""
        self.facts[name] = fact
        self._texts[name] = text or f"v{len(self._texts)}"
        return self._texts[name]

    def bind_inner(self, name: str, fact: Fact) -> str:
        """The same for a name that is bound by a `for` inside the statement."""
        self._inner += 1
        return self.bind(name, fact, f"w{self._inner}")

    def text(self, name: str) -> str:
        """The variable of a local name that has a value."""
        if name not in self._texts:
            raise Unsuitable
        return self._texts[name]

    def constant(self, value: Any) -> str:
        """A name in the source for a value."""
        name = f"k{len(self.space)}"
        self.space[name] = value
        return name

    def known(self, value: Any) -> tuple[str, Fact]:
        """The source for a value that is always the same, and what holds for it."""
        if type(value) is int:
            fact = WholeNumbers(value, value)
            return (f"({value})" if fact.small else self.constant(value)), fact
        return self.constant(value), self.noted("value", value, _of_one)

    def noted(self, what: str, of: Any, find: Callable[[Any], T]) -> T:
        """What `find` tells of a value; kept, as most statements ask the same of the same few values."""
        noted = self.within.scope.noted
        found = noted.get((what, id(of)))
        if found is None:
            found = noted[what, id(of)] = of, find(of)
        return found[1]

    def deepest(self) -> int:
        """How deep tuples and sets that are written may nest."""
        return min(3, self.within.scope.limits.depth)

    def doubt(self) -> None:
        """Note that the source may ask for something that is not there, or guesses of what kind something is. Raises
        Unsuitable where that is not allowed."""
        if not self.guesses:
            raise Unsuitable
        self.guessed = True
        self.doubts += 1

    # --- functions ----------------------------------------------------------------------------------------

    def finished(self, lines: Iterable[str]) -> Callable[..., Any]:
        """The function `made` that these lines of source define. It raises Unsuitable if a guess was wrong."""
        first, *rest = lines
        space = dict(self.space)
        exec(_code("\n".join([first, *self.prelude, *rest])), space)
        made: Callable[..., Any] = space["made"]
        if not self.guessed:
            return made

        def checked(*args: Any) -> Any:
            try:
                return made(*args)
            except (KeyError, IndexError):
                raise Unsuitable from None

        return checked


def _of_one(value: Any) -> Fact:
    fact = fact_of([value])
    return inside_too([value]) if isinstance(fact, Sets) and len(value) <= MOST_LOOKED_AT else fact


@lru_cache(256)
def _code(text: str) -> CodeType:
    """The same source comes up again and again in collections of puzzles, and compiling it takes some 200 µs."""
    return compile(text, "<covr: a statement as Python>", "exec")


__all__ = ["Combinations", "Unsuitable", "Written"]
