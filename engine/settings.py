"""How a search is done, and when its methods have turns; no setting changes which answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import field

from covr.engine.base.limits import whole_field
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.minimum.estimates import Estimate, EstimateFunction

# --- pace ------------------------------------------------------------------------------------------------------------
# When methods have turns, and how long these are: one value for everything that shares time (`Settings.pace`).
#
# No figure here changes what is answered, only who finds it and when. They are counted in work and in nodes, not in
# seconds, so that a question is answered by the same method on every machine. Tests set a quicker pace: what usually
# waits until a search has taken long then begins on problems that are small enough for brute force.


@frozen
class FirstPace:
    """Of first answers (portfolio.py). turn: work of the documented order before anything else is tried: about 30 ms.
    restart: nodes of the first restarts.  called: conflicts in a call of clingo, which begins at the root each time."""

    turn: int = 30_000_000
    restart: int = 500
    called: int = 4000


@frozen
class MixedPace:
    """Of linear programs and what searches beside them (mixed.py), in its units of work, 2 ns each.

    turn: of each at first: about 10 ms.
    first: of the search with sides before a tree is built beside it: about 20 ms.
    late: of all methods before what takes long to prepare begins, as a tree beside the search for covers, the first
    sweep, and HiGHS where there is a tree: about 0.3 s. The tree may do twice as much for a bound at its root.
    per_member: or so much for each member of the options, if that is more.
    few, few_sided: nodes in a slice of the walk, at least; fewer where there are sides, as a node takes up to some ms.
    """

    turn: int = 5_000_000
    first: int = 10_000_000
    late: int = 150_000_000
    per_member: int = 2000
    few: int = 256
    few_sided: int = 16


@frozen
class CountPace:
    """Of counts, in nodes. patience: of the search, before items are taken one by one: some milliseconds,
    as long as it takes to plan that, and fewer than `ThreadPace.alone` (frontier_count.py).  sided: of the search with
    sides, before it is swept option by option: some hundredths of a second (side_sweep.py).  parts: in a turn of the
    kernel without a memo, which has the first one (part_count.py)."""

    patience: int = 1 << 14
    sided: int = 2000
    parts: int = 10_000


@frozen
class ThreadPace:
    """Of threads (parallel.py, class_search.py). alone: nodes that one thread searches before the search is split.
    alone_sided: the same with side conditions, where a node takes about ten times as long.
    parts: prefixes that a search is split into, at least.  parts_a_thread: the same for each thread.
    slice: nodes of a prefix between two checks of the other threads.
    ahead: option numbers, about 40 bytes each, in all the answers that may wait to be read.  own: the same for the
    answers of the prefix that is being read."""

    alone: int = 30_000
    alone_sided: int = 3000
    parts: int = 32
    parts_a_thread: int = 16
    slice: int = 100_000
    ahead: int = 1 << 21
    own: int = 1 << 19


@frozen
class Pace:
    """All of them. least: work in a turn, at least: about a millisecond.  call: work in a call of a method, at most,
    and after which `Turns.run` returns: limits are looked at between.
    ceiling: nodes of a search for all answers up to a ceiling before it asks a linear program (single.py): some tenths
    of a second where nodes are large.
    highs: work before HiGHS is started in a process beside a search (mixed.py): about 2 s. Most questions for which
    HiGHS is quicker take longer than this, and starting it takes half a second."""

    least: int = 1_000_000
    call: int = 10_000_000
    ceiling: int = 2000
    highs: int = 2_000_000_000
    first: FirstPace = FirstPace()
    mixed: MixedPace = MixedPace()
    counts: CountPace = CountPace()
    threads: ThreadPace = ThreadPace()


USUAL_PACE = Pace()


# --- settings --------------------------------------------------------------------------------------------------------
# How a search is done; no setting changes which answers there are.


ENGINES = {
    "auto": "the best engine for the question",
    "bits": "sets of options, one bit each, unless they are too large; then links",
    "cover": "branch and bound for the minimum of a covering problem; for anything else, links",
    "memo": "bits with a memo, for counting; to list answers, the same as bits",
    "mixed": "linear programs beside Dancing Links, for a minimum; for anything else, links",
    "highs": "for a minimum: the mixed-integer solver HiGHS",
    "cpsat": "for a minimum: OR-tools' CP-SAT (needs covr[cpsat])",
    "links": "Dancing Links",
    "sides": "problems with totals, connections, loops and areas; slower than the others for problems without them",
    "clingo": "the answer-set solver clingo, which learns under connections, loops and areas",
    "reference": "the oracle of the tests: short, slow and independent",
}

USUAL = "auto"  # the estimate that is used where none is named

ONE: int | None = 1  # thread: the default of `jobs`


def _known(_: object, __: object, name: str) -> None:
    if name not in ENGINES:
        raise ValueError(f"there is no engine `{name}`; there are {', '.join(ENGINES)}")


def _findable(_: object, __: object, estimate: str | EstimateFunction) -> None:
    if estimate != USUAL:
        from covr.engine.minimum.estimates import find_cascade

        find_cascade(estimate)


@frozen
class Settings:
    """The options of a search and their defaults.

    engine: a name in `ENGINES`.
    estimate: names in `estimates.ESTIMATES`, separated by commas, or a callable `bound(view, cutoff)`; used where
    costs matter.
    seed: None for the documented order of answers; a number shuffles the options, and the items among which ties are
    broken, reproducibly.
    memory: how many bytes the memo or the frontier of a count may take; 0 for neither: every answer is met.
    ceiling: the most that an answer may cost, or None; used to list every optimal answer.
    jobs: how many threads search, as in alone.py. Neither the answers nor their order depend on it; in a search for a
    minimum, which of several best answers is found may.
    symmetries: maps of the problem's options that are believed to carry it to itself, each an option for every option
    (or -1); used in searches for a minimum that find no symmetries by themselves. Each is checked before it is used.
    pace: when methods have turns, and how long these are (engine/settings.py); for tests.
    interpreted: run the engine's Python source even where it is compiled; for tests.

    Raises ValueError for unknown names, and if a seed, ceiling, memory or jobs is not a whole number (limits.py).
    """

    engine: str = field(default="auto", validator=_known)
    estimate: str | EstimateFunction = field(default=USUAL, validator=_findable)
    seed: int | None = field(default=None, validator=whole_field())
    ceiling: int | None = field(default=None, validator=whole_field())
    interpreted: bool = False
    memory: int = field(default=512 << 20, validator=whole_field(0, optional=False))
    symmetries: Sequence[Sequence[int]] = field(default=(), repr=False)
    jobs: int | None = field(default=ONE, validator=whole_field(1))
    pace: Pace = field(default=USUAL_PACE, repr=False)

    @property
    def estimates(self) -> tuple[Estimate, ...]:
        """The estimates that `estimate` names, those that cost least time first."""
        from covr.engine.minimum.estimates import find_cascade

        return find_cascade(self.estimate)
