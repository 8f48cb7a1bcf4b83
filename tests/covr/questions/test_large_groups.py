"""`up to` with groups that are not listed: the same classes as with listed ones, whatever is asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr.compiler import CompileLimits, compile_model
from covr.compiler.compiled import Compiled
from covr.dsl.diagnostics import Source
from covr.engine import search
from covr.engine.kernels.loading import is_compiled
from covr.inputs.library import checked, find_source
from covr.questions.options import Options
from covr.questions.run import Run
from covr.questions.sampling import Sampling
from covr.runs.question import RecordedQuestion
from covr.runs.recorded import open_run
from tests.covr.command import Covr, covr, write
from tests.covr.questions.up_to import MODELS, hold_that_answers_are_verified, sorted_out

pytestmark = pytest.mark.long

LATIN = """
param n = 5
cells r, c, v in 1..n
choose put(r, c, v)
exactly one put per r, c    "square {r}, {c}"
exactly one put per r, v    "{v} in row {r}"
exactly one put per c, v    "{v} in column {c}"
let turn(x) = x mod n + 1
let swap(x) = if x = 1 then 2 else if x = 2 then 1 else x
up to put(r, c, v) -> put(turn(r), c, v), put(r, c, v) -> put(swap(r), c, v)
up to put(r, c, v) -> put(r, turn(c), v), put(r, c, v) -> put(r, swap(c), v)
up to put(r, c, v) -> put(r, c, turn(v)), put(r, c, v) -> put(r, c, swap(v))
"""
TOTAL = """
choose a(i) for i in 1..6
exactly 6 total 2 of a
up to a(i) -> a(i mod 6 + 1), a(i) -> a(if i = 1 then 2 else if i = 2 then 1 else i)
"""
__all__ = ["covr"]

compiled_only = pytest.mark.skipif(not is_compiled("_smallest"), reason="takes long without the compiled kernel")


def compiled(name: str, group: int = 1) -> Compiled:
    """A model whose group is listed only if it has no more members than this."""
    text = MODELS.get(name, name)
    model = checked(Source("<test>", text) if "\n" in text else find_source(text))
    return compile_model(model, limits=CompileLimits(group=group))


# Their givens and bans are kept by few members of the group only. Of scott, all answers would take long to sort out.
UNFAITHFUL = ["a queen is given, which breaks most", "a queen is forbidden"]


@pytest.mark.parametrize("name", UNFAITHFUL)
def test_which_groups_are_not_kept_by_all_rules(name: str) -> None:
    symmetry = compiled(name, 50_000).symmetry
    assert symmetry is not None and not symmetry.faithful


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.slow] if name == "soma" else [])
        for name in MODELS
        if name != "scott" and name not in UNFAITHFUL
    ],
)
def test_the_classes_are_those_of_a_listed_group(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    listed, model = compiled(name, 50_000), compiled(name)
    assert listed.symmetry is not None and model.symmetry is not None and listed.symmetry.faithful
    assert listed.symmetry.large is None and model.symmetry.large is not None
    assert model.symmetry.size == listed.symmetry.size
    want = sorted_out(listed, Options(jobs=1), monkeypatch)
    run = Run(model, Options(jobs=1))
    found = list(run.answers())
    assert sorted(found) == sorted(want) and run.complete
    assert sorted_out(model, Options(jobs=1), monkeypatch) == want
    for jobs in (1, 2):
        assert Run(model, Options(jobs=jobs)).count().value == len(want)
        assert list(Run(model, Options(jobs=jobs)).answers()) == found
    assert sorted(Run(model, Options(seed=3, jobs=1)).answers()) == sorted(want)
    first = Run(model, Options(jobs=1)).first()
    assert first is None if not want else first in want
    for limit in (1, 3):
        assert list(Run(model, Options(jobs=1)).answers(limit=limit)) == found[:limit]
    for answer in list(search(model.problem))[:40] if model.goal is None else found[:5]:
        assert model.symmetry.canonical(answer) == listed.symmetry.canonical(answer)
        assert model.symmetry.is_canonical(answer) == listed.symmetry.is_canonical(answer)


@pytest.mark.parametrize("name", ["queens 8", "dominoes", "the best"])
def test_they_are_verified(name: str) -> None:
    hold_that_answers_are_verified(compiled(name))


def test_samples_are_drawn_from_the_classes() -> None:
    """All of them are listed, and have the same chance."""
    model = compiled("queens 8")
    sampling = Sampling(model, Options(jobs=1, seed=5))
    drawn = list(sampling.draw(200))
    assert len(drawn) == 200 and sampling.uniform and sampling.method == "listed"
    assert set(drawn) == set(Run(model, Options(jobs=1)).answers())
    distinct = Sampling(compiled("queens 8"), Options(jobs=1, seed=5))
    assert len(set(distinct.draw(12, distinct=True))) == 12


@pytest.mark.parametrize("asked", ["count", "list"])
def test_a_run_in_a_file(tmp_path: Path, asked: str) -> None:
    """Sessions of a few nodes each, until the run is complete."""
    model = compiled("queens 8")
    file = tmp_path / "queens.run"
    question = RecordedQuestion("count" if asked == "count" else "solve", None)
    for _ in range(200):
        run = open_run(file, model, {}, question, Options(jobs=2, limit_nodes=60))
        if asked == "count":
            value = run.count().value
        else:
            found = list(run.answers())
            value = len(found)
        run.close()
        if run.complete:
            break
    assert run.complete and value == 12
    if asked == "list":
        assert found == list(Run(model, Options(jobs=1)).answers())


@compiled_only
def test_latin_squares_up_to_isotopy_are_counted_by_the_command(covr: Covr) -> None:
    """Two of side 5 up to permutations of rows, columns and symbols: in a file, and without one."""
    model = write("latin.cover", LATIN)
    for extra in ([], ["--jobs", "2"], ["--run", "one.run"], ["--run", "one.run"]):
        result = covr("count", model, *extra)
        assert (result.exit_code, result.stdout.strip()) == (0, "2"), result.output
    shown = covr("show", model, "--symmetries").stdout.splitlines()
    assert shown[0] == "symmetries  10,368,000"
    assert shown[1] == "declared    a group of 1,728,000"
    assert "symmetry  a group of 1,728,000" in covr("show", model).stdout
    sampled = covr("sample", model, "-n", "3", "--seed", "1")
    assert sampled.exit_code == 0, sampled.output


def test_side_conditions_are_sorted_out() -> None:
    """Three of six equals: one class, whether or not the matrix is a pure one."""
    for group in (1, 50_000):
        model = compiled(TOTAL, group)
        assert list(Run(model, Options(jobs=1)).answers()) == [(0, 1, 2)]
        assert Run(model, Options(jobs=1)).count().value == 1


def test_a_broken_symmetry_is_refused(covr: Covr) -> None:
    """One clear message, with the exact order, and no traceback."""
    result = covr("count", write("broken.cover", LATIN + "given put(1, 1, 2)\n"))
    assert result.exit_code == 2
    assert "error[E433]: these symmetries generate a group of 1,728,000 members, not all of which" in result.stderr


def test_a_run_in_a_file_whose_answers_are_all_sorted_out(tmp_path: Path) -> None:
    """With side conditions, several threads use the group at the same time."""
    model = compiled(TOTAL)
    run = open_run(tmp_path / "total.run", model, {}, RecordedQuestion("solve"), Options(jobs=2))
    assert list(run.answers()) == [(0, 1, 2)]
    run.close()


def test_the_best_answer_is_found_up_to_a_large_group() -> None:
    """The symmetries serve the search for the best value as well."""
    text = (
        "choose a(i) for i in 1..7\nat least 3 a\nminimize 2 of a\n"
        "up to a(i) -> a(i mod 7 + 1), a(i) -> a(if i = 1 then 2 else if i = 2 then 1 else i)\n"
    )
    for group in (1, 50_000):
        run = Run(compiled(text, group), Options(jobs=1))
        assert list(run.answers()) == [(0, 1, 2)]
        assert run.best is not None and run.best.proved and run.best.value == 6
