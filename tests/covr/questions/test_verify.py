"""`--verify` answers a question a second time in another way. These tests say what it prints, what it finds, and that
it costs nothing where nobody asks for it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

import covr
from covr.compiler.lower.lowered import StageValue
from covr.engine import Mistake, Search
from covr.engine.check import cost
from covr.engine.search import KernelSearch
from covr.questions.options import Options
from covr.questions.run import Run
from covr.questions.verify import LOOKED_AT
from tests.constants import Constants
from tests.covr.command import Covr, write
from tests.covr.command import covr as command
from tests.engine.problems import brute, dominoes
from tests.engine.strategies import problems

pytestmark = pytest.mark.long

__all__ = ["command"]

FLAGS = """
choose q(r, c) for r in 1..4, c in 1..4
choose f(k) for k in 1..3
exactly one q per r
exactly one q per c
at most one f per k
"""
DEAR = """
choose work(p, d) for p in 1..5, d in 1..5
exactly 1..2 work per d
at most 2 work per p
minimize (p * d) mod 4 + 1 of work
"""
SCOTT = "scott"


def end_of(text: str) -> dict[str, Any]:
    last: dict[str, Any] = json.loads(text.splitlines()[-1])
    return last


class Rows:
    """A problem of the engine in the clothes of a model."""

    symmetry = None

    def __init__(self, problem: Any, goal: str | None) -> None:
        self.problem, self.goal = problem, goal

    def objective(self, options: Any) -> int | None:
        return None if self.goal is None else cost(self.problem, options)

    def stages(self, cost: int, bound: int | None = None) -> tuple[StageValue, ...]:
        return ()

    def value_of(self, value: int) -> int:
        return value


@settings(deadline=None)
@given(problems())
def test_whatever_is_right_is_verified(problem: Any) -> None:
    """Counts, lists, first answers and best ones of any problem, beside brute force."""
    every = brute(problem)
    for goal in (None, "minimize"):
        best = min((cost(problem, a) for a in every), default=0)
        right = [a for a in every if goal is None or cost(problem, a) == best]
        for ask in ("count", "answers", "first"):
            run = Run(Rows(problem, goal), Options(verify=True))  # type: ignore[arg-type]
            if ask == "count":
                assert run.count().value == len(right)
            elif ask == "answers":
                assert sorted(run.answers()) == sorted(right)
            else:
                assert (run.first() is None) == (not right)
            assert run.verified is not None
            assert run.verified.done


@pytest.mark.parametrize("engine", ["auto", "links", "bits", "memo", "reference"])
def test_another_engine_verifies_in_another_order(engine: str) -> None:
    model = covr.loads(FLAGS)
    for seed in (None, 1):
        run = Run(model.compiled, Options(verify=True, engine=engine, seed=seed))
        assert run.count().value == 192
        assert run.verified is not None
        assert run.verified.done
        assert run.verified.engine != run.engine
        assert run.engine.startswith("dancing links") != run.verified.engine.startswith("dancing links")
        assert run.verified.engine.endswith("seed 2" if seed == 1 else "seed 1")


def test_a_memo_is_verified_in_parts(constants: Constants) -> None:
    constants("covr.questions.verify", WITHOUT=1000)
    problem = dominoes(8, 8)
    run = Run(Rows(problem, None), Options(verify=True))  # type: ignore[arg-type]
    assert run.count().value == 12988816
    assert run.verified is not None
    assert run.verified.done
    assert "parts" in run.verified.engine


# --- differences ---


def lying(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first count says one answer too few."""
    count = Search.count
    asked = []

    def short(self: Search) -> int:
        asked.append(self)
        return count(self) - (len(asked) == 1)

    monkeypatch.setattr(Search, "count", short)


