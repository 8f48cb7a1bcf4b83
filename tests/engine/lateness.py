"""A program that measures how long a search works between two looks at its limits, on problems of 10⁵ options.

    python -m tests.engine.lateness                        # every problem, question and engine; some minutes
    python -m tests.engine.lateness --problem cover --question best --engine auto --seconds 10
    python -m tests.engine.lateness --traces               # and where the longest pause of each was

A limit is noticed at the next look. So the lateness of a limit is the time from one look to the next, plus the time
that the search takes to end after a look that stops it. Both are measured in CPU time of the thread (the machine may be
busy): the first between all looks of a search, the second by stopping the search at random looks.

A look is counted where the clock of a search with a time limit is read. It is read wherever limits are checked, between
slices as well as in the middle of long work (limits.py).
"""

from __future__ import annotations

import gc
import random
import sys
import time
import traceback
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache

from attrs import define, evolve, field

from covr.engine import Limits, Problem, Settings, build, search
from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Deadline, LimitReached, Met, limits_checked_by
from covr.engine.sampling.probe import Probing
from covr.engine.sampling.sample import Drawer, suits
from tests.engine.problems import alike, latin, queens

OPTIONS = 100_000  # of the problems, about
AIM = 0.05  # seconds of CPU time that a search may go on after its limit
ENDLESS = 1e9  # seconds: a limit that is looked at, and never reached
STOPS = 2  # how often each search is stopped at a random look, early ones above all


# --- problems of about 10⁵ options ---


def paid(problem: Problem, sign: int = 1, most: int = 101) -> Problem:
    """The same problem with random costs from 1 to `most`, all of one sign."""
    draw = random.Random(3)
    return evolve(problem, costs=tuple([sign * draw.randint(1, most) for _ in range(problem.options)]))


def assigned(n: int, seats: tuple[int, int] = (1, 1)) -> Problem:
    """n² options: n things, one place for each, and bounds for the places."""
    held = [[r, n + c] for r in range(n) for c in range(n)]
    return build([(1, 1)] * n + [seats] * n, held)


def cover(items: int, members: int, options: int = OPTIONS, bounds: tuple[int, int] | None = None) -> Problem:
    """Random options with so many members each. bounds: of the items; None for a covering problem."""
    draw = random.Random(1)
    held = [sorted(draw.sample(range(items), members)) for _ in range(options)]
    return build([bounds or (1, options)] * items, held)


