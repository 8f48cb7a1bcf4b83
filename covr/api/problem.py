"""A cover problem for users who already have a matrix: rows instead of a model."""

from __future__ import annotations

import warnings
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol, Unpack, runtime_checkable

import attrs

from covr.engine import Problem as Matrix
from covr.engine import build
from covr.engine.base.limits import whole
from covr.engine.problem import MAX_COST, too_dear
from covr.questions.answer import Answer, frame
from covr.questions.options import Options, OptionWords
from covr.questions.run import Run

if TYPE_CHECKING:
    from pandas import DataFrame

    from covr.compiler.lower.lowered import StageValue


class Unfinished(Exception):
    """A limit was hit before the question was decided: the answer is not known.

    found: the answers, or the best answer, found until then.  count: how many were counted, for `count`.
    bound: for a model with a goal, a value that no answer can beat; None if nothing is known."""

    def __init__(
        self, message: str, found: tuple[Answer, ...] = (), count: int | None = None, bound: int | None = None
    ) -> None:
        super().__init__(message)
        self.found = found
        self.count = len(found) if count is None else count
        self.bound = bound


def first_of(run: Run) -> tuple[int, ...] | None:
    """The first answer of a run, or a best one; not verified yet. None: it is proved that there is none. Raises
    Unfinished."""
    found = run.first()
    if found is None:
        if not run.complete:
            raise Unfinished("a limit was hit before an answer was found", bound=run.bound)
        check_verified(run)
    return found


def check_verified(run: Run, found: tuple[Answer, ...] = (), count: int | None = None) -> None:
    """With the option `verify`: raise Unfinished, with what was found, if a limit left no time to verify it."""
    if run.verified is not None and not run.verified.done:
        raise Unfinished("a limit was hit before the answer was verified", found, count, run.bound)


# --- problem ---------------------------------------------------------------------------------------------------------
#     problem = covr.Problem.from_rows({"A": [1, 4, 7], "B": [1, 4], "C": [4, 5, 7], "D": [3, 5, 6], …})
#     problem.solve().rows            # ("B", "D", "F")
#
# Rows are lists of items; an item is anything that can be hashed. In a numpy array or a scipy.sparse matrix, the
# entries that are not zero say which items (columns) a row holds. Neither library is needed or imported.


Item = Hashable
Bounds = int | tuple[int, int | None]
Row = Iterable[Item] | Mapping[Item, Hashable]
GOALS = (None, "minimize", "maximize")
# The upper bound that means "any number of rows" in the engine.
ANY = MAX_COST


@runtime_checkable
class Array(Protocol):
    """The methods of a numpy or scipy matrix that are used here."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows and columns the array has."""

    def nonzero(self) -> Any:
        """The row numbers and the column numbers of the entries that are not 0, as in numpy."""


