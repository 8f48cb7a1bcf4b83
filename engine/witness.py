"""The witness: an answer known beforehand to be cheapest, to which every step of a search for a minimum is held.

For tests. A problem that knows one (`Problem.witness`) makes each row, reduction, fixing, bound, order, narrowed
problem and closed node show that it leaves the witness in, as long as answers of its cost are still looked for: that
is, while the ceiling is not below it. What excludes it raises `Lost`, which names the method and the row, option or
node at fault. Where one of several equal answers may be left out (options that are alike, columns put in order, options
that others dominate), the witness is exchanged for the one that must stay, and the exchange itself is checked.

In ordinary use there is none: where a row or a problem is made, that is one comparison with None; compiled kernels test
one flag at a node.

Source: the debug solution of SCIP, as in Achterberg, "Constraint integer programming", 2007.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from covr.engine.check import check, cost

if TYPE_CHECKING:
    from covr.engine.minimum.core import Core
    from covr.engine.minimum.mixed_core import HeavyRow, MixedCore
    from covr.engine.outside.solvers import SolverRow
    from covr.engine.problem import Problem


class Lost(AssertionError):
    """A step of a search excludes the witness although no answer as cheap was found."""


def worth(problem: Problem) -> int | None:
    """What the problem's witness costs; None if there is none."""
    return None if problem.witness is None else cost(problem, problem.witness)


def binds(problem: Problem, ceiling: int | None) -> bool:
    """Whether a search for answers up to a ceiling must leave the witness in."""
    least = worth(problem)
    return least is not None and (ceiling is None or least <= ceiling)


def called(problem: Problem, option: int) -> str:
    """An option as messages name it."""
    return f"option {option}" + (f" ({problem.option_names[option]})" if problem.option_names else "")


def carried(
    problem: Problem, numbers: Sequence[int], taken: Collection[int] = (), by: str | None = None
) -> tuple[int, ...] | None:
    """The witness in the numbers of a problem that has only some of the options; None if none is known, or it is in
    another part of the search.

    numbers: per option of the new problem, its number in the old one.  taken: options that the new one leaves out
    because all its answers take them.  by: what left the others out, if the witness must be among those that stay.
    """
    if problem.witness is None:
        return None
    place = {o: k for k, o in enumerate(numbers)}
    left = set(problem.witness) - set(taken)
    extra = set(taken) - set(problem.witness)
    if extra or not left <= place.keys():
        if by is None:
            return None
        gone = min(extra or left - place.keys())
        raise Lost(f"{by} {'takes' if extra else 'leaves out'} {called(problem, gone)}")
    return tuple(sorted([place[o] for o in left]))


def below(problem: Problem, taken: Iterable[int], excluded: Iterable[int]) -> tuple[int, ...] | None:
    """The witness, if it takes these options and none of those; None otherwise."""
    known = problem.witness
    return known if known is not None and set(taken) <= set(known) and set(known).isdisjoint(excluded) else None


def exchanged(problem: Problem, witness: Iterable[int], by: str) -> Problem:
    """The problem with another witness, which must be an answer that costs no more. by: what exchanged it."""
    from covr.frozen import evolve

    other = tuple(sorted(witness))
    wrong = check(problem, other)
    if wrong is not None:
        raise Lost(f"{by}: what is left in place of the witness is no answer: {wrong}")
    if problem.witness is not None and cost(problem, other) > cost(problem, problem.witness):
        raise Lost(f"{by}: what is left in place of the witness costs more")
    return evolve(problem, witness=other)


def hold_end(by: str, ended: bool, bound: int | None, least: int, *ceilings: int | None) -> None:
    """A search that has ended, or proved a bound, must not have passed the witness over.

    ended: whether it says that no more answers up to the ceilings are left.  bound: what it says that each of these
    costs at least.  least: what the witness costs.
    """
    if any(ceiling is not None and ceiling < least for ceiling in ceilings):
        return  # an answer as cheap is known, or cheaper ones only are wanted
    if ended or (bound is not None and bound > least):
        said = "has ended" if ended else f"has proved {bound}"
        raise Lost(f"{by} {said}, but there is an answer that costs {least}")


