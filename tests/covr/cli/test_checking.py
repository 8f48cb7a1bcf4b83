"""`--check-estimate`: an estimate is tried on residual problems of the model, and nothing is solved."""

from __future__ import annotations

from click.testing import CliRunner

from covr.cli.group import cli
from covr.engine import ESTIMATES, View, register


def run(*args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, ["solve", *args, "--check-estimate"])
    return result.exit_code, result.stdout, result.stderr


def test_estimates_that_keep_their_word() -> None:
    code, out, _ = run("queen_domination", "-D", "n=5", "--estimate", "classic,price")
    assert (code, out) == (
        0,
        "classic: no error found on 200 residual problems\nprice: no error found on 200 residual problems\n",
    )


def test_an_estimate_that_says_too_much() -> None:
    def greedy(view: View, cutoff: int | None) -> int:
        return 100

    register("greedy", greedy)
    try:
        code, out, _ = run("queen_domination", "-D", "n=5", "--estimate", "greedy")
    finally:
        del ESTIMATES["greedy"]
    assert code == 1
    assert out.startswith("greedy: it says 100, but ")


def test_a_model_without_a_goal_has_no_use_for_estimates() -> None:
    code, _, err = run("queens")
    assert code == 2
    assert "minimize" in err