class Problem:
    """Rows to choose from, so that every item is covered as its bounds say. It never changes.

    rows: the names of the rows, in order.  items: all items, those that must be covered first.
    goal: `minimize`, `maximize` or None.  problem: the matrix that the engine searches.
    symmetry: None, as each answer counts by itself."""

    symmetry = None

    def __init__(self, rows: Sequence[Hashable], items: Sequence[Item], matrix: Matrix, goal: str | None) -> None:
        self.rows = tuple(rows)
        self.items = tuple(items)
        self.problem = matrix
        self.goal = goal

    @classmethod
    def from_rows(
        cls,
        rows: Array | Mapping[Any, Row] | Iterable[Row],
        *,
        items: Iterable[Item] | None = None,
        secondary: Iterable[Item] = (),
        bounds: Mapping[Any, Bounds] | None = None,
        costs: Mapping[Any, int] | Sequence[int] | None = None,
        goal: str | None = None,
        given: Iterable[Hashable] = (),
    ) -> Problem:
        """A problem from its rows.

        rows: lists of items. A dict gives the rows names; otherwise their names are their positions, from 0. A row
            without items could be added to any answer, so it is left out, with a warning. A row that is a dict maps its
            items to colours (None: no colour); rows that share a secondary item must show the same colour there.
        items: all items, in order; by default those of the rows by first appearance (the columns 0, 1, … of an array).
            If no row holds an item that must be covered, there is no solution.
        secondary: items that may be covered at most once, and need not be covered.
        bounds: item → how often it is covered: `k`, or `(least, most)`, where None means no bound. An item without an
            entry is covered exactly once.
        costs: a whole number for each row, in order or by name. The goal is then to minimise their sum, unless `goal`
            is `maximize`. The absolute values of all costs must add up to less than 2^62.
        goal: `minimize` or `maximize`; without costs every row counts 1.
        given: names of rows that every answer takes.
        Whole numbers are `int` and numpy's integers; floats (even 2.0), True and False are refused.
        Raises ValueError for arguments that contradict each other, TypeError for a row that is not one. Time linear in
        the length of the rows."""
        if goal not in GOALS:
            raise ValueError(f"the goal is `minimize` or `maximize`, not {goal!r}")
        names, members, columns = _read(rows)
        every = names
        names, members = _filled(names, members)
        wanted = list(columns if items is None else items)
        optional = dict.fromkeys(secondary)
        known = _numbered(members, wanted, optional, exact=items is not None or bool(columns))
        limits = _limits(known, optional, bounds or {})
        order = sorted(known, key=lambda item: limits[item][0] == 0)  # stable: those that must be covered come first
        number = {item: n for n, item in enumerate(order)}
        of_name = {name: n for n, name in enumerate(names)}
        taken = sorted({_row(of_name, name, every) for name in given})
        goal = goal or (None if costs is None else "minimize")
        matrix = build(
            [limits[item] for item in order],
            _options(members, number),
            costs=_costs(_costs_of(costs, every, names), names, goal),
            given=taken,
        )
        shown = tuple(map(str, order)), tuple(map(str, names))
        return cls(names, order, attrs.evolve(matrix, item_names=shown[0], option_names=shown[1]), goal)

    def __repr__(self) -> str:
        return f"<Problem: {len(self.items)} items, {len(self.rows)} rows>"

    # --- questions, as a Model answers them ---

    def solve(self, **options: Unpack[OptionWords]) -> RowAnswer | None:
        """The first answer, or a best one if there is a goal. None: it is proved that there is none.

        Raises Unfinished if a limit stops the search before an answer is found."""
        run = self._run(options)
        found = first_of(run)
        if found is None:
            return None
        check_verified(run)
        return RowAnswer(self, found, run.best is None or run.best.proved)

    def solutions(self, limit: int | None = None, **options: Unpack[OptionWords]) -> Iterator[RowAnswer]:
        """Every answer (with a goal, every best one), or `limit` of them, one at a time as they are found."""
        most = None if limit is None else whole(limit, "limit", 0)
        run = self._run(options)
        for found in islice(run.answers(limit=most), most):
            yield RowAnswer(self, found, run.best is None or run.best.proved)

    def count(self, **options: Unpack[OptionWords]) -> int:
        """How many answers there are. Raises Unfinished if a limit is reached."""
        run = self._run(options)
        counted = run.count()
        if not counted.complete:
            raise Unfinished(f"a limit was hit after {counted.value} answers", count=counted.value)
        check_verified(run, count=counted.value)
        return counted.value

    def frame(self, **options: Unpack[OptionWords]) -> DataFrame:
        """Every answer as a pandas DataFrame: a line for each answer, a column for each row's name, true if the answer
        takes that row."""
        taken = ([o in found for o in range(len(self.rows))] for found in map(_set, self.solutions(**options)))
        return frame(taken, [str(name) for name in self.rows])

    def _run(self, options: OptionWords) -> Run:
        return Run(self, Options(**options))

    def objective(self, options: Sequence[int]) -> int | None:
        return None if self.goal is None else self.value_of(sum(self.problem.costs[o] for o in options))

    def stages(self, cost: int, bound: int | None = None) -> tuple[StageValue, ...]:
        return ()

    def value_of(self, cost: int) -> int:
        return -cost if self.goal == "maximize" else cost


