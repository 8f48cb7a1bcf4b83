"""`covr show --plan`: what is told is what is done."""

from __future__ import annotations

import json

import pytest

from covr.engine import Limits, Settings, plan, portfolio, search
from covr.engine.counting.frontier_count import RARER
from covr.engine.dispatch import plan_of
from covr.questions.run import QUESTIONS as QUESTION_NAMES
from tests.covr.command import Covr, covr
from tests.engine.problems import langford, queens

__all__ = ["covr"]

QUESTIONS = {
    "queens": ["a first answer", "every answer", "how many there are"],
    "scott": ["a first answer", "one answer of each class"],
    "rota": ["the best value", "every best answer, once the best value is known"],
}


@pytest.mark.parametrize("model", QUESTIONS)
def test_each_question_of_a_model_has_its_plan(covr: Covr, model: str) -> None:
    done = covr("show", model, "--plan")
    assert done.exit_code == 0
    assert [line for line in done.output.splitlines() if line and line[0] != " "] == QUESTIONS[model]
    assert done.output.count("  way     ") == done.output.count("  kernel  ") == len(QUESTIONS[model])


ASKED = [
    ("queens",), ("queens", "--engine", "links"), ("queens", "--seed", "1"), ("queens", "--limit-nodes", "9999"),
    ("queens", "--jobs", "2"), ("scott", "--jobs", "1"), ("experts", "--jobs", "1"), ("experts", "--estimate", "price"),
    ("experts", "--engine", "mixed"), ("rota", "--jobs", "1", "--limit-nodes", "999"),
]  # fmt: skip


@pytest.mark.parametrize("asked", ASKED, ids=" ".join)
@pytest.mark.parametrize("question", QUESTION_NAMES)
def test_the_plan_of_a_question_is_what_its_run_follows(
    monkeypatch: pytest.MonkeyPatch, covr: Covr, asked: tuple[str, ...], question: str
) -> None:
    """The last search that the question begins was chosen as the plan says."""
    told = covr("show", asked[0], "--plan", "--for", question, "--json", *asked[1:])
    (line,) = [json.loads(line) for line in told.output.splitlines() if '"plan"' in line]
    begun = []

    def way_of(query: plan.Query) -> plan.Approach:
        begun.append(chosen(query))
        return begun[-1]

    chosen = plan.way_of
    monkeypatch.setattr(plan, "way_of", way_of)
    command = {"solve": ("solve",), "all": ("solve", "--all"), "count": ("count",)}[question]
    limits = () if "--limit-nodes" in asked else ("--limit-time", "9")
    assert covr(*command, *asked, *limits).exit_code in (0, 1, 3)
    names = [way.name for way in begun] or [plan.CLASSES.name]
    assert line["question"] == question and line["way"]["name"] == names[-1]


def test_who_asks_for_what_an_engine_cannot_is_told_so(covr: Covr) -> None:
    assert "E505" in covr("show", "queens", "--plan", "--engine", "highs").output
    assert "E505" in covr("show", "queens", "--plan", "--engine", "nothing").output


def test_it_goes_with_what_is_text(covr: Covr) -> None:
    assert covr("show", "queens", "--engine", "links").exit_code == 2
    assert covr("show", "queens", "--for", "all").exit_code == 2
    assert covr("show", "queens", "--plan", "--source").exit_code == 2
    assert covr("show", "queens", "-D", "n=4", "--items", "--plan").output.startswith("one queen in row 1\t")


@pytest.mark.parametrize("engine", ["auto", "links", "bits", "sides"])
@pytest.mark.parametrize("answers", [None, 1, 9])
def test_the_plan_names_what_is_begun(engine: str, answers: int | None) -> None:
    """The way is the one that a search takes; each other one has a reason, and no reason is given for it."""
    limits, settings = Limits(answers=answers), Settings(engine=engine)
    told = plan_of(queens(6), "all", limits, settings)
    taken = plan.way_of(plan.Query(queens(6), "all", limits, settings))
    assert told.way == (taken.name, taken.why)
    assert taken.name not in dict(told.out) and all(why for _, why in told.out)
    begun = search(queens(6), limits=limits, settings=settings)
    assert len(told.turns) == len(begun.timetable)


def test_turns_and_shares_are_those_of_the_table() -> None:
    told = plan_of(langford(8), "all", settings=Settings(), counting=True)
    assert [(turn.name, turn.share) for turn in told.turns] == [
        ("search", RARER / (RARER + 1)), ("item by item", 1 / (RARER + 1)),
    ]  # fmt: skip
    first = plan_of(langford(8), "all", Limits(answers=1))
    shares = [turn.share for turn in first.turns if turn.share is not None]
    assert abs(sum(shares) - 1) < 1e-9 and all(share > 0 for share in shares)


def test_a_reason_follows_the_settings() -> None:
    seeded = plan_of(queens(6), "all", Limits(answers=1), Settings(seed=1))
    assert ("first answers", plan.NO_SEED.unless) in seeded.out
    assert seeded.way[0] == "one kernel" or "parts" in seeded.way[0]


def test_the_end_says_who_had_which_time_and_who_found_what(covr: Covr) -> None:
    """If several methods had turns; they are rows of the plan."""

    def methods(*words: str) -> list[dict[str, object]]:
        end = json.loads(covr(*words, "--json", "--jobs", "1").output.splitlines()[-1])
        return list(end.get("methods", ()))

    assert methods("solve", "sudoku") == methods("count", "queens") == []
    had = methods("solve", "queens", "-D", "n=40")
    assert [(one["name"], one["answers"]) for one in had] == [(portfolio.LINKS, 0), (portfolio.ORDER, 1)]
    assert abs(sum(float(str(one["share"])) for one in had) - 1) < 0.01
