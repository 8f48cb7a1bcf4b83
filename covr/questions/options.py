"""How a question is asked: all options of a search in one table, for both the command line and Python.

The command line derives `--limit-time` and so on from the fields of `Options`; Python takes them as keywords.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypedDict

from attrs import evolve, field, fields

from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine import Limits, Settings


def _metadata(help: str, metavar: str, least: int | None = None) -> dict[str, Any]:
    """The metadata of a field for the command line. least: the smallest whole number allowed."""
    return {"help": help, "metavar": metavar, "least": least}


# Small letters, too: nobody means a thousandth of a byte by `m`.
UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "t": 10**12, "ki": 2**10, "mi": 2**20, "gi": 2**30, "ti": 2**40}


def size_of(said: int | str | None) -> int | None:
    """A number of bytes, from a number or a text such as `500M` or `1.5Gi`. Raises ValueError for any other text."""
    if not isinstance(said, str):
        return said
    parts = re.fullmatch(r"(\d{1,18}(?:\.\d{1,18})?)\s*([kmgt]?i?)b?", said.strip().lower())
    if parts is None or parts[2] not in UNITS:
        raise ValueError(f"`{said}` is no size: write 500M or 2G")
    return int(float(parts[1]) * UNITS[parts[2]])


def _whole(instance: Any, field: Any, value: Any) -> None:
    """A validator: None, or a whole number from `least` of `_metadata`. Imports the engine only if there is a value to
    check."""
    if value is not None:
        from covr.engine.base.limits import whole_field

        whole_field(field.metadata["least"])(instance, field, value)


def _seconds(instance: Any, field: Any, value: Any) -> None:
    if value is not None:
        from covr.engine.base.limits import seconds_field

        seconds_field(instance, field, value)


# What to say instead of names that earlier versions had.
GONE = {
    "lp": "it went, because `auto` needs fewer nodes; `--engine highs` has HiGHS solve the whole model",
    "interpreted": "it went, because `--engine links` is the same with COVR_INTERPRETED=1 in the environment",
}

RENAMED = {"sat": "clingo"}  # engines of earlier versions, each with the one that answers in its place


def _renamed(engine: str) -> str:
    return RENAMED.get(engine, engine)


# Packages that an engine needs and that are not installed with covr: the module, covr's extra, the package's name.
NEEDS = {
    "highs": ("highspy", "lp", "highspy"),
    "cpsat": ("ortools", "cpsat", "ortools"),
    "clingo": ("clingo", "clingo", "clingo"),
}

LISTING = "clingo"  # the engine that lists answers and does not count them


@frozen(kw_only=True)
class Options:
    """limit_time: seconds of search, over all the searches of one question; compiling is not counted, except by the
        commands (see `CommandOptions`).
    limit_nodes: search nodes, over all the searches of one question.
    limit_memory: bytes, or a text such as `"2G"`, that the process may use, including the model; checked during search.
    limit_answers: the largest number of answers to list or count.
    seed: None for the documented order of answers; a number gives another order, the same every time.
    estimate: the lower bound that prunes the search for a minimum; Python may give a function.
    engine: which engine searches; for tests and comparisons.
    jobs: how many threads search; None for one per core, except in a search for a minimum: there it means one thread
        (engine/base/alone.py), which HiGHS may join after a while (engine/plan.py), whereas 1 means one thread alone.
    verify: answer again with another engine in another order, and compare (covr/questions/verify.py).

    Raises ValueError, which names the option, for a value that is not a whole number (a float never is), and for a time
    that is negative or not finite."""

    limit_time: float | None = field(
        default=None,
        validator=_seconds,
        metadata=_metadata("Stop searching after this many seconds.", "SECONDS"),
    )
    limit_nodes: int | None = field(
        default=None,
        validator=_whole,
        metadata=_metadata("Stop searching after this many search nodes.", "N", 0),
    )
    limit_memory: int | None = field(
        default=None,
        converter=size_of,
        validator=_whole,
        metadata=_metadata("Stop when covr uses this much memory, such as 500M or 2G.", "SIZE", 0),
    )
    limit_answers: int | None = field(
        default=None,
        validator=_whole,
        metadata=_metadata("Stop after this many answers.", "N", 1),
    )
    seed: int | None = field(
        default=None,
        validator=_whole,
        metadata=_metadata("Search in a different order, always the same one for the same N.", "N"),
    )
    estimate: str | Callable[..., int] = field(
        default="auto", metadata=_metadata("The lower bounds that prune the search for a minimum.", "NAMES")
    )
    engine: str = field(default="auto", converter=_renamed, metadata=_metadata("The engine that searches.", "NAME"))
    jobs: int | None = field(
        default=None,
        validator=_whole,
        metadata=_metadata("Search with N threads. Without this option there is one for each core.", "N", 1),
    )

    verify: bool = field(
        default=False,
        metadata=_metadata("Answer again with another engine in another order, and compare.", ""),
    )

    def settings(self, ceiling: int | None = None) -> Settings:
        """The engine's settings. Raises ModelErrors E505 for an unknown name, and for a limit of memory on a system
        where the memory in use can't be read."""
        from covr.engine import ENGINES, Settings
        from covr.engine.settings import USUAL

        if isinstance(self.estimate, str) and self.estimate != USUAL:
            from covr.engine import ESTIMATES

            for name in self.estimate.split(","):
                _known("estimate", name.strip(), ESTIMATES)
        _known("engine", self.engine, ENGINES)
        settings = Settings(engine=self.engine, estimate=self.estimate, seed=self.seed, ceiling=ceiling, jobs=self.jobs)
        if self.limit_memory is None:
            return settings
        _can_limit_memory()
        return evolve(settings, memory=min(settings.memory, self.limit_memory // 2))

    def ask(self, goal: bool, counting: bool = False) -> None:
        """Raise ModelErrors E505 if the engine can't answer such a question. goal: whether the model has a goal.
        counting: whether answers are counted rather than listed."""
        from importlib.util import find_spec

        from covr.faults import usage_error

        help = "leave out --engine"
        needs = NEEDS.get(self.engine)
        if needs is not None and find_spec(needs[0]) is None:
            help = f"pip install 'covr[{needs[1]}]'"
            raise usage_error("E505", f"the engine `{self.engine}` needs the package {needs[2]}", help=help)
        if self.engine in ("highs", "cpsat") and not goal:
            lacks = "the model has neither `minimize` nor `maximize` nor `prefer`"
            raise usage_error("E505", f"the engine `{self.engine}` looks for a minimum, and {lacks}", help=help)
        if self.engine == LISTING and counting:
            raise usage_error("E505", f"the engine `{self.engine}` lists answers and does not count them", help=help)

    def alone(self) -> Options:
        """The same options for a question by itself, whose time begins with it (see `CommandOptions`)."""
        return self

    def elapsed(self, seconds: float) -> float:
        """The seconds that count against `limit_time`, of which the search took so many."""
        return seconds

    def limits(self, seconds: float = 0.0, nodes: int = 0) -> Limits:
        """What remains of the limits after this many seconds and nodes were spent."""
        from covr.engine import Limits
        from covr.engine.base.limits import Deadline

        return Limits(
            nodes=None if self.limit_nodes is None else max(self.limit_nodes - nodes, 0),
            seconds=Deadline(self.limit_time, seconds).left,
            memory=self.limit_memory,
            usual=self.usual_memory,
        )

    @property
    def usual_memory(self) -> int | None:
        """The bytes at which a question ends where no limit of memory is asked for; None if it goes on."""
        return None


@frozen(kw_only=True)
class CommandOptions(Options):
    """The options of a command whose limit of time holds for all that it does: compiling and writing count, too.

    Where no limit of memory is asked for, half of the machine's memory is the limit.
    began: when the command began, in seconds of `perf_counter`."""

    began: float = field(factory=perf_counter)

    def alone(self) -> Options:
        """The same options for one question of several, such as a record of `--each`."""
        return Options(**{one.name: getattr(self, one.name) for one in fields(Options)})

    @property
    def usual_memory(self) -> int | None:
        if self.limit_memory is not None:
            return None
        from covr.engine.base.limits import usual

        return usual()

    def elapsed(self, seconds: float) -> float:
        return perf_counter() - self.began

    def limits(self, seconds: float = 0.0, nodes: int = 0) -> Limits:
        return Options.limits(self, self.elapsed(seconds), nodes)


class OptionWords(TypedDict, total=False):
    """The fields of `Options` as keywords; a test checks that the two agree."""

    limit_time: float | None
    limit_nodes: int | None
    limit_memory: int | str | None
    limit_answers: int | None
    seed: int | None
    estimate: str | Callable[..., int]
    engine: str
    jobs: int | None
    verify: bool


def _can_limit_memory() -> None:
    from covr.engine.base.limits import measurable

    if not measurable():
        from covr.faults import usage_error

        help = "pip install 'covr[memory]', or leave out --limit-memory"
        raise usage_error("E505", "how much memory covr takes can't be read on this system without psutil", help=help)


def _known(what: str, name: str, names: Any) -> None:
    if name in names:
        return
    from covr.faults import usage_error

    raise usage_error("E505", f"there is no {what} `{name}`", help=GONE.get(name, ""), word=name, known=list(names))