class RowAnswer(Sequence[Hashable]):
    """An answer: a sequence of the names of its rows.

    options: the numbers of the rows, increasing.  cost: the goal's value, or None.
    proved: whether this is proved to be a best answer."""

    def __init__(self, problem: Problem, options: tuple[int, ...], proved: bool) -> None:
        self.options = options
        self.cost = problem.objective(options)
        self.proved = proved
        self._problem = problem

    @cached_property
    def rows(self) -> tuple[Hashable, ...]:
        """The names of the rows, in order."""
        return tuple(self._problem.rows[o] for o in self.options)

    def as_dict(self) -> dict[Hashable, list[Item]]:
        """Row name → its items, in the order of `Problem.items`."""
        items, matrix = self._problem.items, self._problem.problem
        return {self._problem.rows[o]: [items[i] for i in matrix.option(o)] for o in self.options}

    def as_tuples(self) -> list[tuple[Hashable, ...]]:
        """The rows as tuples: `[(name, item, item, …), …]`."""
        return [(name, *items) for name, items in self.as_dict().items()]

    def frame(self) -> DataFrame:
        """A pandas DataFrame with a line for each item of each row: `row`, `item`."""
        return frame(((name, item) for name, items in self.as_dict().items() for item in items), ["row", "item"])

    def __len__(self) -> int:
        return len(self.options)

    def __getitem__(self, at: Any) -> Any:
        return self.rows[at]

    def __eq__(self, other: object) -> bool:
        return self.rows == other.rows if isinstance(other, RowAnswer) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.rows)

    def __repr__(self) -> str:
        worth = "" if self.cost is None else f", cost {self.cost}"
        return f"<RowAnswer: {', '.join(map(str, self.rows))}{worth}>"


def _set(answer: RowAnswer) -> frozenset[int]:
    return frozenset(answer.options)


# --- reading rows ---

Members = list[dict[Item, Hashable]]


def _read(rows: Any) -> tuple[list[Hashable], Members, Sequence[int]]:
    """The names of the rows, their items with colours, and the columns if `rows` is a matrix."""
    if isinstance(rows, Array):
        if len(rows.shape) != 2:
            raise ValueError(f"a matrix has two dimensions, not {len(rows.shape)}")
        found: Members = [{} for _ in range(rows.shape[0])]
        for r, c in zip(*rows.nonzero(), strict=True):
            found[int(r)][int(c)] = None
        return list(range(len(found))), [dict(sorted(row.items())) for row in found], range(rows.shape[1])
    if isinstance(rows, Mapping):
        return list(rows), [_members(row, name) for name, row in rows.items()], ()
    members = [_members(row, n) for n, row in enumerate(rows)]
    return list(range(len(members))), members, ()


def _filled(names: list[Hashable], members: Members) -> tuple[list[Hashable], Members]:
    empty = [str(name) for name, row in zip(names, members, strict=True) if not row]
    if not empty:
        return names, members
    from covr.compiler.formats.draft import left_out

    warnings.warn(left_out("row", empty), stacklevel=3)
    kept = [n for n, row in enumerate(members) if row]
    return [names[n] for n in kept], [members[n] for n in kept]


def _costs_of(costs: Any, every: Sequence[Hashable], names: Sequence[Hashable]) -> Any:
    """The costs of the rows that are left, if costs are given in the order of all rows."""
    if costs is None or isinstance(costs, Mapping) or len(names) == len(every):
        return costs
    values = list(costs)
    if len(values) != len(every):
        raise ValueError(f"there are {len(every)} rows and {len(values)} costs")
    left = set(names)
    return [cost for name, cost in zip(every, values, strict=True) if name in left]


