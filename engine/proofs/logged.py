"""A proof that another program checks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from attrs import field

from covr.engine.base.limits import MOST_STEPS, Deadline, Limits, Status
from covr.engine.kernels.header import DONE
from covr.engine.kernels.header import SLICE as SLICE_ENDED
from covr.engine.kernels.loading import load
from covr.frozen import frozen

# --- priced row ------------------------------------------------------------------------------------------------------
# A bound as a row of a proof: rows times whole prices, added to the row that says what an answer may cost.
#
# Let y[r] >= 0 be a price for each row `sum of a[r][v] · x[v] >= d[r]`, and let answers be wanted with `costs <= most`.
# Then `scale` times the second, less each row times its price, is a row that every such answer meets:
#
#     sum of (scale · c[v] - sum of y[r] · a[r][v]) · x[v]  <=  scale · most - sum of y[r] · d[r]
#
# Its coefficients are reduced costs. If it can't be met at all, nothing is as cheap; else unit propagation over it
# excludes every variable whose reduced cost is too high, and closes every node in which what is taken leaves too little
# room. The prices come from steps along subgradients (kernels/mixed/_row_prices.py), which approach the duals of the
# linear program, and are rounded: the row is right whatever they are.


STEPS = 4000  # of the search for prices, where rows are few
WORK = 100_000_000  # entries that all steps may read: half a second
SCALE = 2**12  # prices are multiples of a cost's 4096th
ROOM = 2**60  # what the numbers of the row add up to is below this
ENDLESS = 1e30  # what stands for a bound that a row does not have

Terms = Sequence[tuple[int, int]]


@frozen
class PricedRow:
    """scale: what the row of the costs is multiplied by.  prices: (row, price), prices above 0.  terms, degree: the row
    `sum of coefficient · variable >= degree` that this makes, with `costs <= most` as `-costs >= -most`."""

    scale: int
    prices: tuple[tuple[int, int], ...]
    terms: tuple[tuple[int, int], ...]
    degree: int


def priced_row(variables: int, rows: Sequence[tuple[Terms, int]], costs: Sequence[int], most: int) -> PricedRow | None:
    """The row, or None if no price is above 0 or numbers would be too large. rows: (terms, degree).  costs: per option;
    the options are the first variables."""
    prices = _prices(variables, rows, costs)
    if prices is None:
        return None
    total = sum(map(abs, costs)) + abs(most) + 1
    sizes = [sum(abs(c) for c, _ in terms) + abs(degree) for terms, degree in rows]
    weight = sum(y * size for y, size in zip(prices, sizes, strict=True))
    scale = min(SCALE, int(ROOM / (total + weight)))
    whole = [(r, y) for r, price in enumerate(prices) if (y := round(price * scale)) > 0]
    if scale < 1 or not whole:
        return None
    sums = [-scale * c for c in costs] + [0] * (variables - len(costs))
    degree = -scale * most
    for r, y in whole:
        terms, least = rows[r]
        degree += y * least
        for c, v in terms:
            sums[v] += y * c
    return PricedRow(scale, tuple(whole), tuple([(c, v) for v, c in enumerate(sums) if c]), degree)


def _prices(variables: int, rows: Sequence[tuple[Terms, int]], costs: Sequence[int]) -> list[float] | None:
    """A price per row, in units of cost and at least 0; None if there is nothing to find."""
    size = max(map(abs, costs), default=0)
    if not size or not rows:
        return None
    starts, members, factors = [0], list[int](), list[float]()
    for terms, _ in rows:
        members += [v for _, v in terms]
        factors += [float(c) for c, _ in terms]
        starts.append(len(members))
    module = load("_row_prices")
    kernel = module.RowPrices(
        [*[c / size for c in costs], *[0.0] * (variables - len(costs))], starts, members, factors,
        [float(degree) for _, degree in rows], [ENDLESS] * len(rows),
    )  # fmt: skip
    most = WORK if module.COMPILED else MOST_STEPS
    kernel.run(min(STEPS, most // (len(members) + variables + len(rows)) + 1))
    return [max(size * y, 0.0) for y in kernel.prices()]


# --- node bounds -----------------------------------------------------------------------------------------------------
# Bounds at the nodes of a proof's search: where they are looked for, and what they say as a line of the proof.
#
# The row at the root (logged.py) takes part in propagation everywhere, but its prices are those of the whole problem.
# Further down others are better. Looking for them takes longer than a node does, so that it must pay: after a look in
# vain, twice as many nodes pass until the next, and half as many after one that closed its node or settled much.


NODE_BOUNDS_STEPS = 60  # along subgradients, per look
LONGEST = 128  # nodes between two looks at most
SHARE = 16  # a row that settles fewer than one in so many open variables isn't worth its line


@frozen
class NodeBound:
    """What follows at a node. line: the `pol` line, over the row of the best answer.  literals: what it settles: 2v for
    variable v being 1, 2v + 1 for 0; None if the node can be closed."""

    line: str
    literals: tuple[int, ...] | None


class NodeBounds:
    """Looks for bounds at nodes. `pause`: how many nodes should pass until the next look."""

    def __init__(self, problem: PseudoBoolean, priced: PricedRow, silent: bool = False) -> None:
        """silent: write no lines."""
        starts, members, factors = [0], list[int](), list[int]()
        for terms, _ in problem.rows:
            members += [v for _, v in terms]
            factors += [c for c, _ in terms]
            starts.append(len(members))
        prices = [0.0] * len(problem.rows)
        for r, price in priced.prices:
            prices[r] = price / priced.scale
        costs = [*problem.costs, *[0] * (problem.variables - len(problem.costs))]
        degrees = [degree for _, degree in problem.rows]
        self._kernel: Any = load("_node_prices").NodePrices(
            costs, starts, members, factors, degrees, prices, priced.scale
        )
        self.pause = 1
        self._silent = silent
        self._adding = [f" {r + 1} %d * +" for r in range(len(problem.rows))]  # twice as fast as one string per price

    @property
    def steps(self) -> int:
        """How many steps were taken."""
        return int(self._kernel.work)

    def look(self, values: Sequence[int], most: int, row: int) -> NodeBound | None:
        """What follows at a node, if answers may cost `most` at most; None if nothing or little does. values: per
        variable, 1, -1 for 0, or 0 if it is open.  row: the number of the row `costs <= most`."""
        told = self._kernel.look(values, most, NODE_BOUNDS_STEPS)
        if told is None or (told[2] is not None and len(told[2]) * SHARE < values.count(0)):
            self.pause = min(2 * self.pause, LONGEST)
            return None
        self.pause = max(self.pause // 2, 1)
        scale, prices, literals = told
        line = ""
        if not self._silent:
            added = "".join([self._adding[r] for r, _ in prices]) % tuple([y for _, y in prices])
            line = f"pol {row} {scale} *{added};\n"
        return NodeBound(line, literals if literals is None else tuple(literals))


# --- logged ----------------------------------------------------------------------------------------------------------
# A proof that another program checks: that there is no answer, that these are all, or that none is cheaper.
#
# The proof is found by a search of its own (kernels/proofs/_logged.py), after the question has been answered in any
# way. It reasons only as a checker does, by unit propagation over the rows that the problem becomes as a pseudo-Boolean
# program, and writes a line for every node that it closes: the decisions on the way to it can't all hold. The lines of
# the nodes below are deleted then, because the new line says more. What can't be told in such a line is not used: no
# memo, no symmetry, no reductions.
#
# - **All answers**: each is shown by a line `solx`, which excludes it from there on; at the end nothing is left.
# - **A minimum**: the best answer known is shown by a line `soli`, and from there on only cheaper ones are meant. Its
#   row, `costs <= best - 1`, takes part in propagation, and so does one that adds rows to it, each times a price: a
#   line `pol` (logged.py). Further down, more such lines close nodes and settle variables (logged.py).
#
# The format is that of VeriPB, version 3.0 (2.0 has no word for "these are all").
#
# Source: S. Gocht, Certifying Correctness for Combinatorial Algorithms (thesis, Lund 2022), for proofs of searches that
# backtrack.


SLICE = 256  # nodes between two looks at the limits: some kilobytes of a proof
HEADER = "pseudo-Boolean proof version 3.0\n"


@frozen
class PseudoBoolean:
    """What a proof is about: rows over variables that are 0 or 1, numbered from 0; the first are the options. What the
    options take settles all others.

    rows: (terms, degree) in the order of the file: sum of coefficient · variable >= degree.  costs: per option, to be
    minimised, or empty.
    """

    variables: int
    options: int
    rows: Sequence[tuple[Sequence[tuple[int, int]], int]] = field(repr=False)
    costs: Sequence[int] = field(default=(), repr=False)


class ProofLog:
    """One proof. `lines` writes it; what it has come to is read after that.

    answers: how many were shown.  best: the cost of the cheapest answer that was shown; None without costs.  status:
    `exhausted` if the proof is whole, `solved` if it only shows that there are as many answers as were asked for,
    `limit` or `interrupted` if it says that it is unfinished.  nodes: of the search.  lines_written: of the proof.
    """

    def __init__(
        self,
        problem: PseudoBoolean,
        limits: Limits | None = None,
        size: int | None = None,
        most: int | None = None,
        silent: bool = False,
    ) -> None:
        """limits: of nodes and seconds.  size: the most characters that the proof may have, apart from its end.  most:
        so many answers are enough, if nothing is minimised.  silent: search, and write next to nothing; for
        measurements."""
        self.problem, self.limits, self.size, self.most = problem, limits or Limits(), size, most
        self.silent = silent
        self.answers, self.nodes, self.status = 0, 0, Status.RUNNING
        self.best: int | None = None
        self.written = self.lines_written = 0  # characters, and lines
        self._interrupted = False
        self._cheapest = 0  # the number of the row that only cheaper answers meet

    def interrupt(self) -> None:
        self._interrupted = True

    def lines(self, known: Sequence[int] | None = None) -> Iterator[str]:
        """The lines of the proof, in blocks. known: a best answer as the options that it takes, if something is
        minimised: the proof begins with it."""
        problem = self.problem
        priced, cost = None, 0
        if known is not None and problem.costs:
            cost = sum(problem.costs[o] for o in known)
            priced = priced_row(problem.variables, problem.rows, problem.costs, cost - 1)
        kernel = self.kernel(priced)
        yield self._counted(f"{HEADER}f {len(problem.rows)};\n")
        if known is not None and problem.costs:
            kernel.tighten(self._ceiling - cost + 1)
            kernel.made(False)
            yield self._counted(self._shown(known, cost, kernel.row))
        bounds = None
        if priced is not None:
            yield self._counted(self._arithmetic(priced))
            kernel.made(False)
            bounds = NodeBounds(problem, priced, self.silent)
        with Deadline(self.limits.seconds).start() as clock:
            while self.status is Status.RUNNING:
                before = self.best
                pause = SLICE if bounds is None else bounds.pause
                code = kernel.run(pause, self._answers_a_slice(), pause == 1)
                yield self._closed(kernel)
                if self.best is not None and self.best != before:
                    kernel.tighten((self._ceiling + 1 if before is None else before) - self.best)
                elif bounds is not None and code != DONE:
                    code, text = self._bounded(kernel, bounds)
                    yield self._counted(text)
                    yield self._closed(kernel)
                self.nodes = kernel.work[0]
                self.status = Status.EXHAUSTED if code == DONE else self._stopped(clock)
        if self.status in (Status.LIMIT, Status.INTERRUPTED):
            yield self._counted(f"% unfinished: {self.status}\n")
        yield self._counted(f"output NONE;\nconclusion {self._conclusion(kernel.row)};\nend pseudo-Boolean proof;\n")

    def _closed(self, kernel: Any) -> str:
        """The lines of what was closed since the last time."""
        answers = kernel.work[2]
        if answers > self.answers and self.problem.costs:  # one, after which the run ended
            row, taken = kernel.best()
            self._cheaper(sum(self.problem.costs[o] for o in taken), row)
        self.answers = answers
        return self._counted(kernel.written().decode("ascii"))

    def _bounded(self, kernel: Any, bounds: NodeBounds) -> tuple[int, str]:
        """Look for a bound where the search stands: what the kernel returns then, and the line of the bound."""
        assert self.best is not None
        found = bounds.look(kernel.values(), self.best - 1, self._cheapest)
        if found is None:
            return SLICE_ENDED, ""
        kernel.made(True)
        return kernel.close() if found.literals is None else kernel.force(found.literals), found.line

    def _answers_a_slice(self) -> int:
        """After each answer that is cheaper, the bound is made stricter."""
        if self.problem.costs:
            return 1
        return SLICE if self.most is None else min(SLICE, self.most - self.answers)

    def _counted(self, text: str) -> str:
        self.written += len(text)
        self.lines_written += text.count("\n")
        return text

    def _stopped(self, clock: Deadline) -> Status:
        if self._interrupted:
            return Status.INTERRUPTED
        if self.most is not None and not self.problem.costs and self.answers >= self.most:
            return Status.SOLVED
        most = self.limits.nodes
        over = clock.over or (most is not None and self.nodes >= most)
        return Status.LIMIT if over or (self.size is not None and self.written >= self.size) else Status.RUNNING

    def _arithmetic(self, priced: PricedRow) -> str:
        """The line that makes the row of prices from that of the best answer, which was made last."""
        added = "".join([f" {r + 1} {y} * +" for r, y in priced.prices])
        return f"pol {self._cheapest} {priced.scale} *{added};\n"

    def kernel(self, priced: PricedRow | None = None) -> Any:
        """The search. The row of the bound admits every answer at first."""
        problem = self.problem
        rows = [_normal(terms, degree) for terms, degree in problem.rows]
        items = [r for r, (terms, degree) in enumerate(problem.rows) if degree > 0 and all(c == 1 for c, _ in terms)]
        bound = -1
        if problem.costs:
            bound = len(rows)
            self._ceiling = sum(c for c in problem.costs if c > 0)
            rows.append(_normal([(-c, o) for o, c in enumerate(problem.costs) if c], -self._ceiling))
        if priced is not None:
            rows.append(_normal(priced.terms, priced.degree))
        late = [0] * problem.variables
        for o, c in enumerate(problem.costs):
            late[o] = int(c >= 0)
        return load("_logged").Logged(
            problem.variables, rows, items, late, bound, len(problem.rows), problem.options,
            _is_exact(problem), self.silent,
        )  # fmt: skip

    def _shown(self, taken: Sequence[int], cost: int, row: int) -> str:
        """The line of the answer that the proof begins with."""
        self._cheaper(cost, row)
        true = set(taken)
        return f"soli{''.join([f' x{o + 1}' if o in true else f' ~x{o + 1}' for o in range(self.problem.options)])};\n"

    def _cheaper(self, cost: int, row: int) -> None:
        """Note an answer that is cheaper than all before, and the row that only cheaper ones meet."""
        self.best, self._cheapest = cost, row

    def _conclusion(self, last: int) -> str:
        if self.status is not Status.EXHAUSTED:
            return "SAT" if self.status is Status.SOLVED else "NONE"
        if self.problem.costs:
            return f"BOUNDS INF INF : {last}" if self.best is None else f"BOUNDS {self.best} {self.best}"
        return f"ENUMERATION_COMPLETE {self.answers} : {last}" if self.answers else f"UNSAT : {last}"


def _is_exact(problem: PseudoBoolean) -> bool:
    """Whether each option counts as one in a row `sum = number`: then no answer takes all that another does and
    more."""
    counted: set[int] = set()
    for (terms, degree), (opposite, most) in pairwise(problem.rows):
        if most == -degree and all(c == 1 for c, _ in terms) and [(-c, v) for c, v in terms] == list(opposite):
            counted.update(v for _, v in terms)
    return counted.issuperset(range(problem.options))


def _normal(terms: Sequence[tuple[int, int]], degree: int) -> tuple[list[int], list[int], int]:
    """Coefficients above 0, their literals, and the degree: -c · x is c · ~x - c."""
    return (
        [abs(c) for c, _ in terms],
        [2 * v + (c < 0) for c, v in terms],
        degree + sum(-c for c, _ in terms if c < 0),
    )
