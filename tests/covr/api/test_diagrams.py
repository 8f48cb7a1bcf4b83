"""Diagrams of answers: in Python, in files and on the command."""

from __future__ import annotations

import json
import random
import re
import tracemalloc
import zlib
from pathlib import Path

import pytest
from click.testing import CliRunner

import covr
from covr import ModelErrors
from covr.api import answer_diagram
from covr.api.answer_diagram import percent
from covr.cli.group import cli
from covr.draw.elements import THEMES, lightness

pytestmark = pytest.mark.long

COSTLY = """
cells r, c in 1..4
choose queen(r, c)
exactly one queen per r
exactly one queen per c
minimize r * c * c of queen
"""


def run(*words: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(cli, words)
    return result.exit_code, result.stdout, result.stderr


def without_classes(name: str) -> str:
    """The text of a gallery model without its `up to` and promises."""
    lines = covr.gallery()[name].read_text(encoding="utf-8").splitlines()
    return "\n".join(line for line in lines if not line.startswith(("up to", "expect")))


def code_of(errors: pytest.ExceptionInfo[ModelErrors]) -> str:
    return errors.value.diagnostics[0].code


@pytest.mark.parametrize(
    "name", ["queens", "latin_square", "dominosa", "sudoku", "toy", "torus_dominoes", "pentominoes", "langford"]
)
def test_a_gallery_model_and_its_diagram_agree(name: str, tmp_path: Path) -> None:
    if name == "pentominoes":
        model = covr.loads(without_classes(name), h=3, w=20)
    elif name == "langford":
        model = covr.loads(without_classes(name), n=7)
    else:
        model = covr.load(name)
    answers = {answer.options for answer in model.solutions()}
    made = model.compile()
    made.save(tmp_path / "a.zdd")
    for found in (made, covr.load_answers(tmp_path / "a.zdd")):
        assert found.count() == len(answers)
        assert [answer.options for answer in found] == sorted(answers)
        assert list(found.counts().values()) == [sum(o in a for a in answers) for o in range(model.problem.options)]
        assert {answer.options for answer in found.sample(5, seed=1)} <= answers
        assert str(next(iter(found))) == str(covr.Answer(model.compiled, min(answers)))


def test_a_diagram_is_restricted_by_choices(tmp_path: Path) -> None:
    queens = covr.load("queens", n=6).compile()
    choice = "queen(1, 2)"
    with_, without = queens.having(choice), queens.lacking(choice)
    assert with_.count() + without.count() == queens.count() == 4
    assert with_.count() == queens.counts()[choice] == 1
    assert all(choice in map(str, answer.choices) for answer in with_)
    assert queens.having("queen(1, 1)").count() == 0
    with pytest.raises(ModelErrors) as errors:
        queens.having("king(1, 1)")
    assert code_of(errors) == "E509"


def test_best_by_the_goal_and_by_other_costs() -> None:
    model = covr.loads(COSTLY)
    made = model.compile()
    every = list(made)
    worth = sorted(answer.cost for answer in every if answer.cost is not None)
    assert len(worth) == made.count() == 24
    assert [value for value, _ in made.best(7)] == worth[:7]
    assert made.best(1)[0][0] == model.minimum()
    upside_down = covr.loads(COSTLY.replace("minimize", "maximize"))
    assert [value for value, _ in upside_down.compile().best(7)] == worth[::-1][:7]
    named = made.best(30, {"queen(1, 1)": 5, "queen(2, 2)": -2})
    assert [value for value, _ in named] == sorted(
        5 * ("queen(1, 1)" in names) - 2 * ("queen(2, 2)" in names) for names in (set(map(str, a)) for a in every)
    )
    by_row = made.best(2, lambda choice: choice.args[0] * choice.args[1], maximize=True)
    assert by_row[0][0] == 30
    with pytest.raises(ValueError, match="no goal"):
        covr.load("queens").compile().best()
    with pytest.raises(ValueError, match="whole number"):
        made.best(1, {"queen(1, 1)": 0.5})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    ("model", "code"),
    [("pentominoes", "E510"), ("holes", "E505")],
)
def test_models_that_no_diagram_holds_are_refused_at_their_statement(model: str, code: str) -> None:
    with pytest.raises(ModelErrors) as errors:
        covr.load(model).compile()
    assert code_of(errors) == code
    assert errors.value.diagnostics[0].span is not None


