"""Models with `answers by` at the front door: what counts as one answer, and what is refused with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from covr import load, loads
from covr.dsl import ModelErrors
from tests.covr.command import Covr, covr

__all__ = ["covr"]

MODEL = """cells r, c in 1..3
choose light(r, c)
choose helper(k) for k in 1..4
exactly 2 light per r
exactly 2 light per c
at least one helper
answers by light
expect 6 solutions
"""


@pytest.fixture
def model(tmp_path: Path) -> str:
    path = tmp_path / "lights.cover"
    path.write_text(MODEL, encoding="utf-8")
    return str(path)


def lights(answer: object) -> tuple[str, ...]:
    return tuple(str(c) for c in answer.choices if c.family == "light")  # type: ignore[attr-defined]


def test_every_question_counts_answers_by_their_families(covr: Covr, model: str) -> None:
    for words in ([], ["--verify"], ["--jobs", "2"], ["--seed", "4"], ["--engine", "reference"]):
        assert covr("count", model, *words).stdout.strip() == "6"
    few = covr("count", model, "--limit-answers", "4")
    assert few.exit_code == 3 and "4" in few.stderr
    assert covr("test", model).exit_code == 0
    lines = covr("solve", model, "--all", "--format", "line").stdout.splitlines()
    assert len({line.split("\t")[0] for line in lines}) == len(lines) == 6
    assert covr("solve", model, "--unique").exit_code == 1
    assert covr("check", model).exit_code == 0


def test_python_counts_them_too(model: str) -> None:
    lit = load(model)
    assert lit.count() == 6
    found = [lights(a) for a in lit.solutions()]
    assert len(set(found)) == len(found) == 6
    assert len(list(lit.solutions(limit_answers=2))) == 2
    drawn = lit.sample(6, distinct=True, seed=1)
    assert {lights(a) for a in drawn} == set(found) and drawn.uniform
    assert len(lit.sample(9, distinct=True, seed=1)) == 6


def test_one_light_is_unique_however_the_helpers_are_taken(covr: Covr, tmp_path: Path) -> None:
    path = tmp_path / "one.cover"
    path.write_text("choose a(i) for i in 1..2 choose b() exactly 2 a answers by a expect unique", encoding="utf-8")
    assert covr("test", str(path)).exit_code == 0
    assert covr("solve", str(path), "--unique").exit_code == 0


def test_with_a_goal_the_best_answers_are_found_first() -> None:
    text = """choose a(i) for i in 1..3 choose b(j) for j in 1..2
        exactly one a exactly one b if a(3) then b(2)
        minimize j of b answers by """
    assert loads(text + "a").count() == 2
    assert loads(text + "b").count() == 1
    assert loads(text + "a, b").count() == 2
    assert loads(text.replace("minimize", "maximize") + "a").count() == 3
    assert loads(text + "a").minimum() == 1


@pytest.mark.parametrize(
    ("words", "who"),
    [
        (["trace"], "the search shown step by step"),
        (["size"], "an estimate of the size of the search"),
        (["solve", "--run", "x.run"], "a run in a file or on a cluster"),
    ],
)
def test_what_cannot_tell_answers_apart_says_so_and_where(
    covr: Covr, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], who: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = covr(words[0], model, *words[1:])
    assert result.exit_code == 2
    assert f"error[E505]: {who} can't tell answers apart by some families" in result.stderr
    assert "7 | answers by light" in result.stderr


def test_candidates_and_other_formats_refuse(covr: Covr, model: str, tmp_path: Path) -> None:
    result = covr("candidates", model)
    assert result.exit_code == 2 and "E510" in result.stderr and "answers by" in result.stderr
    for name in ("x.dlx", "x.lp", "x.opb", "x.mzn", "x.cnf"):
        result = covr("convert", model, str(tmp_path / name))
        assert result.exit_code == 2 and "E603" in result.stderr and "7 | answers by light" in result.stderr
        assert not (tmp_path / name).exists()


def test_json_keeps_what_tells_answers_apart(covr: Covr, model: str, tmp_path: Path) -> None:
    target = str(tmp_path / "x.json")
    assert covr("convert", model, target).exit_code == 0
    assert covr("count", target).stdout.strip() == "6"
    again = str(tmp_path / "y.json")
    assert covr("convert", target, again).exit_code == 0
    assert Path(target).read_text(encoding="utf-8") == Path(again).read_text(encoding="utf-8")
    broken = Path(target).read_text(encoding="utf-8").replace('"told": [0, 1', '"told": [0, 0')
    (tmp_path / "z.json").write_text(broken, encoding="utf-8")
    assert covr("count", str(tmp_path / "z.json")).exit_code == 2


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("answers by a answers by a", "E104"),
        ("answers by b", "E102"),
        ("answers by a up to a(i) -> a(3 - i)", "E427"),
    ],
)
def test_what_an_answers_by_cannot_be(text: str, code: str) -> None:
    with pytest.raises(ModelErrors) as raised:
        loads(f"choose a(i) for i in 1..2 exactly one a {text}")
    assert [fault.code for fault in raised.value.diagnostics] == [code]
