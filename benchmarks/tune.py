"""`python -m benchmarks tune`: the shares of the time with which methods begin, tried at half and at twice as much.

Two sets of problems are drawn, to learn from and to check on; none is in a table of docs/benchmarks.md. A share is
changed where the first set is solved with less work by more than `GAIN`, in the geometric mean over the questions of
its table, and the second one with no more. Work is counted, not timed, so the result is the same on every machine.
Questions that take more than `--most` seconds of work with the shares as they are say nothing, and are left out.
`--write` puts what was found into engine/priors.py.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, partial
from pathlib import Path
from typing import Any

import click
from attrs import frozen

import covr
from benchmarks._cover_instances import dominating, experts, scattered, vertex_cover
from benchmarks.measure import ROOT, geometric_mean
from covr.engine import Limits, Problem, Settings, Status, search
from covr.engine.priors import SHARES
from tests.fuzz.families import FAMILIES, text_of

FILE = Path(ROOT) / "engine" / "priors.py"
GAIN = 0.02  # of the work in the mean: less is no reason to change a share
SPARED = 8  # times the work of a question with the shares as they are, after which another share is given up
SMALL = 2_000_000  # work, in nanoseconds, added to that of each question, so that very short ones count for little
STEP = 1000  # nodes between two looks at the work
LARGEST = 900  # options of the models of families, at most, about


@frozen
class Question:
    """What is asked of a problem. table: whose shares it takes.  problem: makes the problem, or finds it."""

    name: str
    table: str
    problem: Callable[[], Problem]

    def work(self, most: float) -> float | None:
        """The work to the end, in nanoseconds; None where it is more than `most`."""
        first = self.table == "first answers"
        run = search(
            self.problem(), goal="all" if first else "minimum", limits=Limits(answers=1 if first else None),
            settings=Settings(jobs=1),
        )  # fmt: skip
        while run.step(STEP):
            if run.work > most:
                return None
        return run.work if run.status in (Status.EXHAUSTED, Status.SOLVED) and run.work <= most else None


def questions(half: int) -> Iterator[Question]:
    """The questions of one of the two sets, 0 or 1."""

    def question(table: str, name: str, make: Callable[..., Problem], *words: Any) -> Question:
        return Question(" ".join([name, *map(str, words)]), table, cache(partial(make, *words)))

    sizes = {"magic_square": (6, 7), "queens": (24, 25), "langford": (19, 23), "knight_tour": (6, 8)}
    for model, pair in sizes.items():
        yield question("first answers", "model", _model, model, pair[half])
    for seed in range(half, 12, 2):
        drawn = 900 + seed  # the tables have seeds from 1 on
        yield question("first answers", "totals", _totals, seed)
        yield question("covers", "experts", experts, 60 + 5 * seed, 80 + 5 * seed, drawn)
        yield question("covers", "scattered", scattered, 60 + 5 * seed, 200 + 20 * seed, 8, drawn, 1 + seed % 3)
        yield question("covers", "vertex cover", vertex_cover, 60 + 4 * seed, 12, drawn)
        yield question("covers", "dominating", dominating, 70 + 3 * seed, 7, drawn)
    for family in FAMILIES:
        for seed in range(900 + half, 906, 2):
            for table in ("best values", "first answers"):
                yield question(table, "family", _family, family, seed)


def _model(name: str, n: int) -> Problem:
    return covr.load(name, n=n).problem


def _family(name: str, seed: int) -> Problem:
    return covr.loads(text_of(name, seed, LARGEST)).problem


def _totals(seed: int) -> Problem:
    """Squares with a value each, with sums in each row and column."""
    rng = random.Random(seed)
    n = rng.randint(4, 6)
    square = [[rng.randint(1, 9) for _ in range(n)] for _ in range(n)]
    rows, columns = [sum(row) for row in square], [sum(column) for column in zip(*square, strict=True)]
    hidden = [(r, c) for r in range(n) for c in range(n) if rng.random() < 0.8]
    shown = {(r + 1, c + 1): square[r][c] for r in range(n) for c in range(n) if (r, c) not in hidden}
    given = "\n".join(f"given is({r}, {c}, {v})" for (r, c), v in shown.items())
    return covr.loads(f"""
