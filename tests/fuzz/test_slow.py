"""Models made to be slow are stopped by a limit of time wherever they are (slow.py asks all of them everything)."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from covr.cli.group import cli
from covr.compiler import compile_model
from covr.dsl.diagnostics import Source
from covr.engine import Status
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.inputs.library import checked, open_model
from covr.questions.options import Options
from covr.questions.run import Run
from tests.fuzz.slow import COMMANDS, MODELS, SHORT, seconds, widened
from tests.shared import calls_of

SAMPLE = ("if and only if", "keys of many places", "wishes by keys", "up to permutations")
BRIEF = 0.3  # seconds, of `--limit-time` here
LATEST = 5 * (BRIEF + 0.3)  # seconds of CPU with that limit, start included; five times what is meant
APART = 300_000  # calls of Python between two looks at the limits, at most: some tenths of a second


@pytest.mark.parametrize("name", SAMPLE)
def test_a_limit_of_time_is_kept(name: str, tmp_path: Path) -> None:
    path = tmp_path / "slow.cover"
    path.write_text(MODELS[name], encoding="utf-8")
    spent, code, said = seconds("count", str(path), BRIEF)
    assert spent < LATEST, f"{spent:.1f} s"
    assert code == 3 and "stopped after" in said


@pytest.mark.parametrize("name", ["exams", "if and only if", "wishes by keys"])
def test_looks_at_the_limits_are_close_to_each_other(name: str) -> None:
    """No more calls are made before a stop than `APART` for each look that is let pass."""
    for passing in (0, 1):
        looks = iter([None] * passing)

        def compiled() -> None:
            with pytest.raises(LimitReached), limits_checked_by(lambda: next(looks, Status.LIMIT)):  # noqa: B023
                compile_model(checked(Source("m", MODELS[name])))

        assert calls_of(compiled) < APART * (passing + 1)


def test_the_time_to_compile_counts_where_promises_are_tested(tmp_path: Path) -> None:
    path = tmp_path / "slow.cover"
    path.write_text(MODELS["exams"] + "expect unique\n", encoding="utf-8")
    done = CliRunner().invoke(cli, ["test", str(path), "--limit-time", "0"])
    assert done.exit_code == 3 and "stopped after 0 s, while the model was compiled" in done.output
    assert "1 open" in done.output


def test_what_symmetries_generate_is_worked_out_within_the_limits() -> None:
    run = Run(compile_model(checked(Source("m", MODELS["up to permutations"]))), Options(limit_time=0.0))
    assert run.count().value == 0 and run.status is Status.LIMIT and not run.complete
    run = Run(compile_model(open_model("queens")), Options())
    assert run.count().complete


def test_the_models_are_small_and_without_a_fault() -> None:
    assert len(MODELS) >= 60
    for name, text in MODELS.items():
        assert len(text) <= 2000, name
        checked(Source("m", text))
    for seed in range(40):
        checked(Source("m", widened(seed)))
    assert {words[-1] for words in COMMANDS.values() if words[0] not in ("check", "convert")} == {SHORT}