def _members(row: Any, name: Hashable) -> dict[Item, Hashable]:
    if isinstance(row, Mapping):
        return dict(row)
    if isinstance(row, str | bytes) or not isinstance(row, Iterable):
        raise TypeError(f"row {name!r} is a list of items, not {row!r}")
    found: dict[Item, Hashable] = {}
    for item in row:
        if item in found:
            raise ValueError(f"row {name!r} holds {item!r} twice")
        found[item] = None
    return found


def _numbered(members: Members, wanted: list[Item], secondary: Mapping[Item, None], exact: bool) -> dict[Item, None]:
    known: dict[Item, None] = dict.fromkeys(wanted)
    if len(known) < len(wanted):
        raise ValueError("an item is listed twice")
    known.update(dict.fromkeys(secondary))
    for n, row in enumerate(members):
        for item in row:
            if item not in known:
                if exact:
                    raise ValueError(f"row {n} holds {item!r}, which is not among the items")
                known[item] = None
    return known


def _limits(
    items: Mapping[Item, None], secondary: Mapping[Item, None], bounds: Mapping[Item, Bounds]
) -> dict[Item, tuple[int, int]]:
    limits = {item: (0, 1) if item in secondary else (1, 1) for item in items}
    for item, bound in bounds.items():
        if item not in limits:
            raise ValueError(f"there is a bound for {item!r}, which is not among the items")
        low, high = _bound(item, bound)
        if not 0 <= low <= high:
            raise ValueError(f"nothing is covered {low} to {high} times, as {item!r} should be")
        if item in secondary and low:
            raise ValueError(f"{item!r} is secondary, and must be covered at least {low} times")
        limits[item] = low, high
    return limits


def _bound(item: Item, bound: Any) -> tuple[int, int]:
    """Bounds as (least, most); `most` is ANY if there is no upper bound."""
    name = f"the bound of {item!r} in bounds"
    if not isinstance(bound, tuple | list):
        low = high = whole(bound, name)
        return low, high
    if len(bound) != 2:
        raise ValueError(f"{name} must be a whole number or (least, most), not {bound!r}")
    low = 0 if bound[0] is None else whole(bound[0], name)
    return low, max(ANY, low) if bound[1] is None else whole(bound[1], name)


def _options(members: Members, number: Mapping[Item, int]) -> Iterator[list[int | tuple[int, int]]]:
    """Rows for the engine; colours are numbered from 1."""
    colours: dict[Hashable, int] = {}
    for row in members:
        yield [
            number[item] if colour is None else (number[item], colours.setdefault(colour, len(colours) + 1))
            for item, colour in row.items()
        ]


def _costs(costs: Any, names: Sequence[Hashable], goal: str | None) -> Sequence[int]:
    if goal is None:
        return ()
    if costs is None:
        values = [1] * len(names)
    elif isinstance(costs, Mapping):
        missing = [name for name in names if name not in costs]
        if missing:
            raise ValueError(f"row {missing[0]!r} has no cost")
        values = [whole(costs[name], f"the cost of row {name!r} in costs") for name in names]
    else:
        values = [whole(cost, f"costs[{n}]") for n, cost in enumerate(costs)]
    if len(values) != len(names):
        raise ValueError(f"there are {len(names)} rows and {len(values)} costs")
    total = sum(map(abs, values))
    if total >= MAX_COST:
        raise ValueError(too_dear(total))
    return [-value for value in values] if goal == "maximize" else values


def _row(of_name: Mapping[Hashable, int], name: Hashable, every: Sequence[Hashable]) -> int:
    if name not in of_name:
        if name in every:
            raise ValueError(f"the row {name!r} holds nothing, so that it can't be given")
        raise ValueError(f"there is no row {name!r} to be given")
    return of_name[name]
