"""`covr spare`: what it names could be left out of the text of the model without a change to the answers."""

from __future__ import annotations

import json
import random
from functools import cache

import pytest

import covr
from covr.explain.spare import SpareInquiry
from covr.explain.why_text import Member
from covr.questions.options import Options
from tests.covr.command import Covr, write
from tests.covr.command import covr as command
from tests.each import each
from tests.shared import seeds

pytestmark = pytest.mark.long

__all__ = ["command"]

HEAD = """
let board = box(3, 3)
cells r, c in 1..3
choose lit(r, c)
choose tone(i, k) for i in 1..2, k in 1..2
exactly one tone per i
"""
# Rules with a label. Where a condition may follow, which takes away one of their keys, the name of the key stands in
# front of it; what the label says is the key.
RULES = (
    ("r", 'exactly one lit per r{} "row {{r}}"'),
    ("c", 'at most one lit per c{} "column {{c}}"'),
    ("c", 'at least 1 lit per c{} "some in {{c}}"'),
    ("r", 'at most 2 lit per r{} "few in {{r}}"'),
    ("r", 'exactly {{0, 2, 3}} lit per r{} "number of {{r}}"'),
    ("c", 'at least 3 total r + c of lit per c{} "sum of {{c}}"'),
    ("r", 'if lit(r, 1) then lit(r, 2) or lit(r, 3) for r in 1..3{} "from {{r}}"'),
    ("", "at most 1 lit per r"),
    ("", 'at least 2 lit "two"'),
    ("", 'at most 20 total r * c of lit "not much"'),
    ("", 'if lit(r, c) then not lit(c, r) for r in 1..3, c in 1..3 where r < c "mirror"'),
    ("", 'if tone(1, k) then not tone(2, k) "other"'),
    ("", 'if lit(1, 1) then tone(1, 1) "tone"'),
    ("", 'connected lit at (r, c) along {{(a, b) for a in board, b in neighbours(a) & board where a < b}} "one piece"'),
    ("", 'agree lit on r = c, tone on i = k "like"'),
    ("", "given lit(1, 1)"),
    ("", "given lit(2, 3)"),
    ("", "given tone(1, 2)"),
)


Line = tuple[str, str]


@cache
def answers(text: str) -> frozenset[str]:
    return frozenset(str(sorted(map(str, answer.choices))) for answer in covr.loads(text).solutions())


def lines_of(seed: int) -> list[Line]:
    rng = random.Random(seed)
    return rng.sample(RULES, rng.randint(2, 6))


def text_of(lines: list[Line], where: dict[int, str] | None = None) -> str:
    """A model with these rules. where: what follows the keys of some of them, or None where they are left out."""
    said = where or {}
    kept = [rule.format(said.get(at, "")) for at, (_, rule) in enumerate(lines)]
    return HEAD + "\n".join(kept) + "\n"


def without(lines: list[Line], *left_out: int) -> str:
    return text_of([line for at, line in enumerate(lines) if at not in left_out])


def names(members: tuple[Member, ...]) -> set[str]:
    return {member.name for member in members}


@each("seed", seeds(25))
def test_what_is_spare_is_so_in_the_text(seed: int) -> None:
    for number in range(4 * seed, 4 * seed + 4):
        lines = lines_of(number)
        text = text_of(lines)
        spare = covr.loads(text).spare()
        assert not spare.open and spare.minimal and not spare.stopped, text
        whole = {rule.rule.name: rule.whole for rule in spare.rules}
        alone = names(spare.alone)
        for at, (key, rule) in enumerate(lines):
            written = rule.format("")
            same = answers(without(lines, at)) == answers(text)
            if written.startswith("given"):
                assert (written in alone) == same, (written, text)
            elif '"' in written:
                assert whole[written.split(' "')[0]] == same, (written, text)
            if not key:
                continue
            for value in range(1, 4):
                told = f" where {key} != {value}"
                same = answers(text_of(lines, {at: told})) == answers(text)
                (label,) = (n for n in names(spare.alone + spare.needed) if n == label_of(rule, key, value))
                assert (label in alone) == same, (written, value, text)


def label_of(rule: str, key: str, value: int) -> str:
    return rule.split('"')[1].replace("{{" + key + "}}", str(value))


@each("seed", seeds(25))
def test_what_is_spare_together_is_so_in_the_text(seed: int) -> None:
    """For rules of which each is one instance, and givens."""
    rng = random.Random(seed)
    lines = rng.sample(
        [line for line in RULES if not line[0] and "mirror" not in line[1] and "agree" not in line[1]], 5
    )
    text = text_of(lines)
    spare = covr.loads(text).spare()
    found = names(spare.together)
    gone = [at for at, (_, rule) in enumerate(lines) if named(rule) in found]
    assert len(gone) == len(found)
    assert answers(without(lines, *gone)) == answers(text), text
    for at, (_, rule) in enumerate(lines):
        if at not in gone and ('"' in rule or rule.startswith("given")) and 'k) "other"' not in rule:
            assert answers(without(lines, at, *gone)) != answers(text), (rule, text)


def named(rule: str) -> str:
    return rule.split('"')[1] if '"' in rule else rule


