"""Every command and its options, asked about a model with `answers by`: it counts such answers as one, or it refuses
with one clear message, its place, and exit code 2."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.covr.command import Covr, covr

__all__ = ["covr"]

MODEL = '''cells r, c in 1..3
param clue = grid(3, 3) """
  ...
  ...
  ...
"""
choose light(r, c)
choose helper(k) for k in 1..4
exactly 2 light per r
exactly 2 light per c
at least one helper
given light(r, c) for (r, c) in clue
answers by light
expect 6 solutions
expect unique with clue = "XX. X.X ..."
'''
BEST = MODEL.replace("expect 6 solutions\n", "minimize k of helper\n").split("expect unique")[0]
RECORDS = "...;...;...\n"
EACH = ("--each", "clue=clues.txt")

ANSWERED = [  # words, the exit code, and what is on standard output or standard error
    ("solve", 0, "helper"),
    ("solve --all --format line", 0, "helper"),
    ("solve -n 9 --format line", 0, "6 solutions"),
    ("solve -n 2 --format line", 0, "helper"),
    ("solve --unique", 1, "not unique"),
    ("solve --all --json", 0, '"answers": 6, "complete": true'),
    ("solve --json", 0, '"type": "solution"'),
    ("solve --all --format csv", 0, "helper"),
    ("solve --all --verify --format line", 0, "verified"),
    ("solve --all --jobs 2 --format line", 0, "6 solutions"),
    ("solve --all --seed 3 --format line", 0, "6 solutions"),
    ("solve --all --progress --json", 0, '"answers": 6'),
    ("solve --all --limit-answers 2 --format line", 3, "2 solutions so far"),
    ("solve --all --limit-nodes 1", 3, "stopped after 1 node"),
    ("solve --all --limit-time 60 --format line", 0, "6 solutions"),
    ("solve --all --limit-memory 8G --format line", 0, "6 solutions"),
    ("solve --all --engine sides --format line", 0, "6 solutions"),
    ("solve --all --engine reference --format line", 0, "6 solutions"),
    ("solve --puzzle", 0, ""),
    ("count", 0, "6"),
    ("count --json", 0, '"answers": 6, "complete": true'),
    ("count --verify", 0, "verified"),
    ("count --jobs 2", 0, "6"),
    ("count --seed 3", 0, "6"),
    ("count --limit-answers 4", 3, "at least 4 solutions"),
    ("count --limit-nodes 1", 3, "at least"),
    ("count --limit-time 60", 0, "6"),
    ("count --limit-memory 8G", 0, "6"),
    ("sample --format line", 0, "helper"),
    ("sample -n 9 --distinct --format line", 0, "helper"),
    ("sample --exact --seed 1 --json", 0, '"type": "solution"'),
    ("why", 0, "there is an answer"),
    ("check", 0, "no errors"),
    ("show", 0, "projected 9"),
    ("show --items", 0, "exactly 2 light"),
    ("show --options", 0, "light(1, 1)"),
    ("show --symmetries", 0, "symmetries"),
    ("show --json", 0, '"options": 13'),
    ("convert {} y.json", 0, ""),
]
FOR_MODELS = [  # what asks for params, choices or promises
    ("solve --each clue=clues.txt --format line", 0, "helper"),
    ("solve --each clue=clues.txt --unique --format line", 1, "not unique"),
    ("test", 0, "2 kept"),
    ("test --verify", 0, "2 kept"),
    ("why {} light(1,1)", 0, "in some answers and not in others"),
    ("params", 0, "clue"),
    ("fmt --check", 0, ""),
]
REFUSED = [  # words, the code
    ("solve --run x.run", "E505"),
    ("solve --all --run x.run", "E505"),
    ("solve --unique --run x.run", "E505"),
    ("count --run x.run", "E505"),
    ("solve --cluster local", "E505"),
    ("count --cluster local", "E505"),
    ("count --run x.run --cluster local --json", "E505"),
    ("size", "E505"),
    ("size --json", "E505"),
    ("size --probes 4", "E505"),
    ("size --engine sides", "E505"),
    ("trace", "E505"),
    ("trace --json", "E505"),
    ("trace --limit-nodes 3", "E505"),
    ("compile -o x.zdd", "E505"),
    ("candidates", "E510"),
    ("candidates --json", "E510"),
    ("candidates --count 5", "E510"),
    ("candidates --engine sides", "E510"),
    ("hint", "E510"),
    ("hint --all --json", "E510"),
    ("grade", "E510"),
    ("grade --json", "E510"),
    ("make", "E510"),
    ("make --fewest", "E510"),
    ("make --clues light --json", "E510"),
    *((f"convert {{}} x.{form}", "E603") for form in ("dlx", "lp", "mps", "opb", "mzn", "cnf")),
    *((f"solve --engine {engine}", "E505") for engine in ("links", "bits", "memo", "cover", "mixed")),
    *((f"count --engine {engine}", "E505") for engine in ("links", "bits", "memo", "cover", "mixed")),
    ("count --engine links --json", "E505"),
    ("sample --engine links", "E505"),
]
PLACE = "answers by light\n"  # the line that is quoted


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, covr: Covr) -> Path:
    """A folder with the model, the model with a goal, the matrix and records."""
    (tmp_path / "lights.cover").write_text(MODEL, encoding="utf-8")
    (tmp_path / "best.cover").write_text(BEST, encoding="utf-8")
    (tmp_path / "clues.txt").write_text(RECORDS, encoding="utf-8")
    assert covr("convert", "lights.cover", "lights.json").exit_code == 0
    return tmp_path


def asked(covr: Covr, words: str, model: str) -> tuple[int, str, str]:
    command, *rest = (
        words if "{}" in words else words.replace(" ", " {} ", 1) if " " in words else words + " {}"
    ).split()
    result = covr(command, *(word.format(model) for word in rest))
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize("model", ["lights.cover", "lights.json"])
@pytest.mark.parametrize(("words", "code", "said"), ANSWERED, ids=[words for words, *_ in ANSWERED])
def test_what_is_answered(covr: Covr, files: Path, words: str, code: int, said: str, model: str) -> None:
    if model == "lights.json" and (words == "solve" or said in ("helper", "light(1, 1)", "exactly 2 light")):
        said = "light" if "show" not in words else ""
    found, out, err = asked(covr, words, model)
    assert (found, said in out + err) == (code, True), out + err


@pytest.mark.parametrize(("words", "code", "said"), FOR_MODELS, ids=[words for words, *_ in FOR_MODELS])
def test_what_is_answered_for_models(covr: Covr, files: Path, words: str, code: int, said: str) -> None:
    found, out, err = asked(covr, words, "lights.cover")
    assert (found, said in out + err) == (code, True), out + err


@pytest.mark.parametrize("model", ["lights.cover", "lights.json"])
@pytest.mark.parametrize(("words", "code"), REFUSED, ids=[words for words, _ in REFUSED])
def test_what_is_refused(covr: Covr, files: Path, words: str, code: str, model: str) -> None:
    """One message, with its place where there is a text, and nothing written."""
    before = sorted(p.name for p in files.iterdir())
    found, out, err = asked(covr, words, model)
    assert found == 2, out + err
    assert sorted(p.name for p in files.iterdir()) == before
    if "--json" in words:
        events = [json.loads(line) for line in out.splitlines()]
        faults = [event for event in events if event["type"] == "error"]
        assert [fault["code"] for fault in faults] == [code] and not err
        assert events[-1]["type"] == "end" and events[-1]["exit"] == 2
        assert faults[0].get("line") == (13 if model == "lights.cover" else None)
        return
    assert not out and err.count("error") == 1 and f"error[{code}]" in err and "= help: " in err
    assert (f"13 | {PLACE}" in err) == (model == "lights.cover")


@pytest.mark.parametrize("engine", ["auto", "links", "bits", "cover", "mixed", "sides", "reference"])
def test_a_best_answer_is_any_engine_s(covr: Covr, files: Path, engine: str) -> None:
    """To find one best answer, no two answers have to be told apart; to count the best ones, they do."""
    assert asked(covr, f"solve --engine {engine}", "best.cover")[0] == 0
    code, out, err = asked(covr, f"count --engine {engine}", "best.cover")
    if engine in ("auto", "sides", "reference"):
        assert (code, out.strip()) == (0, "6")
    else:
        assert code == 2 and "error[E505]" in err and PLACE in err


def test_a_grade_of_many_is_refused_once(covr: Covr, files: Path) -> None:
    (files / "clues.txt").write_text(3 * RECORDS, encoding="utf-8")
    code, out, err = asked(covr, "grade --each clue=clues.txt", "lights.cover")
    assert (code, out, err.count("error")) == (2, "", 1) and "error[E510]" in err and PLACE in err
