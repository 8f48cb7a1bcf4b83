"""`up to` with a goal, held to brute force however it is asked: the answers are the best ones, and only images that are
best answers too count as one with them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import covr as package
from covr.compiler import CompileLimits, compile_model
from covr.compiler.compiled import Compiled
from covr.compiler.review.review import review
from covr.dsl import ModelErrors, Source
from covr.inputs.library import checked
from covr.questions.options import Options
from covr.questions.proof_file import run_expectations
from covr.questions.run import Run
from covr.questions.sampling import Sampling
from covr.runs.question import RecordedQuestion
from covr.runs.recorded import RecordedRun, open_run
from tests.covr.command import Covr, covr
from tests.covr.questions.broken_goals import LARGEST, LOST, WORSE, Drawn, Taken, drawn
from tests.shared import examples

__all__ = ["covr"]

SEEDS = st.integers(0, 1 << 40)
KEPT = RecordedQuestion("solve", listed=True)
COUNTED = RecordedQuestion("count")


def law(number: int) -> settings:
    """Settings for so many examples; where each takes long, these few even in a long run."""
    return settings(
        max_examples=examples(number) if number > 20 else number, deadline=None, suppress_health_check=list(HealthCheck)
    )


def compiled(text: str, **limits: int) -> Compiled:
    return compile_model(checked(Source("<test>", text)), limits=CompileLimits(**limits))


def optimum(model: package.Model) -> int | None:
    """The best value, whichever it is."""
    return model.maximum() if model.goal == "maximize" else model.minimum()


def taken(model: Compiled, answer: tuple[int, ...]) -> Taken:
    """The numbers of the choices of an answer."""
    return tuple(sorted(choice.args[0] for choice in model.choices(answer)))


@pytest.mark.parametrize(("text", "best", "classes"), [(WORSE, 20, 1), (LARGEST, 3, 1), (LOST, 0, 7)])
def test_a_symmetry_that_breaks_the_goal(covr: Covr, text: str, best: int, classes: int) -> None:
    """Version 0.2.0 said 36 for the first model, 1 (with two answers) for the second, and 6 classes for the third."""
    Path("m.cover").write_text(
        f"{text}expect {classes} solutions\nexpect {'max' if text is LARGEST else 'min'}imum {best}\n"
    )
    model = package.load("m.cover")
    assert (optimum(model), model.count()) == (best, classes)
    assert covr("count", "m.cover").stdout == f"{classes}\n"
    for more in ((), ("--all",), ("--run", "a.run"), ("--all", "--run", "b.run"), ("--verify",)):
        assert f"imum {best}, proved" in covr("solve", "m.cover", *more).output
    assert len(covr("solve", "m.cover", "--all", "--format", "line").stdout.splitlines()) == classes
    assert covr("test", "m.cover").exit_code == 0
    assert "warning[W214]: this symmetry breaks the goal" in covr("check", "m.cover").output


def hold(model: Drawn) -> None:
    """Ask in every way that answers."""
    text = model.text()
    one = compiled(text)
    want = list(model.classes)

    def is_right(found: Iterator[tuple[int, ...]] | list[tuple[int, ...]], run: Run) -> None:
        assert sorted(taken(one, answer) for answer in found) == want, text
        assert run.complete, text

    for options in (Options(jobs=1), Options(jobs=2), Options(jobs=1, seed=3), Options(jobs=1, verify=True)):
        run = Run(one, options)
        first = run.first()
        assert (first is None) == (not want), text
        assert first is None or taken(one, first) in want or (model.costs is None and options.seed), text
        if model.best is not None:
            assert run.best is not None and (run.best.value, run.best.proved) == (model.best, True), text
        assert run.verified is None or run.verified.done, text
        run = Run(one, options)
        is_right(list(run.answers()), run)
        counted = Run(one, options).count()
        assert (counted.value, counted.complete) == (len(want), True), text
    assert all(verdict.kept for verdict in run_expectations(one)), text
    sampling = Sampling(one, Options(seed=1, jobs=1))
    assert sorted(taken(one, a) for a in sampling.draw(len(want) + 1, distinct=True)) == want, text
    assert all(taken(one, a) in want for a in Sampling(one, Options(seed=1, jobs=1)).draw(5)), text
    assert any(d.code == "W214" for d in review(one)) == model.broken, text


@law(60)
@given(seed=SEEDS)
def test_answers_are_those_of_brute_force(seed: int) -> None:
    hold(drawn(seed))


@law(60)
@given(seed=SEEDS, engine=st.sampled_from(["sides", "links", "bits", "memo", "cover", "mixed", "sat", "reference"]))
def test_every_engine_that_takes_them(seed: int, engine: str) -> None:
    model = drawn(seed)
    one = compiled(model.text())
    for goal in ("first", "answers", "count"):
        try:
            run = Run(one, Options(engine=engine, jobs=1))
            if goal == "first":
                found = run.first()
                assert (found is None) == (not model.classes), model.text()
                assert model.best is None or (run.best is not None and run.best.value == model.best), model.text()
            elif goal == "answers":
                assert sorted(taken(one, a) for a in run.answers()) == list(model.classes), model.text()
            else:
                assert run.count().value == len(model.classes), model.text()
        except ModelErrors as errors:
            assert errors.diagnostics[0].code in ("E505", "E507", "E510", "E511", "E512"), errors


@law(60)
@given(seed=SEEDS)
def test_groups_that_are_not_listed(seed: int) -> None:
    """Groups of more than one member are refused here, unless all their members keep the rules and the costs."""
    model = drawn(seed)
    one = compiled(model.text(), group=1)
    try:
        symmetry = one.symmetry
    except ModelErrors as errors:
        assert errors.diagnostics[0].code == "E433"
        return
    assert symmetry is not None
    if symmetry.large is not None:
        assert not model.broken
    run = Run(one, Options(jobs=1))
    assert sorted(taken(one, a) for a in run.answers()) == list(model.classes), model.text()
    assert Run(one, Options(jobs=1)).count().value == len(model.classes), model.text()


def kept(one: Compiled, question: RecordedQuestion, name: str) -> RecordedRun:
    return open_run(Path(name), one, {}, question, Options(jobs=1))


@law(8)
@given(seed=SEEDS)
def test_runs_in_files(tmp_path_factory: pytest.TempPathFactory, seed: int) -> None:
    model = drawn(seed)
    one = compiled(model.text())
    folder = tmp_path_factory.mktemp("runs")
    for session in range(2):
        run = kept(one, KEPT, f"{folder}/a.run")
        assert sorted(taken(one, a) for a in run.answers()) == list(model.classes), model.text()
        assert run.complete and (model.best is None or (run.best is not None and run.best.value == model.best)), session
        run.close()
        counting = kept(one, COUNTED, f"{folder}/b.run")
        assert counting.count().value == len(model.classes), model.text()
        counting.close()


@law(8)
@given(seed=SEEDS)
def test_python_and_the_command_agree_with_brute_force(covr: Covr, seed: int) -> None:
    drawing = drawn(seed)
    model = package.loads(drawing.text())
    want = list(drawing.classes)

    def listed(answers: object) -> list[Taken]:
        return sorted(taken(model.compiled, answer.options) for answer in answers)  # type: ignore[attr-defined]

    assert model.count() == len(want)
    assert listed(model.solutions()) == want
    assert set(listed(model.sample(4, seed=1))) <= set(want)
    found = model.solve()
    assert (found is None) == (not want)
    assert found is None or listed([found])[0] in want
    Path("m.cover").write_text(drawing.text())
    assert covr("count", "m.cover").stdout == f"{len(want)}\n"
    assert len(covr("solve", "m.cover", "--all", "--format", "line").stdout.splitlines()) == len(want)
    assert covr("test", "m.cover").exit_code == 0
    if drawing.best is not None:
        assert optimum(model) == drawing.best
        assert f"imum {drawing.best}, proved" in covr("solve", "m.cover").output


def test_a_run_file_of_0_2_0_is_not_gone_on_with(tmp_path: Path) -> None:
    """Its second stage may have had a wrong ceiling, and the file did not keep it."""
    one = compiled(LOST)
    run = kept(one, KEPT, f"{tmp_path}/a.run")
    list(run.answers())
    run.record.put({"ceiling": "5"})
    run.close()
    again = kept(one, KEPT, f"{tmp_path}/a.run")
    with pytest.raises(ModelErrors) as raised:
        list(again.answers())
    again.close()
    assert raised.value.diagnostics[0].code == "E709"
    assert os.listdir(tmp_path) == ["a.run"]