def test_wishes_goals_and_rules_without_a_label_stay() -> None:
    text = 'cells i in 1..3\nchoose f(i)\nat least 1 f\nprefer at most 1 f cost 2 "wish"\nmaximize count of f\n'
    spare = covr.loads(text).spare()
    assert (spare.alone, spare.needed, spare.open, spare.rules) == ((), (), (), ())
    assert str(spare).startswith("there is nothing to look at")


def test_labels_that_are_all_the_same_are_told_apart_by_keys() -> None:
    spare = covr.loads('cells i in 1..2\nchoose f(i)\ngiven f(1)\nat least one f per i "one"\n').spare()
    assert names(spare.alone) == {"given f(1)", "one (i = 1)"} and names(spare.needed) == {"one (i = 2)"}
    assert len(spare.together) == 1 and spare.minimal
    (rule,) = spare.rules
    assert (rule.instances, rule.spare, rule.whole) == (2, 1, False)


def test_what_is_spare_alone_need_not_be_spare_together() -> None:
    text = 'cells i in 1..3\nchoose f(i)\nexactly 2 f "two"\nexactly {0, 2} f where i < 4 "even"\nat most 2 f "few"\n'
    spare = covr.loads(text).spare()
    assert names(spare.alone) == {"even", "few"} and names(spare.together) == {"even", "few"}
    assert "all of them could be left out together" in str(spare)
    twice = covr.loads('cells i in 1..3\nchoose f(i)\nexactly 2 f per i div 5 "a"\nexactly 2 f "b"\n').spare()
    assert len(twice.alone) == 2 and len(twice.together) == 1


def test_answers_by_tells_what_is_the_same() -> None:
    text = """
cells i in 1..2
choose f(i)
choose help(i)
if f(i) then help(i) for i in 1..2 "help {i}"
at least 1 f "some"
answers by f
"""
    assert names(covr.loads(text).spare().alone) == {"help 1", "help 2"}
    assert names(covr.loads(text.replace("answers by f", "")).spare().alone) == set()


def test_an_agree_that_takes_choices_away_is_not_known() -> None:
    text = 'choose f(a, b) for a in 1..2, b in 1..2\nagree f on 1 = a, 1 = b "same"\n'
    spare = covr.loads(text).spare()
    assert names(spare.open) == {"same on 1"} and not spare.minimal and not spare.alone
    assert spare.rules[0].whole is None


def test_only_givens_or_only_rules_are_asked_about() -> None:
    model = covr.loads('cells i in 1..2\nchoose f(i)\ngiven f(1)\nat least 1 f "one"\n')
    assert names(model.spare().alone) == {"one"} and names(model.spare().needed) == {"given f(1)"}
    assert model.spare("givens").alone == () and names(model.spare("givens").needed) == {"given f(1)"}
    assert names(model.spare("rules").alone) == {"one"} and model.spare("rules").needed == ()
    with pytest.raises(ValueError, match="'givens'"):
        model.spare("clues")


def test_a_limit_leaves_what_is_not_known(command: Covr) -> None:
    result = command("spare", "sudoku", "--limit-nodes", "0", "--only", "givens")
    assert result.exit_code == 3 and result.stdout.startswith("nothing is known that can be left out")
    assert "stopped after" in result.stderr
    *_, found, end = map(json.loads, command("spare", "sudoku", "--limit-nodes", "0", "--json").stdout.splitlines())
    assert (found["alone"], found["minimal"], end["status"], end["complete"]) == ([], False, "unknown", False)
    assert {rule["whole"] for rule in found["rules"]} == {None}


def test_ctrl_c_leaves_what_is_known() -> None:
    inquiry = SpareInquiry(covr.load("sudoku").compiled, Options())
    inquiry.interrupt()
    spare = inquiry.find()
    assert spare.stopped and spare.open and not spare.alone


def test_seven_clues_of_a_sudoku_are_spare(command: Covr) -> None:
    """Seven clues can go, and the answer is still the only one; with one clue less it is not."""
    result = command("spare", "sudoku", "--only", "givens", "--json")
    _, found, end = map(json.loads, result.stdout.splitlines())
    assert result.exit_code == 0 and end["status"] == "explained"
    assert (len(found["alone"]), len(found["needed"]), found["minimal"]) == (22, 8, True)
    grid = list("530070000600195000098000060800060003400803001700020006060000280000419005000080079")

    def answers_without(members: list[dict[str, str]]) -> int:
        left = grid.copy()
        for member in members:
            r, c, _ = map(int, member["name"].removeprefix("given place(").removesuffix(")").split(", "))
            left[9 * r + c - 10] = "."
        return covr.load("sudoku", clue="".join(left)).count()

    together = found["together"]
    assert answers_without(together) == 1
    rest = [m for m in found["alone"] if m not in together]
    assert all(answers_without([*together, m]) > 1 for m in rest)


def test_items_of_a_matrix_are_named_by_its_file(command: Covr) -> None:
    write("m.dlx", "a b c d\na b d\nb c\nc\na d\n")
    result = command("spare", "m.dlx")
    assert result.exit_code == 0
    said = [line.split() for line in result.stdout.splitlines()]
    assert ["a", "m.dlx"] in said and ["d", "m.dlx"] in said and ["b", "m.dlx"] not in said
    assert "with a left out, nothing more can be\n" in result.stdout


def test_what_cannot_be_asked_is_refused(command: Covr) -> None:
    assert command("spare", "nothing").exit_code == 2
    assert command("spare", "sudoku", "--only", "clues").exit_code == 2