def hold_rows(rows: Iterable[HeavyRow | SolverRow], taken: Collection[int], by: str) -> None:
    """Each row must hold for these options. by: what made them."""
    for row in rows:
        total = sum(w for o, w in row.terms if o in taken)
        if (row.low is not None and total < row.low) or (row.high is not None and total > row.high):
            terms = " + ".join(f"{w} x{o}" for o, w in row.terms)
            raise Lost(f"{by}: the row {row.low} ≤ {terms} ≤ {row.high} is {total} for the witness")


def hold_core(core: MixedCore) -> None:
    """The rows and the colours of a core must hold for its witness."""
    taken = core.witness
    assert taken is not None
    counts = [0] * len(core.lows)
    shown: dict[int, int] = {}
    for o in taken:
        for k, i in enumerate(core.options[o]):
            counts[i] += 1
            shade = core.shades[o][k] if core.shades is not None and i >= core.rows else 0
            if i >= core.rows and (shown.setdefault(i, shade) != shade or (shade == 0 and counts[i] > 1)):
                raise Lost(f"the core: two colours of its item {i} in the witness")
    for i in range(core.rows):
        if not core.lows[i] <= counts[i] <= core.highs[i]:
            held = [core.numbers[o] for o in range(len(core.options)) if i in core.options[o]]
            raise Lost(f"the core: its row {i}, {core.lows[i]} to {core.highs[i]} of {held}, is {counts[i]}")
    hold_rows(core.heavy, taken, "the core")
    if not core.feasible:
        raise Lost("the core says that there is no answer")


def without_spare(problem: Problem) -> Problem:
    """The problem with a witness that takes nothing that costs nothing and is not needed: searches leave that out."""
    left = list(problem.witness or ())
    for o in [o for o in left if o not in problem.given and (not problem.costs or problem.costs[o] >= 0)]:
        fewer = [p for p in left if p != o]
        if check(problem, fewer) is None:
            left = fewer
    return exchanged(problem, left, "options that nothing needs")


def watch(kernel: Any, problem: Problem, by: str) -> None:
    """Hold the nodes of a kernel to the witness of its problem. by: what messages call the kernel."""
    assert problem.witness is not None
    taken = set(problem.witness)

    def describe(what: str, option: int) -> str:
        return f"{by}, {what}: " + ("a node is closed" if option < 0 else f"{called(problem, option)} is settled")

    kernel.watch([int(o in taken) for o in range(problem.options)], cost(problem, problem.witness), describe)


def watch_core(kernel: Any, core: Core, by: str) -> None:
    """Hold the levels of a search for covers to the witness of its core. by: what messages call the search."""
    assert core.witness is not None

    def describe(what: str, option: int) -> str:
        return f"{by}, {what}: " + ("a node is closed" if option < 0 else f"option {core.numbers[option]}")

    kernel.watch([int(o in core.witness) for o in range(len(core.options))], core.worth, describe)


def watch_sides(kernel: Any, problem: Problem, names: Sequence[str]) -> None:
    """Hold the nodes of a kernel for sides (kernels/sides/_sides.py) to the witness of its problem.

    names: of its sides, in the order of the kernel (`side_names` of prepare/sides.py).
    """
    assert problem.witness is not None
    taken = set(problem.witness)

    def describe(what: str | int, option: int) -> str:
        by = what if isinstance(what, str) else names[what]
        what = "the node is closed" if option < 0 else f"{called(problem, option)} is decided otherwise"
        return f"the search with sides, {by}: {what}"

    kernel.watch([int(o in taken) for o in range(problem.options)], cost(problem, problem.witness), describe)


def hold_watch(watch: Any) -> None:
    """What a kernel for sides makes of decisions of the witness must leave it in."""
    wrong = watch.excluded()
    if wrong is not None:
        raise Lost(f"linear programs, beside them {wrong}")