let rows = {rows}
let columns = {columns}
cells r in 1..{n}, c in 1..{n}
values v in 1..9
choose is(r, c, v)
exactly one is per r, c
at most 3 is per r, v
exactly rows[r] total v of is per r
exactly columns[c] total v of is per c
{given}
""").problem


def mean(now: Sequence[float], base: Sequence[float]) -> float:
    """The geometric mean of the quotients of work."""
    return geometric_mean([(a + SMALL) / (b + SMALL) for a, b in zip(now, base, strict=True)]) or 1.0


@frozen
class Asked:
    """The questions of a table in one set that end, and their work."""

    questions: tuple[Question, ...]
    base: tuple[float, ...]

    @classmethod
    def of(cls, found: Sequence[Question], most: float) -> Asked:
        works = [(one, one.work(most)) for one in found]
        return cls(tuple(q for q, w in works if w is not None), tuple(w for _, w in works if w is not None))

    def again(self) -> tuple[float, ...]:
        """The work with the shares as they are now; `SPARED` times the former where it is more."""
        return tuple(
            SPARED * (b + SMALL) if (w := q.work(SPARED * (b + SMALL))) is None else w
            for q, b in zip(self.questions, self.base, strict=True)
        )


def tuned(table: str, learn: Asked, check: Asked, say: Callable[[str], None]) -> tuple[Asked, Asked]:
    """Try each share of a table; change those that pay. Returns the questions with their work at the end."""
    shares = SHARES[table]
    for row, share in list(shares.items()):
        for factor in (2.0, 0.5) if share else ():
            shares[row] = share * factor
            now = learn.again()
            paid = mean(now, learn.base)
            checked = mean(then := check.again(), check.base) if paid < 1 - GAIN else 1.0
            say(
                f"  {row} {share:g} → {shares[row]:g}: ×{paid:.3f}"
                + (f", checked ×{checked:.3f}" if paid < 1 - GAIN else "")
            )
            if paid < 1 - GAIN and checked <= 1:
                learn, check = Asked(learn.questions, now), Asked(check.questions, then)
                break
            shares[row] = share
    return learn, check


def written(text: str, shares: Mapping[str, Mapping[str, float]]) -> str:
    """The text of the data file with these shares."""

    def number(share: float) -> str:
        return f"1 / {1 / share:g}" if 0 < share < 1 and (1 / share).is_integer() else f"{share:g}"

    lines = [text[: text.index("SHARES:")] + "SHARES: dict[str, dict[str, float]] = {"]
    for table, rows in shares.items():
        lines += [
            f'    "{table}": {{',
            *(f'        "{row}": {number(share)},' for row, share in rows.items()),
            "    },",
        ]
    return "\n".join([*lines, "}", ""])


@click.command()
@click.option("--table", "only", type=click.Choice(tuple(SHARES)), help="of this table only")
@click.option("--most", default=1.0, help="seconds of work that a question may take as things stand")
@click.option("--write", is_flag=True, help="put what was found into engine/priors.py")
def main(only: str | None, most: float, write: bool) -> None:
    """Try the share of each method at half and at twice as much."""
    halves = [list(questions(half)) for half in (0, 1)]
    for table in SHARES if only is None else (only,):
        learn, check = (Asked.of([q for q in half if q.table == table], most * 1e9) for half in halves)
        click.echo(f"{table}: {len(learn.questions)} questions to learn from, {len(check.questions)} to check on")
        begun = learn, check
        learn, check = tuned(table, learn, check, click.echo)
        click.echo(f"  in all: ×{mean(learn.base, begun[0].base):.3f}, checked ×{mean(check.base, begun[1].base):.3f}")
    if write:
        FILE.write_text(written(FILE.read_text("utf-8"), SHARES), "utf-8")
