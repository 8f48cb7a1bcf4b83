"""A search with bounds on costs, or of what no other kernel takes: Dancing Links that ask an estimate at nodes.

Where all answers up to a ceiling are listed or counted, the kernel is exchanged once it has taken long (`Exchanged`):
for one that knows the prices of a linear program (minimum/narrowed.py), and tries the same in the same order, or, to
count, for one that looks at no costs any more.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from covr.engine.base.heed import heeded, look
from covr.engine.kernels.header import DONE, FOUND, PYTHON, SLICE
from covr.engine.kernels.loading import load
from covr.engine.method import Method
from covr.engine.prepare.exact import speed
from covr.engine.prepare.residual import Residual, take_given
from covr.engine.prepare.shift import shift
from covr.engine.witness import watch, without_spare
from covr.frozen import evolve

if TYPE_CHECKING:
    from covr.engine.minimum.narrowed import RootPrices
    from covr.engine.problem import Problem
    from covr.engine.settings import Settings
    from covr.engine.single import Prepared


def links_method(prepared: Prepared) -> Method:
    """Dancing Links with bounds, and a tree of linear programs beside them if there is one. Where something else
    provides a better bound, little time is spent on that of the root."""
    settings, goal = prepared.settings, prepared.goal
    module = load("_general", prepared.interpreted)
    ceiling = settings.ceiling
    searched, base = shift(prepared.searched)
    minimum, bounded = goal == "minimum", goal == "minimum" or ceiling is not None
    given_cost = sum(searched.costs[o] for o in searched.given) if searched.costs else 0
    residual = take_given(searched)
    native, prices, name, asking = _estimated(prepared, searched, residual) if bounded else (0, (), "", None)
    cutoff = None if ceiling is None else ceiling - base + 1

    def kernel(own: Residual, below: int | None, prices: Sequence[int], more: Sequence[int] = (), base: int = 0) -> Any:
        return module.General(searched, own, minimum, native, given_cost, below, prices, look, more, base)

    general = kernel(residual, cutoff, prices)
    if minimum and searched.witness is not None:
        watch(general, without_spare(searched), "dancing links")

    def root_bound() -> int | None:
        value = general.root_bound()
        return None if value is None else value + base

    method = Method(
        f"dancing links with bounds ({speed(module)}){name}",
        general,
        general.run if asking is None else asking(general),
        lambda: prepared.whole(general.answer()),
        root_bound,
        lower=lambda ceiling: general.lower(ceiling - base + 1),
        fraction=general.fraction,
    )
    if minimum or ceiling is None or not is_usual(settings):
        return prepared.with_tree(method)

    @cache
    def known() -> RootPrices | None:
        from covr.engine.minimum.narrowed import fits_program, root_prices

        return root_prices(searched, residual, ceiling - base, prepared.interpreted) if fits_program(searched) else None

    def sharper() -> Method | None:
        found = known()
        if found is None:
            return None
        left = evolve(residual, feasible=residual.feasible and found.feasible)
        top = sum([max(paid, 0) for paid in heeded(searched.costs)]) + 1
        sharp = kernel(left, min(ceiling - base + 1, top), found.items, found.more, found.base)
        return evolve(
            method, kernel=sharp, run=sharp.run, answer=lambda: prepared.whole(sharp.answer()), fraction=sharp.fraction
        )  # fmt: skip

    def without_costs() -> Method | None:
        from covr.engine.minimum.narrowed import cheap_enough

        found = known()
        plain = None if found is None else cheap_enough(searched, residual, found, ceiling - base)
        if plain is None:
            return sharper()
        made = prepared.of_another(plain)
        return made.counting() or made

    return exchanged(method, sharper, without_costs, settings.pace.ceiling)


def is_usual(settings: Settings) -> bool:
    """Whether no estimate is asked for."""
    from covr.engine.minimum.estimates.auto import auto

    return [estimate.bound for estimate in settings.estimates] == [auto]


def exchanged(
    method: Method,
    better: Callable[[], Method | None],
    counter: Callable[[], Method | None],
    patience: int,
    key: Callable[[tuple[int, ...]], tuple[int, ...]] = tuple,
) -> Method:
    """A method that lists all answers up to a ceiling, and is exchanged for another one once it has taken long.

    better: makes one that lists the same answers, in any order; None for none.  counter: the same of one that counts
    them.  patience: nodes before that.  key: what tells answers apart.
    """

    def made(kernel: Exchanged, counting: Callable[[], Method | None]) -> Method:
        return evolve(
            method, kernel=kernel, run=kernel.run, answer=kernel.whole, fraction=kernel.fraction, gatherer=None,
            naming=lambda: kernel.now.title, looks=True, even=False, counting=counting,
        )  # fmt: skip

    def counting() -> Method:
        return made(Exchanged(method, counter, patience, None), lambda: None)

    return made(Exchanged(method, better, patience, key), counting)


class Exchanged:
    """A method as a kernel (see loading.py) that another one takes the place of, once it has had `patience` nodes. The
    other one begins anew; answers that were given before are left out."""

    def __init__(
        self,
        first: Method,
        better: Callable[[], Method | None],
        patience: int,
        key: Callable[[tuple[int, ...]], tuple[int, ...]] | None,
    ) -> None:
        """better: makes the other one, or None; it may raise Stopped.  key: what tells answers apart; None where only
        their number is wanted, which the other one counts from the first on."""
        self.now = self._first = first
        self._better, self._patience, self._key = better, patience, key
        self._waits = True  # whether the other one is still to be made
        self._seen: set[tuple[int, ...]] = set()  # what the first one has found, and the other one has not
        self._aside = (0, 0)  # nodes and updates of the first one, once it has ended
        self.answers, self.code = 0, -1

    @property
    def nodes(self) -> int:
        """The nodes of both."""
        return self._aside[0] + self.now.kernel.nodes

    @property
    def updates(self) -> int:
        """The updates of both."""
        return self._aside[1] + self.now.kernel.updates

    def answer(self) -> list[int]:
        """The options of the last answer, in the caller's numbers."""
        return list(self.now.answer())

    def whole(self) -> tuple[int, ...]:
        """The last answer as a tuple; see `answer`."""
        return self.now.answer()

    def fraction(self) -> float | None:
        """How much of its tree is done, for the one that is further."""
        told = [part for one in (self._first, self.now) if (part := one.fraction()) is not None]
        return max(told, default=None)

    def run(self, nodes: int, answers: int) -> int:
        """Go on for at most so many nodes and answers; returns a code of header.py. Raises Stopped at a limit that is
        reached while the other one is made."""
        end, until = self.nodes + nodes, self.answers + answers
        self.code, code = -1, SLICE
        while code != DONE and self.answers < until and self.nodes < end:
            if self._waits and self.now.kernel.nodes >= self._patience:
                self._exchange()
            left = end - self.nodes
            if self._waits:
                left = min(left, self._patience - self.now.kernel.nodes)
            code = self._go_on(left, until - self.answers)
        self.code = FOUND if self.answers >= until else DONE if code == DONE else SLICE
        return self.code

    def _exchange(self) -> None:
        other = self._better()
        self._waits = False
        if other is None:
            self._seen.clear()
            return
        self._aside = self.now.kernel.nodes, self.now.kernel.updates
        self.now = other

    def _go_on(self, nodes: int, answers: int) -> int:
        """Run the present method, and count the answers that are new."""
        kernel, key = self.now.kernel, self._key
        if key is None:
            code = self.now.run(nodes, answers + self.answers - kernel.answers)
            self.answers = max(self.answers, kernel.answers)
            return code
        singly, before = self._waits or bool(self._seen), kernel.answers
        code = self.now.run(nodes, 1 if singly else answers)
        found = kernel.answers - before
        if found and singly:
            told = key(self.now.answer())
            if self._waits:
                self._seen.add(told)
            elif told in self._seen:
                self._seen.remove(told)
                found = 0
        self.answers += found
        return code


def _estimated(
    prepared: Prepared, searched: Problem, residual: Residual
) -> tuple[int, Sequence[int], str, Callable[[Any], Callable[[int, int], int]]]:
    """What a kernel is told of the estimate, the prices at the root, what the estimate adds to its name, and what makes
    `run` of the kernel."""
    from covr.engine.minimum import asked
    from covr.engine.minimum.estimates.auto import auto
    from covr.engine.minimum.relaxation import BRIEF, EFFORT, root_prices

    estimate = asked.cascade(prepared.settings.estimates)
    effort = BRIEF if prepared.brief or prepared.has_tree else EFFORT
    prices = root_prices(searched, residual, prepared.interpreted, effort) if estimate.bound is auto else ()
    hearing = prepared.goal == "minimum"
    native = asked.NATIVE.get(estimate.bound, PYTHON)
    return native, prices, f", estimate {estimate.name}", lambda general: asked.asking(general, estimate, hearing)
