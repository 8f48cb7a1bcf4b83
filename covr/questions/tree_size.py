"""How long a question would take, and earlier answers for `--near`."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covr.compiler.matrix_model import near
from covr.engine import Counters, Limits, Status, search
from covr.engine.base.limits import Deadline, limits_checked_by
from covr.engine.sampling.probe import Probing, Spread, TreeSize
from covr.faults import usage_error
from covr.frozen import frozen
from covr.inputs.library import LARGEST_DATA, STDIN, decode, read_stdin, read_text
from covr.questions.answer import jsonable
from covr.questions.options import Options

if TYPE_CHECKING:
    from covr.compiler import Compiled

# --- tree size -------------------------------------------------------------------------------------------------------
# To measure the rate, the search is run for at most a second; if it finishes, the size of the tree is known exactly.
# With a goal, the tree is the one that no bound prunes, and no time is estimated. A count with a memo may take far
# less.


PROBING = 10.0  # seconds of probing if no limit is given
MEASURING = 1.0  # seconds of search, at most, that measure the nodes per second
SHARE = 0.25  # share of the limit of time that measuring may take, if that is less than MEASURING
SHORTEST = 0.001  # seconds: a rate is computed only if the search took at least as long


@frozen
class Effort:
    """The estimated effort.
    size: the result of the probes.  goal: `all`, or `minimum` if costs would prune the tree.
    engine: that was measured, in words.  rate: its nodes per second; None for a minimum.
    exact: the work of the whole search, if it finished while it was measured."""

    size: TreeSize
    goal: str
    engine: str | None
    rate: float | None
    exact: Counters | None

    @property
    def nodes(self) -> Spread:
        """How many nodes the whole search tree has."""
        return self.size.nodes

    @property
    def answers(self) -> Spread | None:
        """How many answers there are, not yet counting any as one; None if no probe found any, or with a goal."""
        return self.size.answers

    @property
    def seconds(self) -> Spread | None:
        """The seconds that one thread would take to list every answer, with the same spread as the nodes."""
        if not self.rate:
            return None
        nodes, rate = self.size.nodes, self.rate
        return Spread(nodes.mean / rate, nodes.error / rate, nodes.low / rate, nodes.high / rate)


class Sizing:
    """Estimates the size of a search tree; may be interrupted from a signal handler or another thread."""

    def __init__(self, compiled: Compiled, options: Options) -> None:
        self._clock = Deadline(options.limits().seconds).start()  # the limit covers probing and measuring
        self._goal = "all" if compiled.goal is None else "minimum"
        self._problem, self._options = compiled.problem, options
        self._probing = Probing(compiled.problem, self._goal, options.seed or 0)
        self.stopped = False  # whether it was asked to stop
        self._stop: list[Callable[[], None]] = [self._probing.interrupt]

    @property
    def interrupted(self) -> bool:
        """Whether it was asked to stop."""
        return self._probing.interrupted

    def interrupt(self) -> None:
        self.stopped = True
        for stop in self._stop:
            stop()

    def run(self, probes: int | None = None) -> Effort:
        """Probe, then measure, both within the limit of time. probes: how many; None to go on until the spread is small
        or time runs out."""
        limit = self._options.limit_time
        measuring = MEASURING if limit is None else min(MEASURING, SHARE * limit)
        until = PROBING if probes is None else None
        left = self._clock.left
        if left is not None:
            until = max(left - (measuring if self._goal == "all" else 0.0), 0.0)
        size = self._probing.run(until, probes)
        if self._goal == "minimum":
            return Effort(size, self._goal, None, None, None)
        settings = Options(engine=self._options.engine, jobs=1).settings()
        with limits_checked_by(lambda: Status.INTERRUPTED if self.stopped else None):
            run = search(self._problem, limits=Limits(seconds=measuring), settings=settings)
        self._stop.append(run.interrupt)
        clock = Deadline(measuring).start()
        for _ in run:  # listing answers takes time, too
            if clock.over:
                break
        spent = clock.spent
        rate = run.counters.nodes / spent if spent >= SHORTEST else None
        exact = run.counters if run.status == "exhausted" else None
        return Effort(size, self._goal, run.engine, rate, exact)


# --- earlier ---------------------------------------------------------------------------------------------------------


Said = tuple[str, Any]  # a family, and the arguments of a choice as JSON has them


def near_file(compiled: Compiled, file: str) -> Compiled:
    """The model, near the last answer in a file that `covr solve --json` wrote. Raises ModelErrors E502 and E503 for a
    file that can't be read, E522 for one that holds no answer."""
    compiled.scope.budget.files.add(os.path.abspath(file))
    if file == STDIN:
        text = decode(read_stdin(LARGEST_DATA), "<stdin>", LARGEST_DATA)
    else:
        text = read_text(Path(file), file, LARGEST_DATA)
    return near_choices(compiled, _choices(text, file))


def near_choices(compiled: Compiled, choices: Iterable[Said]) -> Compiled:
    """The model, near an answer of which the choices are known by family and arguments."""
    known: dict[str, int] = {}
    for option in range(compiled.problem.options):
        if not compiled.is_own(option):
            choice = compiled.choice(option)
            known.setdefault(_key(choice.family, [jsonable(v) for v in choice.args]), option)
    options: set[int] = set()
    gone: list[str] = []
    for family, args in choices:
        found = known.get(_key(family, args))
        if found is None:
            gone.append(f"{family}({', '.join(map(_shown, args))})" if args else family)
        else:
            options.add(found)
    return near(compiled, options, gone)


def _key(family: str, args: Any) -> str:
    return json.dumps([family, args], ensure_ascii=False, sort_keys=True)


def _shown(value: Any) -> str:
    if isinstance(value, dict) and value:
        return _shown(next(iter(value.values())))
    if isinstance(value, list):
        return f"({', '.join(map(_shown, value))})"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _choices(text: str, file: str) -> list[Said]:
    found: list[Said] | None = None
    lines = [text] if _is_json(text) else text.splitlines()
    for line in lines:
        try:
            read = json.loads(line) if line.strip() else None
            if isinstance(read, dict) and read.get("type", "solution") == "solution" and "choices" in read:
                found = [(str(choice["family"]), list(choice["args"])) for choice in read["choices"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    if found is None:
        help = "`covr solve MODEL --json > answer.json` writes one"
        raise usage_error("E522", f"`{file}` holds no answer as `covr solve --json` writes it", help=help)
    return found


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
