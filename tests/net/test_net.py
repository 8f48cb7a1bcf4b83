"""Random models of the whole language: every pair of kinds of statements is drawn, and what every command says of such
a model is what brute force finds. `python -m tests.net 100000` draws as many as there is time for."""

from __future__ import annotations

import random
import re

import pytest

import covr
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.grammar import GRAMMAR
from tests.net.catching import OTHERS, some_checks, wrong_with
from tests.net.drawn import Drawn, draw
from tests.net.kinds import KINDS
from tests.net.pairs import REFUSED, Pair, chances, pairs_of

pytestmark = pytest.mark.long

HID = (("minimize", "up to map"), ("maximize", "up to map"))  # pairs that once hid a wrong answer, drawn more often
AGAIN = [(1000 + seed, pair) for seed in range(6) for pair in HID]
PARTS = 8  # tests that the draws of the gate are spread over
CHECKS = 2  # how many commands each draw of the gate goes through, beside the list and the count


def checked(drawn: Drawn, number: int | None) -> None:
    checks = None if number is None else some_checks(random.Random(drawn.seed), number)
    wrong = wrong_with(drawn, checks)
    assert not wrong, f"{wrong}\n{drawn.text(p for p, _ in drawn.promises)}"


@pytest.mark.parametrize("part", range(PARTS))
def test_what_is_said_of_a_random_model_is_true(part: int) -> None:
    for seed, pair in (chances() + AGAIN)[part::PARTS]:
        try:
            checked(draw(seed, pair), CHECKS)
        except BaseException as fault:
            fault.add_note(f"draw({seed}, {pair})")
            raise


@pytest.mark.slow
@pytest.mark.parametrize("start", range(10_000, 11_000, 100))
def test_every_command_is_right_about_more_of_them(start: int) -> None:
    for seed in range(start, start + 100):
        checked(draw(seed), None)


def test_every_pair_is_drawn() -> None:
    """Whatever is added to the kinds meets all others."""
    drawn = set().union(*(draw(seed, pair).pairs for seed, pair in chances()))
    assert not pairs_of(KINDS) - drawn, "never drawn together"


def test_every_check_has_its_turn() -> None:
    met = {check for seed, _ in chances() for check in some_checks(random.Random(seed), CHECKS)}
    assert met == set(OTHERS.values())


def test_every_statement_of_the_grammar_is_drawn() -> None:
    """A new statement of the language must be drawn as well."""
    text = GRAMMAR.read_text(encoding="utf-8")
    rule = re.search(r"^_statement: (.*?)\n\n", text, re.DOTALL | re.MULTILINE)
    assert rule is not None
    words = {"rule": "exactly", "needs": "if", "optimize": "minimize", "upto": "up to", "answers": "answers by"}
    words |= {"alike": "all alike", "shape": "path"}
    seen = {line for seed, pair in chances() for line in draw(seed, pair).text(["unique"]).split("\n")}
    for name in re.findall(r"\w+", rule[1]):
        word = words.get(name, name)
        begins = re.compile(r".* per area of " if name == "areas" else f"{word} ")
        assert any(map(begins.match, seen)), name


def test_draws_have_answers() -> None:
    """A net of models without answers would catch little."""
    draws = [draw(seed, pair) for seed, pair in chances()[::4]]
    answered = sum(bool(drawn.keys) for drawn in draws)
    assert len(draws) // 3 <= answered < len(draws)


@pytest.mark.parametrize("pair", sorted(REFUSED))
def test_what_is_refused_is_refused_with_its_code(pair: Pair) -> None:
    """A pair that the language refuses is refused for that reason; so no other pair hides behind a refusal."""
    for seed in range(3):
        drawn = draw(seed, pair)
        assert REFUSED[pair] in drawn.refusals
        with pytest.raises(ModelErrors) as refusal:
            covr.loads(drawn.text())
        assert {d.code for d in refusal.value.diagnostics} <= drawn.refusals


@pytest.mark.parametrize(
    ("twice", "code"), [("title", "E104"), ("answers by", "E104"), ("minimize", ""), ("up to map", ""), ("expect", "")]
)
def test_a_statement_may_stand_twice_or_is_refused(twice: str, code: str) -> None:
    """What may stand twice in a model, and what may not."""
    lines = {"title": 'title "t"', "answers by": "answers by b", "minimize": "minimize c of b",
             "up to map": "up to b(c) -> b(4 - c)", "expect": "expect no solution"}  # fmt: skip
    text = "\n".join(["choose b(c) for c in 1..3", lines[twice], lines[twice]])
    if not code:
        covr.loads(text)
        return
    with pytest.raises(ModelErrors) as refusal:
        covr.loads(text)
    assert [d.code for d in refusal.value.diagnostics] == [code]


def test_the_net_notices_what_is_wrong() -> None:
    """Brute force that leaves one answer out does not agree with covr."""
    drawn = (d for d in map(draw, range(40)) if len(d.keys) > 1 and not d.draft.maps and not d.promises)
    true = next(d for d in drawn if d.draft.by is None)
    wrong = draw(true.seed)
    least = min(true.wanted, key=true.rank)
    wrong.draft.tests.append(lambda answer: answer != least)
    assert not wrong_with(true, ())
    assert wrong_with(wrong, ())