def test_loops_connections_and_totals_are_kept_in_a_file(tmp_path: Path) -> None:
    for words, count in ((("slitherlink",), 1), (("hashi",), 1), (("tents",), 1), (("knight_tour",), 864)):
        file = str(tmp_path / "d.zdd")
        code, out, _ = run("compile", *words, "-o", file)
        assert code == 0
        assert out.startswith(f"{count} solution")
        told = run("answers", file, "--format", "line")[1].splitlines()
        assert sorted(told) == sorted(run("solve", *words, "--all", "--format", "line")[1].splitlines())


def test_a_diagram_that_does_not_fit_is_refused_with_numbers(tmp_path: Path) -> None:
    file = tmp_path / "d.zdd"
    code, _, said = run("compile", "queens", "-D", "n=12", "--limit-memory", "1M", "-o", str(file))
    assert code == 2
    assert "error[E733]" in said
    assert "1 MB are allowed" in said
    assert not file.exists()
    code, _, _ = run("compile", "queens", "-D", "n=14", "--limit-time", "0", "-o", str(file))
    assert code == 3
    assert not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("kept") / "queens.zdd"
    code, out, _ = run("compile", "queens", "-D", "n=6", "-o", str(file))
    assert code == 0
    assert out.startswith("4 solutions in 24 nodes: ")
    return file


def test_damage_is_always_found(kept: Path, tmp_path: Path) -> None:
    whole = kept.read_bytes()
    rng = random.Random(3)
    for turn in range(250):
        data = bytearray(whole)
        way = turn % 4
        if way == 0:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif way == 1:
            del data[rng.randrange(len(data)) :]
        elif way == 2:
            at = rng.randrange(len(data))
            data[at:at] = rng.randbytes(rng.randint(1, 40))
        else:
            at = rng.randrange(len(data))
            del data[at : at + rng.randint(1, 20)]
        (tmp_path / "bad.zdd").write_bytes(data)
        with pytest.raises(ModelErrors) as errors:
            covr.load_answers(tmp_path / "bad.zdd")
        assert code_of(errors) in ("E730", "E731")
    code, _, said = run("answers", str(tmp_path / "bad.zdd"))
    assert code == 2
    assert said.startswith("error[E730]")


def sealed(content: bytes) -> bytes:
    from hashlib import blake2b

    return content + blake2b(content, digest_size=answer_diagram.SEAL).digest()


def test_files_that_are_made_up(kept: Path, tmp_path: Path) -> None:
    whole = kept.read_bytes()
    body, at = whole[: -answer_diagram.SEAL], len(answer_diagram.MAGIC)
    file = tmp_path / "made.zdd"
    file.write_bytes(sealed(body[:at] + (9).to_bytes(4, "little") + body[at + 4 :]))
    with pytest.raises(ModelErrors) as errors:
        covr.load_answers(file)
    assert code_of(errors) == "E731"
    rng = random.Random(4)
    for _ in range(100):
        data = bytearray(body)
        data[rng.randrange(at + 4, len(data))] ^= 1 << rng.randrange(8)
        file.write_bytes(sealed(bytes(data)))
        try:
            found = covr.load_answers(file)
        except ModelErrors as refused:
            assert refused.diagnostics[0].code == "E730"
        else:
            assert found.count() >= 0  # a false file with a right seal: whatever it says, it is a diagram
    for content in (b"", b"something else", whole[:at], whole[: at + 5]):
        file.write_bytes(content)
        assert run("answers", str(file))[0] == 2
    with pytest.raises(ModelErrors) as errors:
        covr.load_answers(tmp_path / "none.zdd")
    assert code_of(errors) == "E730"


