"""Plans whose best answer is asked for: those of the gallery, and some that are larger or drawn."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from attrs import frozen

from benchmarks import _work_cpsat as programs
from benchmarks._boards import BOARDS
from benchmarks._work_program import Program
from covr.api.model import Model, load

HERE = Path(__file__).parent


@frozen
class WorkInstance:
    """load: covr's model.  program: the same for CP-SAT.  said: what it is, in words."""

    said: str
    load: Callable[[], Model]
    program: Callable[[], Program]


def _own(name: str, **params: Any) -> Callable[[], Model]:
    return lambda: load(HERE / f"_work_{name}.cover", **params)


def _fortnight() -> Model:
    board = BOARDS["rota"]()
    return load(board.model, **board.params())


INSTANCES: dict[str, WorkInstance] = {
    "nurses": WorkInstance("30 people, 28 days, two goals", partial(load, "nurses"), programs.nurses),
    "stand_ins": WorkInstance("14 people, two of them ill, two goals", partial(load, "stand_ins"), programs.stand_ins),
    "duties": WorkInstance("9 drivers, 14 days", partial(load, "duties"), programs.duties),
    "exams": WorkInstance("120 exams, 20 slots", partial(load, "exams"), programs.exams),
    "timetable": WorkInstance("12 classes of 25 hours", partial(load, "timetable"), programs.timetable),
    "tournament": WorkInstance("four towns, with travel", partial(load, "tournament"), programs.tournament),
    "league-8": WorkInstance("eight teams, with few breaks", _own("league"), programs.league),
    "rolls-7": WorkInstance("pieces of five kinds from seven rolls", _own("rolls"), programs.rolls),
    "rota-20": WorkInstance(
        "20 people, 14 days, wishes", _fortnight, lambda: programs.fortnight(BOARDS["rota"]().data)
    ),
    "rota-40": WorkInstance("40 people, 28 days", _own("rota", people=40), lambda: programs.rota(40)),
    "rota-50": WorkInstance("50 people, 28 days", _own("rota", people=50), lambda: programs.rota(50)),
}
SMALL = (  # what each solver has solved before it is timed, so that all is loaded
    WorkInstance("four teams", _own("league", n=4), lambda: programs.league(4)),
    WorkInstance("36 people, 28 days", _own("rota", people=36), lambda: programs.rota(36)),  # covr asks HiGHS here, too
    WorkInstance("six rolls", _own("rolls", rolls=6, need=[2, 3, 3, 4, 3]), lambda: programs.rolls(6, (2, 3, 3, 4, 3))),
)