def coloured(options: int = OPTIONS) -> Problem:
    """Primary items of ten options each, which show random colours in 500 other items."""
    draw = random.Random(2)
    first = options // 10
    held = [[(o // 10, 0), (first + draw.randrange(500), draw.randint(1, 9))] for o in range(options)]
    return build([(1, 1)] * first + [(0, 1)] * 500, held)


def given(problem: Problem, every: int) -> Problem:
    """The same with every so many-th option given."""
    return evolve(problem, given=tuple(range(0, problem.options, every)))


PROBLEMS: dict[str, Callable[[], Problem]] = {
    "row": lambda: alike((1, 1), OPTIONS, OPTIONS),
    "pairs": lambda: alike((1, 1), 2, OPTIONS),
    "forced": lambda: alike((1, 1), 1, OPTIONS),
    "free": lambda: alike((0, 1), 3, OPTIONS),
    "wholly free": lambda: build([], [[]] * OPTIONS),
    "bounded": lambda: alike((3, 3), OPTIONS, OPTIONS),
    "half": lambda: alike((50_000, 50_000), OPTIONS, OPTIONS),
    "blocks": lambda: alike((2, 3), 7, OPTIONS),
    "queens": lambda: queens(316),
    "latin": lambda: latin(46),
    "assigned": lambda: assigned(316),
    "coloured": coloured,
    "given": lambda: given(alike((1, 1), 4, OPTIONS), 8),
    "long options": lambda: cover(5000, 20, bounds=(0, 1)),
    "mixed": lambda: cover(2000, 6, bounds=(1, 3)),
    "cover 1000": lambda: cover(1000, 6),
    "cover 2000": lambda: cover(2000, 6),
    "cover 20000": lambda: cover(20_000, 6),
    "one of each pair": lambda: alike((1, 100_000), 2, OPTIONS),
}

# --- questions: each works until the watch stops it ---


def _listed(problem: Problem, engine: str, watch: Watch, goal: str = "all", answers: int | None = None) -> None:
    limits = Limits(answers=answers, seconds=ENDLESS)
    for _ in search(problem, goal=goal, limits=limits, settings=Settings(engine=engine, jobs=1)):
        if watch.look():
            break


def _counted(problem: Problem, engine: str, watch: Watch) -> None:
    search(problem, limits=Limits(seconds=ENDLESS), settings=Settings(engine=engine, jobs=1)).count()


def _drawn(problem: Problem, engine: str, watch: Watch) -> None:
    limits = Limits(seconds=ENDLESS)
    with limits_checked_by(Met(limits)):
        if suits(problem):
            drawer = Drawer(problem)
            drawer.total(limits)
            draw = random.Random(1)
            while not watch.look():
                drawer.draw(draw)


def _sized(problem: Problem, engine: str, watch: Watch) -> None:
    Probing(problem).run(ENDLESS)


Question = Callable[[Problem, str, "Watch"], None]

QUESTIONS: dict[str, Question] = {
    "count": _counted,
    "solve": lambda p, e, w: _listed(p, e, w, answers=1),
    "unique": lambda p, e, w: _listed(p, e, w, answers=2),
    "all": _listed,
    "sample": _drawn,
    "size": _sized,
    "best": lambda p, e, w: _listed(p, e, w, "minimum"),
    "dearest": lambda p, e, w: _listed(p, e, w, "minimum"),
    "fewest": lambda p, e, w: _listed(p, e, w, "minimum"),
}
COSTS: dict[str, tuple[int, int]] = {
    "best": (1, 101),
    "dearest": (-1, 101),
    "fewest": (1, 1),
}  # their sign, and the most
ENGINES = ("auto", "bits", "memo", "links", "cover")
ONLY_AUTO = {"sample", "size"}  # take no engine


# --- measuring ---


@define
class Watch:
    """Measures the CPU time between the looks of this thread.

    looks: how many there were.  longest: seconds between two of them, at most.  places: where the longer times were.
    collected: seconds of that time that Python's garbage collector took.
    """

    seconds: float = ENDLESS  # of CPU time, after which a look stops the search
    stop_at: int = sys.maxsize  # the number of the look that stops the search, if that comes first
    traced: bool = False
    looks: int = 0
    longest: float = 0.0
    places: dict[str, float] = field(factory=dict)
    collected: float = 0.0
    stopped: float = 0.0  # the moment of the look that stopped the search, in CPU time
    _last: float = field(factory=time.thread_time)
    _begun: float = field(factory=time.thread_time)
    _place: str = ""
    _collects: float = 0.0
    _since_collected: float = 0.0

    def look(self) -> bool:
        """Note a look; returns whether the search is to stop here."""
        if not self.stopped:
            self.pause()
            if self.looks > self.stop_at or self._last - self._begun > self.seconds:
                self.stopped = time.thread_time()
        return self.stopped > 0

    def pause(self) -> None:
        """End the time since the last look."""
        now = time.thread_time()
        self.looks += 1
        place = _place() if self.traced else ""
        if now - self._last > self.longest:
            self.longest = now - self._last
            self.collected = self._since_collected
        if self.traced and now - self._last > AIM / 2:
            between = f"{self._place}\n          {place}"
            self.places[between] = max(self.places.get(between, 0.0), now - self._last)
        self._place = place
        self._since_collected = 0.0
        self._last = time.thread_time()

    def collect(self, phase: str, _: dict[str, int]) -> None:
        """Told by the garbage collector when it begins and when it ends."""
        if phase == "start":
            self._collects = time.thread_time()
        else:
            self._since_collected += time.thread_time() - self._collects


def _place() -> str:
    frames = traceback.extract_stack(sys._getframe(3))
    own = [f for f in frames if "/covr/" in f.filename or "/engine/" in f.filename]
    named = [f"{f.filename.rpartition('/')[2]}:{f.lineno} {f.name}" for f in own if "/limits.py" not in f.filename]
    return " > ".join(named[-6:])


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Within this context, whatever reads a clock with a limit looks at this watch."""
    plain = Deadline.over
    assert isinstance(plain, property)

    def over(self: Deadline) -> bool:
        return self.most is not None and watch.look()

    Deadline.over = property(over)  # type: ignore[assignment,method-assign]
    gc.callbacks.append(watch.collect)
    try:
        yield
    finally:
        gc.callbacks.remove(watch.collect)
        Deadline.over = plain  # type: ignore[method-assign]


def watched(problem: Problem, question: str, engine: str, watch: Watch) -> float:
    """Ask a question under a watch. Returns the CPU time that the search took to end after the look that stopped it; 0
    if it ended by itself."""
    with watching(watch):
        watch.pause()
        watch.longest = 0.0
        with suppress(LimitReached):
            QUESTIONS[question](problem, engine, watch)
        if watch.stopped:
            return time.thread_time() - watch.stopped
        watch.pause()
        return 0.0


def cells() -> Iterator[tuple[str, str, str]]:
    """Every problem, question and engine."""
    for problem in PROBLEMS:
        for question in QUESTIONS:
            for engine in ENGINES:
                if engine != "auto" and question in ONLY_AUTO:
                    continue
                if engine == "cover" and question not in COSTS:
                    continue
                yield problem, question, engine


@lru_cache(maxsize=1)  # more of them would give Python's garbage collector work
def _problem(name: str) -> Problem:
    return PROBLEMS[name]()


def main() -> None:
    """Measure, and print the longest time of each cell, and at the end how many were longer than `AIM`."""
    words = ArgumentParser()
    words.add_argument("--problem")
    words.add_argument("--question")
    words.add_argument("--engine")
    words.add_argument("--seconds", type=float, default=2.0, help="of CPU time, for each cell")
    words.add_argument("--stops", type=int, default=STOPS, help="at random looks, for each cell")
    words.add_argument("--traces", action="store_true", help="print where the longest pauses were")
    asked = words.parse_args()
    draw = random.Random(1)
    measured, above, worst = 0, 0, 0.0
    for name, question, engine in cells():
        if any(a not in (None, b) for a, b in zip((asked.problem, asked.question, asked.engine),
                                                   (name, question, engine), strict=True)):  # fmt: skip
            continue
        problem = evolve(_problem(name))  # without what is kept from the cell before
        if question in COSTS:
            problem = paid(problem, *COSTS[question])
        try:
            watch = Watch(asked.seconds, traced=asked.traces)
            ends = [watched(problem, question, engine, watch)]
            for _ in range(asked.stops):
                early = Watch(stop_at=int(watch.looks ** draw.random()))
                ends.append(watched(evolve(problem), question, engine, early))
        except (Unsuited, ValueError) as refused:
            print(f"{name} · {question} · {engine}: refused: {refused}", flush=True)
            continue
        measured += 1
        longest = watch.longest + max(ends)
        worst = max(worst, longest)
        above += longest > AIM
        print(
            f"{'  ' if longest <= AIM else '* '}{name} · {question} · {engine}: {1000 * watch.longest:.0f} ms between "
            f"two of {watch.looks} looks ({1000 * watch.collected:.0f} ms of it collecting), "
            f"{1000 * max(ends):.0f} ms to end",
            flush=True,
        )
        for between, seconds in sorted(watch.places.items(), key=lambda p: -p[1]):
            print(f"   {1000 * seconds:3.0f} ms {between}", flush=True)
    print(f"{measured} measured, {above} above {1000 * AIM:.0f} ms, the longest {1000 * worst:.0f} ms")


if __name__ == "__main__":
    main()