def test_answers_that_are_none_of_the_model_are_no_mistake_of_covr(kept: Path, tmp_path: Path) -> None:
    """A diagram that was made up is one, whatever it says; its answers are held against the model that it names."""
    body, at = kept.read_bytes()[: -answer_diagram.SEAL], len(answer_diagram.MAGIC) + 12
    size = int.from_bytes(body[at - 8 : at], "little")
    header = json.loads(zlib.decompress(body[at : at + size]))
    packed = zlib.compress(json.dumps({**header, "root": 1}).encode())  # it has one answer, which takes nothing
    file = tmp_path / "made.zdd"
    file.write_bytes(sealed(body[: at - 8] + len(packed).to_bytes(8, "little") + packed + body[at + size :]))
    for words in (("-n", "1"), ("--sample", "1"), ("--json",)):
        code, out, said = run("answers", str(file), *words)
        assert code == 2
        assert "is no answer" in out + said and "mistake in covr" not in out + said


@pytest.mark.parametrize("part", ["header", "nodes"])
def test_a_file_does_not_unpack_without_end(
    kept: Path, tmp_path: Path, part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What the writer makes the reader takes, however well it is packed; more is refused, and not unpacked."""
    monkeypatch.setattr(answer_diagram, "LEAST_UNPACKED", 1000)
    for data in (bytes(100_000), b"", bytes(range(256)) * 9):
        packed = answer_diagram._packed(data, 6)
        assert len(data) <= max(answer_diagram.TIMES * len(packed), 1000)
        assert answer_diagram._unpacked(packed) == data
    body, at = kept.read_bytes()[: -answer_diagram.SEAL], len(answer_diagram.MAGIC) + 12
    size = int.from_bytes(body[at - 8 : at], "little")
    zeros = zlib.compress(b" " * 10_000_000)
    header, nodes = body[at : at + size], body[at + size :]
    header, nodes = (zeros, nodes) if part == "header" else (header, zeros)
    file = tmp_path / "made.zdd"
    file.write_bytes(sealed(body[: at - 8] + len(header).to_bytes(8, "little") + header + nodes))
    tracemalloc.start()
    try:
        with pytest.raises(ModelErrors) as errors:
            covr.load_answers(file)
        assert tracemalloc.get_traced_memory()[1] < 1_000_000
    finally:
        tracemalloc.stop()
    assert code_of(errors) == "E730"


def test_a_file_is_written_whole_or_not_at_all(kept: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    old = tmp_path / "old.zdd"
    old.write_bytes(b"precious")
    made = covr.load_answers(kept)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(ModelErrors) as errors:
        made.save(old)
    assert code_of(errors) == "E732"
    assert [path.name for path in tmp_path.iterdir()] == ["old.zdd"]
    assert old.read_bytes() == b"precious"


def test_python_values_leave_the_names(tmp_path: Path) -> None:
    model = covr.loads("param board = {1}\ncells c in board\nchoose put(c)\nat most one put", board={1, 2, 5})
    model.compile().save(tmp_path / "p.zdd")
    found = covr.load_answers(tmp_path / "p.zdd")
    assert found.count() == 4
    assert list(found.counts().values()) == [1, 1, 1]
    assert found.having("put(5)").count() == 1
    assert found.heat().lines()[0].startswith("  25%")


def test_what_the_command_prints(kept: Path, tmp_path: Path) -> None:
    file = str(kept)
    assert run("answers", file, "--count")[:2] == (0, "4\n")
    assert run("answers", file, "--count", "--with", "queen(1, 1)")[:2] == (1, "0\n")
    counts = dict(reversed(line.split("\t")) for line in run("answers", file, "--counts")[1].splitlines())
    assert sum(map(int, counts.values())) == 24
    lines = run("answers", file, "--format", "line")[1].splitlines()
    assert len(lines) >= 4
    drawn = run("answers", file, "--sample", "3", "--seed", "2", "--format", "line")
    assert drawn == run("answers", file, "--sample", "3", "--seed", "2", "--format", "line")
    assert set(drawn[1].splitlines()) <= set(lines)
    assert "25%" in run("answers", file, "--heat")[1]
    picture = tmp_path / "heat.svg"
    assert run("answers", file, "--heat", "-o", str(picture))[0] == 0
    assert "25%" in picture.read_text()
    assert run("answers", file, "--export", "graphillion")[1].endswith(".\n")
    assert run("answers", file, "--export", "graphviz")[1].startswith("digraph")
    for wrong in (["--count", "--heat"], ["--seed", "1"], ["--best", "2"], ["--counts", "--json"]):
        assert run("answers", file, *wrong)[0] == 2
    assert run("answers", "no.run", "--count")[0] == 2


def test_the_command_lists_the_best_answers(tmp_path: Path) -> None:
    model, file = tmp_path / "m.cover", str(tmp_path / "m.zdd")
    model.write_text(COSTLY)
    assert run("compile", str(model), "-o", file)[0] == 0
    code, out, _ = run("answers", file, "--best", "2")
    assert code == 0
    values = [value for value, _ in covr.load_answers(file).best(2)]
    assert values == [value for value, _ in covr.loads(COSTLY).compile().best(2)]
    assert str(values[0]) in out


def test_percentages_are_rounded_with_care() -> None:
    assert [percent(part, 1000) for part in (0, 1, 4, 5, 500, 994, 995, 999, 1000)] == [
        "0%", "<1%", "<1%", "1%", "50%", "99%", ">99%", ">99%", "100%",
    ]  # fmt: skip


def test_a_run_file_may_have_any_name(tmp_path: Path) -> None:
    file = str(tmp_path / "queens.zdd")
    assert run("solve", "queens", "-D", "n=6", "--all", "--run", file)[0] == 0
    assert run("answers", file, "--format", "line")[1].count("\n") >= 4
    assert run("answers", file, "--count")[0] == 2


def test_a_diagram_that_is_not_there_is_no_run_either(tmp_path: Path) -> None:
    for words in (["a.zdd"], ["a", "--heat"], ["a.run", "--count"]):
        code, _, said = run("answers", str(tmp_path / words[0]), *words[1:])
        assert code == 2 and "error[E730]: there is no diagram" in said
        assert "covr compile MODEL -o" in said
    assert "error[E707]: there is no run file" in run("answers", str(tmp_path / "a.run"))[2]


def test_heat_is_how_often_a_text_is_shown_at_a_place() -> None:
    """Choices that show the same text at one place count together, also those that an answer may hold together."""
    texts = (
        "cells x in box(3, 4) let ds = {{a, b} for a in box(3, 4), b in neighbours(a) where b in box(3, 4)}"
        ' choose put(d) for d in ds exactly one put per x in box(3, 4) where x in d show "o" of put at x for x in d',
        'cells r, c in 1..2 choose a(r, c, i) for i in 1..2 at least 3 a at most 5 a show "x" of a at r, c',
    )
    for text in texts:
        model = covr.loads(text)
        answers = [{(m.at, m.text) for m in a.pictures[0].marks if m.option >= 0} for a in model.solutions()]
        (picture,) = model.compile().heat().pictures()
        assert len({(m.at, m.text) for m in picture.marks}) == len(picture.marks) > 1
        for mark in picture.marks:
            share = sum((mark.at, mark.text) in shown for shown in answers) / len(answers)
            assert share == 1 if mark.heat < 0 else mark.heat == pytest.approx(share)


def test_heat_goes_from_light_to_dark_with_a_legend() -> None:
    heat = covr.load("queens", n=8).compile().heat()
    for theme in THEMES:
        drawn = heat.svg(theme)
        assert drawn.count('class="heat"') == 64 and drawn.count('class="legend"') == 9
        assert ">0%<" in drawn and ">20% of the answers<" in drawn
        rects = re.findall(r'class="heat"[^>]*fill="(#\w+)"', drawn)
        shares = [mark.heat for mark in heat.pictures()[0].marks]
        contrast = [abs(lightness(fill) - lightness(THEMES[theme].board)) for fill in rects]
        by_share = [c for _, c in sorted(zip(shares, contrast, strict=True))]
        assert by_share == sorted(by_share) and by_share[0] < by_share[-1]
    certain = covr.load("sudoku").compile().heat().svg()
    assert 'class="legend"' not in certain