class HeldNode:
    """A kernel of linear programs (kernels/mixed/_mixed.py) whose nodes are held to the witness of its core.

    Its methods are the kernel's; those that decide something look at what it was.
    """

    def __init__(self, kernel: Any, core: MixedCore, cutoff: int) -> None:
        assert core.witness is not None
        self._kernel, self._core, self._cutoff = kernel, core, cutoff
        self._taken = core.witness
        self._least = core.unit * core.worth

    def __getattr__(self, name: str) -> Any:
        return getattr(self._kernel, name)

    def adopt(self, other: HeldNode) -> None:
        """Begin with the basis of another kernel."""
        self._kernel.adopt(other._kernel)

    def lower(self, cutoff: int) -> None:
        """Look only for answers below a cutoff, in units; the witness counts while it is below."""
        self._cutoff = cutoff
        self._kernel.lower(cutoff)

    def propagate(self) -> bool:
        """Settle what the rows force: nothing that the witness does otherwise."""
        return bool(self._held(True, "what the rows force", self._kernel.propagate))

    def take(self, option: int) -> bool:
        """Take an option; if the witness takes it, all that follows must agree with it."""
        return bool(self._held(option in self._taken, "what follows from a decision", self._kernel.take, option))

    def drop(self, option: int) -> bool:
        """Drop an option; if the witness does without it, all that follows must agree with it."""
        return bool(self._held(option not in self._taken, "what follows from a decision", self._kernel.drop, option))

    def together(self, one: int, other: int) -> bool:
        """Drop the options that hold just one of two items; if the witness takes none, what follows must agree."""
        fits = self.agrees(("join", one, other))
        return bool(self._held(fits, "what follows from two items together", self._kernel.together, one, other))

    def apart(self, one: int, other: int) -> bool:
        """Drop the options that hold both items; if the witness takes none, what follows must agree."""
        fits = self.agrees(("part", one, other))
        return bool(self._held(fits, "what follows from two items apart", self._kernel.apart, one, other))

    def bound(self) -> int:
        """The node's bound, which must not be above the witness, nor settle an option otherwise."""
        bound: int = self._held(True, "a fixing by the reduced costs of a node", self._kernel.bound)
        return bound

    def agrees(self, decision: tuple[str, int, int]) -> bool:
        """Whether the witness is on this side of a decision of the tree."""
        what, one, other = decision
        if what in ("take", "drop"):
            return (one in self._taken) == (what == "take")
        held = [{one, other} & set(self._core.options[o]) for o in self._taken]
        return all(len(both) != 1 for both in held) if what == "join" else all(len(both) != 2 for both in held)

    def hold_watch(self, watch: Any) -> None:
        """What the kernel for sides makes of this node's decisions must leave the witness in, if they do."""
        if self._strays() is None and self._least < self._cutoff:
            hold_watch(watch)

    def hold(self, option: int, taken: bool, by: str) -> None:
        """A decision that is meant to follow from what is known, and not to branch. by: what says so."""
        if (option in self._taken) != taken and self._strays() is None and self._least < self._cutoff:
            raise Lost(f"{by}: {self._told(option, taken)}")

    def _strays(self) -> tuple[int, bool] | None:
        """The first option that is decided otherwise than by the witness."""
        return next(((o, taken) for o, taken in self._kernel.settled(0) if (o in self._taken) != taken), None)

    def _held(self, fits: bool, by: str, decide: Callable[..., Any], *decision: int) -> Any:
        """What a decision makes of the node. fits: whether the witness is on its side.  by: what decides more."""
        if not fits or self._least >= self._cutoff or self._strays() is not None:
            return decide(*decision)
        result = decide(*decision)
        stray = self._strays()
        if stray is not None:
            raise Lost(f"linear programs, {by}{list(decision) or ''}: {self._told(*stray)}")
        if result is False or (by.startswith("a fixing") and result > self._least):
            raise Lost(f"linear programs, {by}{list(decision) or ''}: the node is closed, or its bound is {result}")
        return result

    def _told(self, option: int, taken: bool) -> str:
        return f"option {self._core.numbers[option]} is {'taken' if taken else 'dropped'}"
