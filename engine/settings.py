"""How a search is done; no setting changes which answers there are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from attrs import field

from covr.engine.base.pace import USUAL_PACE, Pace
from covr.engine.base.whole import whole_field
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine.minimum.estimates import Estimate, EstimateFunction

ENGINES = {
    "auto": "the best engine for the question",
    "bits": "sets of options, one bit each, unless they are too large; then links",
    "cover": "branch and bound for the minimum of a covering problem; for anything else, links",
    "memo": "bits with a memo, for counting; to list answers, the same as bits",
    "mixed": "linear programs beside Dancing Links, for a minimum; for anything else, links",
    "highs": "for a minimum: the mixed-integer solver HiGHS",
    "cpsat": "for a minimum: OR-tools' CP-SAT (needs covr[cpsat])",
    "links": "Dancing Links",
    "sides": "problems with totals, connections and loops; slower than the others for problems without them",
    "sat": "the SAT solver CaDiCaL (needs covr[sat]), for answers in any order; for anything else, links",
    "clingo": "the answer-set solver clingo, which learns under connections and loops",
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
    jobs: how many threads search, as in jobs.py. Neither the answers nor their order depend on it; in a search for a
    minimum, which of several best answers is found may.
    symmetries: maps of the problem's options that are believed to carry it to itself, each an option for every option
    (or -1); used in searches for a minimum that find no symmetries by themselves. Each is checked before it is used.
    pace: when methods have turns, and how long these are (base/pace.py); for tests.
    interpreted: run the engine's Python source even where it is compiled; for tests.

    Raises ValueError for unknown names, and if a seed, ceiling, memory or jobs is not a whole number (whole.py).
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
