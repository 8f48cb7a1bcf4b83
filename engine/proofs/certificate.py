"""Counting arguments: short proofs that there is no answer, which a search would not find.

**Counting.** Take two groups of items A and B, for example two rules of a model. If every option is in at least m times
as many items of B as of A, then the options of an answer, which must be in low(A) items of A, are in at least
m · low(A) items of B, counting repetitions. If that is more than high(B), there is no answer. For example, 12 pieces of
five squares do not fit on 59 squares, nor do they cover 61.

**Balance.** Give every exact item (bounds k, k) and every exact total (the sum k alone) a weight, so that the weights
of each option's items and totals, the latter times its coefficients there, add up to 0, or to a multiple of a modulus.
If there is an answer, the weights of all items and totals, each counted k times, must do so as well. The mutilated
chessboard has weights 1 for white and -1 for black; a kakuro with one clue that is wrong has 1 for the sums of the runs
across and -1 for those down; a parity argument has the modulus 2. In terms of linear algebra over the rationals: b is
not in the span of the columns of A x = b, and the weights are a vector that is orthogonal to all columns but not to b.

Both kinds are complete proofs: `holds` re-checks them from the options alone. Given options are ignored, and options
that they exclude are counted like all others, so a certificate holds with or without them.

Source: linear algebra; Golomb's colourings of polyominoes (1954) are the case of modulus 2.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from math import gcd, lcm

from attrs import field

from covr.engine.base.limits import MOST_STEPS, with_limit_checks
from covr.engine.problem import Problem, Total
from covr.frozen import frozen

PRIME = 2**61 - 1  # elimination over the rationals is done modulo this prime, and the result checked in whole numbers
MODULI = (2, 3, 5)  # the moduli that are tried for sums of weights; all are primes
SIMPLEST = 3  # different weights, not counting 0; a person can't follow more


Vector = dict[int, int]
Column = tuple[tuple[int, int], ...]


@frozen
class Counting:
    """Every option is in at least `ratio` times as many items of group `of` as of group `by`.

    need: the sum of the lower bounds of `by`'s items.  room: the sum of the upper bounds of `of`'s items, which is less
    than ratio · need.
    """

    by: int
    of: int
    ratio: Fraction
    need: int
    room: int


@frozen
class Balance:
    """Weights that show that there is no answer.

    weights: item, or `items + options + k` for the side k, a total → weight, never 0.  modulus: 0 if the weights of
    each option add up to 0, else they do so modulo this.  total: the sum of all weights, each times its item's bound or
    its total's sum.
    """

    weights: Mapping[int, int] = field(repr=False)
    modulus: int
    total: int


def counting(problem: Problem, groups: Sequence[Sequence[int]]) -> Counting | None:
    """A contradiction from counting in two groups, or None. Items with colours are ignored.

    Time: the length of the options, plus, for each option, the pairs of groups that it is in.
    """
    tinted = coloured(problem)
    group_of: dict[int, list[int]] = {}
    low, high = [0] * len(groups), [0] * len(groups)
    for g, items in enumerate(groups):
        for i in items:
            if i not in tinted:
                group_of.setdefault(i, []).append(g)
                low[g] += problem.low[i]
                high[g] += problem.high[i]
    least: dict[int, dict[int, Fraction]] = {}  # per group: the groups that all of its options are in, and how often
    for profile in {_profile(problem.option(o), group_of) for o in with_limit_checks(range(problem.options))}:
        met = dict(profile)
        for g, times in met.items():
            ratios = {other: Fraction(count, times) for other, count in met.items() if other != g}
            before = least.get(g, ratios)
            least[g] = {other: min(ratios[other], before[other]) for other in before if other in ratios}
    for g, ratios in sorted(least.items()):
        for other, ratio in sorted(ratios.items()):
            if ratio * low[g] > high[other]:
                return Counting(g, other, ratio, low[g], high[other])
    return None


def _profile(items: Sequence[int], group_of: Mapping[int, list[int]]) -> tuple[tuple[int, int], ...]:
    return tuple(sorted(Counter(g for i in items for g in group_of.get(i, ())).items()))


def coloured(problem: Problem) -> frozenset[int]:
    """The items in which options show colours."""
    if not problem.colours:
        return frozenset()
    return frozenset(i for i, c in zip(problem.members, problem.colours, strict=True) if c)


def balance(problem: Problem, *, simplest: int = SIMPLEST) -> Balance | None:
    """Weights that show that there is no answer, with at most `simplest` different values; None if none were found.

    Tries the rationals first, then small primes as moduli. Time: for each, a sparse elimination of items and totals ×
    options, abandoned if it touches more than MOST_STEPS entries.
    """
    wanted = {i: problem.low[i] for i in exact_items(problem)} | _exact_totals(problem)
    columns = _columns(problem, wanted)
    for modulus in (0, *MODULI):
        candidates = [b for b in _weights(columns, wanted, modulus) if len(set(b.weights.values())) <= simplest]
        if candidates:
            return min(candidates, key=lambda b: (len(set(b.weights.values())), len(b.weights)))
    return None


def exact_items(problem: Problem) -> tuple[int, ...]:
    """The items whose lower and upper bounds are equal."""
    tinted = coloured(problem)
    return tuple(i for i in range(problem.items) if problem.low[i] == problem.high[i] and i not in tinted)


def _exact_totals(problem: Problem) -> Vector:
    """The totals that must be one number, numbered as in `Balance`, with these numbers."""
    first = problem.items + problem.options
    found = {}
    for number, side in enumerate(problem.sides, first):
        if isinstance(side, Total) and side.exact is not None:
            found[number] = side.exact
    return found


def holds(problem: Problem, found: Counting | Balance, groups: Sequence[Sequence[int]] = ()) -> bool:
    """Whether a certificate proves that the problem has no answer; shares no code with what found it."""
    if isinstance(found, Counting):
        tinted = coloured(problem)
        by, of = ([i for i in groups[g] if i not in tinted] for g in (found.by, found.of))
        need = sum(problem.low[i] for i in by)
        room = sum(problem.high[i] for i in of)
        fair = all(
            sum(i in of for i in problem.option(o)) >= found.ratio * sum(i in by for i in problem.option(o))
            for o in range(problem.options)
        )
        return fair and (need, room) == (found.need, found.room) and found.ratio * need > room
    weights, modulus = found.weights, found.modulus

    def zero(total: int) -> bool:
        return total % modulus == 0 if modulus else total == 0

    total = 0
    sums = [sum(weights.get(i, 0) for i in problem.option(o)) for o in range(problem.options)]
    for number, weight in weights.items():
        if number < problem.items:
            bounds = problem.low[number], problem.high[number]
        else:
            side = problem.sides[number - problem.items - problem.options]
            if not isinstance(side, Total) or not side.sums:
                return False
            bounds = side.sums[0][0], side.sums[-1][1]
            for o, coefficient in side.terms:
                sums[o] += weight * coefficient
        if bounds[0] != bounds[1]:
            return False
        total += weight * bounds[0]
    return all(map(zero, sums)) and not zero(total) and total == found.total


def _columns(problem: Problem, exact: Collection[int]) -> list[Column]:
    """The exact items and totals of each option with its coefficients there, without duplicates."""
    rows: list[list[tuple[int, int]]] = [
        [(i, 1) for i in problem.option(o) if i in exact] for o in with_limit_checks(range(problem.options))
    ]
    for number, side in enumerate(problem.sides, problem.items + problem.options):
        if number in exact and isinstance(side, Total):
            for o, coefficient in side.terms:
                rows[o].append((number, coefficient))
    return [column for column in dict.fromkeys(map(tuple, rows)) if column]


class _TooMuch(Exception):
    pass


def _weights(columns: Sequence[Column], wanted: Vector, modulus: int) -> Iterator[Balance]:
    """Yields the weightings that prove something, one for each suitable item that is not a pivot; all are checked."""
    prime = modulus or PRIME
    try:
        basis = _basis(columns, prime)
        residue = dict(wanted)
        for pivot, row in basis.items():
            _subtract(residue, residue.get(pivot, 0), row, prime)
        wrong = sorted(i for i, v in residue.items() if v % prime)
    except _TooMuch:
        return
    for item in with_limit_checks(wrong, 16):
        raw = {item: 1} | {pivot: -row[item] % prime for pivot, row in basis.items() if row.get(item)}
        weights = _small(raw, modulus)
        if weights is None:
            continue
        total = sum(w * wanted[i] for i, w in weights.items())
        found = Balance(weights, modulus, total)
        if _proves(columns, found):
            yield found


def _proves(columns: Sequence[Column], found: Balance) -> bool:
    sums = (sum(v * found.weights.get(i, 0) for i, v in column) for column in columns)
    if found.modulus:
        return found.total % found.modulus != 0 and not any(s % found.modulus for s in sums)
    return found.total != 0 and not any(sums)


def _basis(columns: Sequence[Column], prime: int) -> dict[int, Vector]:
    """The span of the columns in reduced form: pivot → vector that is 1 there and 0 at every other pivot."""
    basis: dict[int, Vector] = {}
    users: dict[int, set[int]] = {}  # item → pivots of the vectors that are not 0 there
    work = MOST_STEPS
    for column in with_limit_checks(columns, 16):
        vector: Vector = {i: v % prime for i, v in column if v % prime}
        for pivot in list(vector):
            if pivot in basis:
                work -= len(basis[pivot])
                _subtract(vector, vector.get(pivot, 0), basis[pivot], prime)
        if not vector:
            continue
        new = max(vector)
        scale = pow(vector[new], -1, prime)
        vector = {i: v * scale % prime for i, v in vector.items()}
        for pivot in users.pop(new, ()):
            other = basis[pivot]
            work -= len(vector)
            before = set(other)
            _subtract(other, other[new], vector, prime)
            for i in before - other.keys():
                if i != new:
                    users[i].discard(pivot)
            for i in other.keys() - before:
                users.setdefault(i, set()).add(pivot)
        basis[new] = vector
        for i in vector:
            if i != new:
                users.setdefault(i, set()).add(new)
        if work < 0:
            raise _TooMuch
    return basis


def _subtract(vector: Vector, times: int, row: Vector, prime: int) -> None:
    """Subtract `times` times a row from a vector; entries that become 0 are removed."""
    if not times:
        return
    for i, v in row.items():
        left = (vector.get(i, 0) - times * v) % prime
        if left:
            vector[i] = left
        else:
            vector.pop(i, None)


def _small(raw: Vector, modulus: int) -> Vector | None:
    """The weights as small whole numbers: with a modulus, the residues closest to 0; otherwise the rationals that they
    stand for, scaled. None if that is not possible."""
    if modulus:
        return {i: v if v <= modulus // 2 else v - modulus for i, v in raw.items()}
    fractions = {i: _rational(v) for i, v in raw.items()}
    if any(f is None for f in fractions.values()):
        return None
    denominator = lcm(*(f.denominator for f in fractions.values() if f is not None))
    whole = {i: int(f * denominator) for i, f in fractions.items() if f is not None}
    divisor = gcd(*whole.values())
    return {i: w // divisor for i, w in whole.items()}


def _rational(value: int) -> Fraction | None:
    """The fraction with small numerator and denominator that is `value` modulo PRIME (Wang's algorithm)."""
    limit = 10_000
    r0, r1, t0, t1 = PRIME, value % PRIME, 0, 1
    while r1 > limit:
        q = r0 // r1
        r0, r1, t0, t1 = r1, r0 - q * r1, t1, t0 - q * t1
    return Fraction(r1, t1) if t1 and abs(t1) <= limit else None