def test_a_wrong_count_is_found_out(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    from covr.cli.group import cli

    monkeypatch.chdir(tmp_path)

    monkeypatch.delenv("COVR_TRACEBACK", raising=False)
    file = write("flags.cover", FLAGS)
    with monkeypatch.context() as patch:
        lying(patch)
        assert cli.main(["count", str(file), "--jobs", "1"], standalone_mode=False) == 0
        assert capsys.readouterr().out == "191\n"
    with monkeypatch.context() as patch:
        lying(patch)
        assert cli.main(["count", str(file), "--jobs", "1", "--verify"], standalone_mode=False) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "a mistake in covr itself (Mistake: two ways to answer this differ: 191 answers by bit sets" in said.err
    assert "192 by dancing links" in said.err
    with monkeypatch.context() as patch:
        lying(patch)
        with pytest.raises(Mistake, match=r"191 answers .* 192 by"):
            covr.loads(FLAGS).count(verify=True)


def test_a_list_that_ends_too_soon_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that loses answers: every one is right, and still not all are there."""
    take = KernelSearch._take
    lost = []

    def losing(self: KernelSearch) -> None:
        take(self)
        if not lost and len(self._found) and self.settings.seed is None:
            lost.append(self._found.popleft())

    monkeypatch.setattr(KernelSearch, "_take", losing)
    with pytest.raises(Mistake, match=r"91 answers .* 92 by"):
        list(covr.load("queens").solutions(verify=True))


def test_a_false_minimum_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is proved though something cheaper is left."""
    from covr.engine import Status
    from covr.engine.search import KernelSearch

    right = covr.loads(DEAR).minimum(verify=True)
    advance = KernelSearch._advance
    first = []

    def early(self: KernelSearch, nodes: int, listing: bool = True) -> None:
        advance(self, nodes, listing)
        if self in first or not first:
            first.append(self)
            if self.best is not None and self.best > (right or 0):
                self.status = Status.EXHAUSTED

    monkeypatch.setattr(KernelSearch, "_advance", early)
    with pytest.raises(Mistake, match="the best cost"):
        covr.loads(DEAR).minimum(verify=True, estimate="dual")


# --- what is said ---


def test_count_can_be_verified(command: Covr, tmp_path: Path) -> None:
    plain = command("count", "queens", "--json")
    assert "verified" not in end_of(plain.stdout)
    counted = command("count", "queens", "--verify")
    assert counted.stdout == "92\n"
    assert counted.stderr.startswith("verified: dancing links, exact cover (")
    assert counted.stderr.endswith("in an order shuffled by seed 1\n")
    end = end_of(command("count", "queens", "--verify", "--json").stdout)
    assert end["verified"] is True
    assert end["verifier"].startswith("dancing links")
    end = end_of(command("solve", "queens", "--verify", "--json").stdout)
    assert (end["verified"], end["verifier"]) == (True, LOOKED_AT)
    none = command("solve", "queens", "-D", "n=3", "--verify")
    assert none.exit_code == 1
    assert "verified: bit sets" in none.stderr
    assert command("sample", "queens", "--verify").exit_code == 2
    assert command("solve", "sudoku", "--unique", "--verify").exit_code == 0
    assert command("solve", SCOTT, "--all", "--verify", "-q").exit_code == 0
    file = str(tmp_path / "q.run")
    for _ in range(2):
        kept = command("count", "queens", "--verify", "--run", file)
        assert (kept.stdout, kept.exit_code) == ("92\n", 0)
        assert "verified: dancing links" in kept.stderr


def test_a_limit_leaves_it_open(command: Covr) -> None:
    """The answer stands; that it is not verified is said."""
    nodes = end_of(command("count", "queens", "-D", "n=9", "--json").stdout)["nodes"]
    limit = str(nodes + 100)
    counted = command("count", "queens", "-D", "n=9", "--verify", "--limit-nodes", limit)
    assert (counted.stdout, counted.exit_code) == ("352\n", 0)
    assert counted.stderr.startswith("not verified: a limit came first (")
    end = end_of(command("count", "queens", "-D", "n=9", "--verify", "--json", "--limit-nodes", limit).stdout)
    assert (end["verified"], end["answers"], end["complete"], end["exit"]) == (False, 352, True, 0)
    with pytest.raises(covr.Unfinished, match="verified") as open_:
        covr.load("queens", n=9).count(verify=True, limit_nodes=nodes + 100)
    assert open_.value.count == 352
    end = end_of(command("count", "queens", "-D", "n=9", "--verify", "--json", "--limit-nodes", "50").stdout)
    assert (end["verified"], end["exit"]) == (None, 3)


def test_solutions_say_that_they_are_verified() -> None:
    found = covr.load("queens", n=5).solutions(verify=True)
    assert found.verified is None
    assert len(list(found)) == 10
    assert found.verified is True


def test_every_record_can_be_verified(command: Covr, tmp_path: Path) -> None:
    clue = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
    file = write("puzzles.txt", clue + "\n" + "55" + "." * 79 + "\n")
    ran = command("solve", "sudoku", "--each", f"clue={file}", "--unique", "--verify", "--json")
    lines = [json.loads(line) for line in ran.stdout.splitlines()]
    assert [(r["status"], r["verified"]) for r in lines if r["type"] == "record"] == [("unique", True), ("none", True)]
