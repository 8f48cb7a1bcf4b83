"""Ask many random problems in every way: `python -m tests.fuzz.problems --problems 1000000 --seed 1 --seconds 3600`.

Each problem (tests/engine/features.py) is asked in two ways (tests/engine/ways.py) and counted once. Problem k of a
seed is the same wherever it begins, so that a run is continued with `--start`. Prints the figures from time to time,
and what is wrong, made as small as it goes.
"""

from __future__ import annotations

import argparse
import faulthandler
import random
import time
from collections import Counter
from collections.abc import Iterator, Sequence

from attrs import define, evolve, field

from covr.engine import Problem, build
from tests.engine.features import FEW, SIZES, Case, draw, tangle, tried, union
from tests.engine.ways import WAYS, Skipped, Way, judged, tiny_detours

ENOUGH = 20  # faults, after which no more are looked for
STUCK = 900.0  # seconds between two looks at the clock, after which a search hangs
LOOK = 200  # problems between two looks at the clock
TANGLED = 0.01  # of all problems
COMMON = tuple(name for name, (_, often) in WAYS.items() if often)
AGAIN = 4  # random sources that a smaller problem is asked with


@define
class Tally:
    """What was tried: problems, how many had each feature, how often each way was asked, and what was wrong."""

    problems: int = 0
    features: Counter[str] = field(factory=Counter)
    ways: Counter[str] = field(factory=Counter)
    faults: list[str] = field(factory=list)

    @property
    def line(self) -> str:
        return f"{self.problems} problems, asked in {self.ways.total()} ways, {len(self.faults)} faults"

    def __str__(self) -> str:
        told = (", ".join(f"{name} {n}" for name, n in c.most_common()) for c in (self.features, self._engines()))
        return "\n".join((self.line, *told))

    def _engines(self) -> Counter[str]:
        """The engines to try for each kind of question, without the estimates."""
        short: Counter[str] = Counter()
        for name, n in self.ways.items():
            short[name.partition(",")[0]] += n
        return short


def many(
    problems: int, seed: int, seconds: float = 3600, *, start: int = 0, largest: int = 10**6, size: str | None = None,
    every: float | None = None, ways: Sequence[str] = COMMON,
) -> Tally:  # fmt: skip
    """Problems `start` to `start + problems` of a seed, for so many seconds at most. every: seconds between two
    figures that are printed; None for none.  ways: by name.  The rest is as of `draw`."""
    tally = Tally()
    begun = told = time.monotonic()
    weights = [WAYS[name][1] or 0.01 for name in ways]
    with tiny_detours():
        for k in range(start, start + problems):
            if k % LOOK == 0:
                now = time.monotonic()
                if now - begun > seconds or len(tally.faults) >= ENOUGH:
                    break
                if every is not None:
                    faulthandler.dump_traceback_later(STUCK, exit=True)
                    if now - told > every:
                        told = now
                        print(f"{now - begun:.0f} s, up to {k}: {tally.line}", flush=True)
            rng = random.Random(f"{seed}/{k}")
            case = _case(rng, largest, size)
            tally.problems += 1
            tally.features.update(case.features)
            for name in dict.fromkeys(rng.choices(ways, weights, k=2)):
                _ask(case, name, rng.randrange(1 << 30), f"problem {k} of seed {seed}", tally)
    if every is not None:
        faulthandler.cancel_dump_traceback_later()
    return tally


def _case(rng: random.Random, largest: int, size: str | None) -> Case:
    if size == "tangled" or (size is None and rng.random() < TANGLED):
        for _ in range(5):
            case = judged(tangle(rng, largest), "tangled")
            if case is not None:
                return case
        size = None
    return draw(rng, largest, size)


def _ask(case: Case, name: str, source: int, place: str, tally: Tally) -> None:
    way = WAYS[name][0]
    try:
        tally.ways[way(case, random.Random(source))] += 1
    except Skipped:
        pass
    except Exception as fault:
        small, source = shrink(case, way, source)
        told = broken(small, way, source) or fault
        tally.faults.append(
            f"{place}, {name} with {source}: {type(told).__name__}: {told}\n{small.parts}\n"
            f"{small.count} answers, best {small.best}: {small.text[:4000]}"
        )


# --- smaller ---


def broken(case: Case, way: Way, source: int) -> Exception | None:
    """What is wrong with a case in a way, if anything is."""
    try:
        way(case, random.Random(source))
    except Skipped:
        return None
    except Exception as fault:
        return fault
    return None


def shrink(case: Case, way: Way, source: int) -> tuple[Case, int]:
    """The smallest case that is easily found and is still wrong, with the random source for which it is wrong."""
    found = True
    while found:
        found = False
        for small in smaller(case):
            wrong = next((s for s in (source, *range(AGAIN)) if broken(small, way, s)), None)
            if wrong is not None:
                case, source, found = small, wrong, True
                break
    return case, source


def smaller(case: Case) -> Iterator[Case]:
    """Cases that are a little smaller: without a block, then without an option, an item, costs, a given option."""
    for k in range(len(case.blocks)):
        rest = [b for i, b in enumerate(case.blocks) if i != k]
        yield union(rest, None, [c for i, c in enumerate(case.costs) if i != k])
    p = case.problem
    if p.options > FEW + 4 or p.items > 3 * FEW:
        return
    for o in range(p.options):
        yield tried(_parts(p, [x for x in range(p.options) if x != o], range(p.items)))
    for i in range(p.items):
        yield tried(_parts(p, range(p.options), [x for x in range(p.items) if x != i]))
    if p.costs:
        yield tried(evolve(p, costs=()))
    for o, cost in enumerate(p.costs):
        for less in {0, cost // 2, cost - 1} if cost > 0 else {0, -(-cost // 2), cost + 1} if cost < 0 else set():
            yield tried(evolve(p, costs=[*p.costs[:o], less, *p.costs[o + 1 :]]))
    for o in p.given:
        yield tried(evolve(p, given=tuple(x for x in p.given if x != o)))


def _parts(p: Problem, options: Sequence[int], items: Sequence[int]) -> Problem:
    place = {i: k for k, i in enumerate(items)}
    held = [
        [(place[i], c) for i, c in zip(p.option(o), p.option_colours(o), strict=True) if i in place] for o in options
    ]
    return build(
        [(p.low[i], p.high[i]) for i in items], held, costs=[p.costs[o] for o in options] if p.costs else (),
        given=[k for k, o in enumerate(options) if o in p.given],
    )  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--problems", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=int, default=0, help="the number of the first problem")
    parser.add_argument("--seconds", type=float, default=3600, help="at most")
    parser.add_argument("--largest", type=int, default=10**6, help="no option costs more")
    parser.add_argument("--size", choices=(*SIZES, "tangled"), help="of one size only")
    parser.add_argument("--ways", nargs="+", choices=tuple(WAYS), default=COMMON, help="in these ways only")
    words = parser.parse_args()
    begun = time.monotonic()
    tally = many(
        words.problems, words.seed, words.seconds, start=words.start, largest=words.largest, size=words.size, every=60,
        ways=words.ways,
    )  # fmt: skip
    print(tally)
    print(f"seed {words.seed}, from {words.start}, {time.monotonic() - begun:.0f} s: {tally.line}", flush=True)
    for text in tally.faults:
        print("=" * 100, text, sep="\n", flush=True)


if __name__ == "__main__":
    main()
