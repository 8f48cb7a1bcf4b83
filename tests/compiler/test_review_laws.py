"""Whatever `check` says of a model's answers is held to every set of choices of random models: what is free, never
taken, always taken, and what asks nothing; and a cure that says what to do leaves the answers as they were."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from attrs import evolve

from covr.compiler import Compiled, compile_model
from covr.compiler.evaluate.operators import noting
from covr.compiler.review.remarks import asked_for
from covr.compiler.review.review import review, settle
from covr.dsl import Source
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.syntax import Rule
from covr.engine import Settings, search
from covr.inputs.library import checked
from tests.chunks import read_chunks
from tests.models import model_of
from tests.shared import of_oracle
from tests.statements import CHOICES, HEAD, Answer, RandomModel, counted, named_choice, needs, random_model, total

pytestmark = pytest.mark.long

NAMED = {named_choice(i): choice for i, choice in enumerate(CHOICES)}


class Claims:
    """What is said of one model, and its answers, of which each set of choices is one that keeps everything."""

    def __init__(self, text: str, answers: set[Answer]) -> None:
        self.text, self.answers = text, answers
        with noting() as noted:
            self.compiled: Compiled = compile_model(model_of(text))
        self.said = review(self.compiled, noted)
        self.exist = {self.choice(o) for o in range(self.compiled.problem.options) if not self.compiled.is_own(o)}

    def choice(self, option: int) -> tuple[str, tuple[int, ...]]:
        choice = self.compiled.choice(option)
        return choice.family, choice.args

    def of(self, family: str) -> set[tuple[str, tuple[int, ...]]]:
        return {c for c in self.exist if c[0] == family}

    def rest(self, said: Diagnostic, instead: str = "") -> set[Answer]:
        """The answers of the model with another text in place of the statement that a warning is about."""
        assert said.span is not None
        changed = f"{self.text[: said.span.start]}{instead}{self.text[said.span.end :]}"
        return listed(re.sub(r"answers by .*", "", changed))

    def never(self) -> set[tuple[str, tuple[int, ...]]]:
        return self.exist.difference(*self.answers)

    def is_true(self, said: Diagnostic) -> bool | None:
        """Whether what a warning says of the answers is true; None for one that says nothing of them."""
        match said.code:
            case "W102":
                (family,) = re.findall(r"no rule mentions `(\w+)`", said.message)
                return all(answer ^ {c} in self.answers for answer in self.answers for c in self.of(family))
            case "W201":
                return self.is_loose(said)
            case "W202":
                assert said.span is not None
                rule = next(s for s in self.compiled.model.statements if isinstance(s, Rule) and s.span == said.span)
                own = {c for f in rule.families for c in self.of(f.id)}
                return all(answer | {c} in self.answers for answer in self.answers for c in own)
            case "W203" | "W208":
                return not self.answers
            case "W204" | "W206":
                return self.rest(said) == self.answers
            case "W205":
                return self.is_dead(said)
            case "W210":
                (name,) = re.findall(r"^`([^`]*)`", said.message)
                more = re.findall(r"and (\d+) more", said.message)
                if f"given {name}" not in self.text:  # what the help says to do
                    assert listed(re.sub(r"answers by .*", "", f"{self.text}\nforbid {name}")) == self.answers
                return NAMED[name] in self.never() and len(self.never()) > (int(more[0]) if more else 0)
            case "W215" if "whatever is taken" in said.message:
                return self.rest(evolve(said, span=self.statement(said).span)) == self.answers
            case "W216":
                assert said.span is not None
                return self.rest(said, f"some {said.span.text}") == self.answers
            case "W218":
                return self.is_broken(said)
        return None

    def statement(self, said: Diagnostic) -> Diagnostic:
        """A diagnostic at the whole of the statement in which another one lies."""
        assert said.span is not None
        start = said.span.start
        whole = next(s for s in self.compiled.model.statements if s.span.start <= start < s.span.end)
        return evolve(said, span=whole.span)

    def is_loose(self, said: Diagnostic) -> bool:
        (count, family) = re.findall(r"asks for (any|\d+)[a-z0-9 ]* of `(\w+)`", said.message)[0]
        problem = self.compiled.problem
        asked = asked_for(problem)
        loose = {self.choice(o) for o in range(problem.options) if not asked[o] and not self.compiled.is_own(o)}
        own = {c for c in self.of(family) if c in loose}
        others = set(re.findall(r"those of `(\w+)`", said.message))
        assert {f for f, _ in loose if f == family or f in others} == {family, *others}
        if count != "any":
            assert len(own) >= int(count)
        return all(answer - {c for c in loose if c[0] in {family, *others}} in self.answers for answer in self.answers)

    def is_dead(self, said: Diagnostic) -> bool:
        (family,) = re.findall(r"of `(\w+)`|^`(\w+)`", said.message)[0][:1] or [""]
        never = {c for c in self.never() if c[0] == family}
        if "has no choices" in said.message:
            return not self.of(said.message.split("`")[1])
        for name in re.findall(r"`([^`]*)` for one", said.message):
            assert NAMED[name] in never
        number = re.findall(r"^(\d+) of", said.message)
        return len(never) >= int(number[0]) if number else never == self.of(family)

    def is_broken(self, said: Diagnostic) -> bool:
        named = re.findall(r"^`([^`]*)` breaks", said.message)
        assert said.span is not None
        for answer in search(self.compiled.problem, settings=Settings(engine="reference")):
            taken = {self.choice(o) for o in answer if not self.compiled.is_own(o)}
            if (not named or NAMED[named[0]] in taken) and not self.compiled.broken(answer):
                return False
        return True


def listed(text: str) -> set[Answer]:
    """The answers of a model without a goal, by the engine that tries everything."""
    compiled = compile_model(model_of(text))
    found = search(compiled.problem, settings=Settings(engine="reference"))
    return {frozenset((c.family, c.args) for c in compiled.choices(answer)) for answer in found}


def every_answer(model: RandomModel) -> set[Answer]:
    """Those of all families, whatever `answers by` leaves out."""
    return evolve(model, by=("a", "b")).answers()


def test_what_is_said_of_answers_is_true_of_every_set_of_choices() -> None:
    met: Counter[str] = Counter()
    for seed in range(of_oracle(1200)):
        model = random_model(random.Random(f"said/{seed}"))
        claims = Claims(model.text, every_answer(model))
        for said in claims.said:
            true = claims.is_true(said)
            assert true is not False, f"seed {seed}: {said}\n{model.text}"
            met[said.code] += true is not None
    assert met.keys() >= {"W102", "W201", "W202", "W203", "W204", "W205", "W208", "W210", "W216"}, met


# A rule, and conditions on its keys that leave some of its items.
NARROWED = [
    ("{} a per r, x where c in {{x, x + 1}}", ("r = 1", "x > 0 and r != 1", "x = r")),
    ("{} a per r where c > 1", ("r = 1", "r > 0 and r != 1")),
    ("{} a or b per x where c = x + 1", ("x = 1", "x > 0", "x mod 2 = 0")),
    ("{} total c of a per k in 1..2, r where c > k", ("k = r", "r + k > 2")),
]


def test_a_rule_that_repeats_items_of_another_can_be_left_out() -> None:
    """It is said of a rule that is another rule with one more condition on the keys, and never of a rule that asks for
    something else; and what is said is true of every set of choices."""
    met: Counter[bool] = Counter()
    for seed in range(60):
        rng = random.Random(f"repeated/{seed}")
        form, conditions = rng.choice(NARROWED)
        bound = rng.choice(["exactly one", "at most 2", "exactly 1..2", "at least one"])
        other = rng.choice([bound, bound, "at most one"])
        lines = [form.format(bound), f"{form.format(other)} and ({rng.choice(conditions)})"]
        rng.shuffle(lines)
        text = HEAD + "\n".join([*lines, rng.choice(["at most 3 a", "forbid a(2, 3)", "at most one b"])])
        claims = Claims(text, listed(text))
        repeats = [said for said in claims.said if said.code == "W206"]
        assert all(claims.is_true(said) for said in repeats), text
        if other == bound and not any(said.code == "W204" for said in claims.said):
            assert repeats, text
        met[bool(repeats)] += 1
    assert min(met[True], met[False]) > 5, met


def test_what_is_said_of_wishes_is_true_of_every_set_of_choices() -> None:
    met: Counter[str] = Counter()
    for seed in range(80):
        rng = random.Random(f"wished/{seed}")
        model = random_model(rng)
        wish, _ = rng.choice([total, needs, needs, counted])(rng)
        text = f"{model.text}\nprefer {wish} cost {rng.choice([0, 1, 2])}"
        if "answers by" in text:
            continue
        claims = Claims(text, every_answer(model))
        if claims.compiled.problem.options > 15:
            continue  # with many states of wishes, trying everything takes minutes
        for said in claims.said:
            true = claims.is_true(said) if said.code not in ("W204", "W206") else None
            assert true is not False, f"seed {seed}: {said}\n{text}"
            met[said.code] += true is not None
    assert met["W218"] >= 1, met


def test_what_propagation_finds_is_true_of_every_set_of_choices() -> None:
    met: Counter[str] = Counter()
    for seed in range(of_oracle(300)):
        model = random_model(random.Random(f"settled/{seed}"))
        compiled = compile_model(model_of(model.text))
        answers = every_answer(model)
        settled = settle(compiled.problem, compiled.problem.given)
        if settled.broken is not None:
            assert not answers, model.text
            met["broken"] += 1
            continue
        for option in range(compiled.problem.options):
            choice = compiled.choice(option)
            holders = sum((choice.family, choice.args) in answer for answer in answers)
            assert not settled.dead[option] or not holders, model.text
            assert not settled.taken[option] or holders == len(answers), model.text
            met["dead"] += settled.dead[option]
            met["taken"] += settled.taken[option]
    assert min(met["broken"], met["dead"], met["taken"]) >= 5, met


# Codes of warnings whose help says what to do, and what it says: each is done below, or in a law above.
DONE = {
    "W101": "remove it",
    "W104": "leave the comment out",
    "W206": "leave one of them out",
    "W210": "a `forbid` says it plainly",
}
# Codes of warnings whose help only tells more of the reason, or of what else covr does.
TOLD = {"W105", "W203", "W204", "W208"}
EXPLAINING = (
    "errors can't be allowed",
    "a comment to covr reads",
    "there is no",
    "`covr why` says which rules do that",
    "its sets are empty",
)


def test_a_help_asks_or_keeps_the_meaning() -> None:
    """No help of a warning tells to change the answers: it asks whether something else is meant, or what it says to do
    is done by a test."""
    met = set()
    for chunk in read_chunks(Path(__file__).with_name("review.chunks")):
        for said in review(compile_model(checked(Source("chunk.cover", chunk.text)))):
            met.add(said.code)
            if "?" in said.help or said.code in TOLD or said.help.startswith(EXPLAINING):
                continue
            assert said.code in DONE, f"{said.code}: {said.help}"
            assert DONE[said.code] in said.help or said.help.startswith("remove"), said.help
    assert met >= {*DONE, *TOLD, "W201", "W202", "W205", "W207", "W209", "W211", "W212", "W214", "W215", "W216", "W218"}


def test_leaving_out_what_is_not_used_keeps_the_answers() -> None:
    text = "param n = 3\nparam m = 4\ncells r, c in 1..n\nvalues d in 1..2\n"
    text += "choose f(r, c)   # covr: allow W999\nexactly one f per r"
    removed = {"m": "param m = 4\n", "d": "values d in 1..2\n", "W999": "   # covr: allow W999"}
    whole = compile_model(model_of(text))
    said = {d.span.text: d.code for d in review(whole) if d.span is not None and d.code in DONE}
    assert said == {"m": "W101", "d": "W101", "W999": "W104"}
    for words in removed.values():
        assert compile_model(model_of(text.replace(words, ""))).problem == whole.problem


Truth = dict[str, bool]
JOINED: list[tuple[str, Callable[[Truth], bool]]] = [
    ("if a() then b() and c()", lambda t: not t["a"] or (t["b"] and t["c"])),
    ("if a() or d() then b() and c()", lambda t: not (t["a"] or t["d"]) or (t["b"] and t["c"])),
    ("if not a() and d() then b() and c()", lambda t: t["a"] or not t["d"] or (t["b"] and t["c"])),
    ("if and only if a() then b() and c()", lambda t: t["a"] == (t["b"] and t["c"])),
    ("if and only if a() or d() then b() and c()", lambda t: (t["a"] or t["d"]) == (t["b"] and t["c"])),
    ("if and only if a() and not d() then b() and c()", lambda t: (t["a"] and not t["d"]) == (t["b"] and t["c"])),
    ("if a() then not b() and c()", lambda t: not t["a"] or (not t["b"] and t["c"])),
    (
        "if and only if a() then some b() or c() and no d() or c()",
        lambda t: t["a"] == ((t["b"] or t["c"]) and not t["d"] and not t["c"]),
    ),
    (
        "if and only if a() then some b() or d() and some c() or d()",
        lambda t: t["a"] == ((t["b"] or t["d"]) and (t["c"] or t["d"])),
    ),
    ("if and only if not a() then exactly 1 b() or c() and d()", lambda t: t["a"] != ((t["b"] != t["c"]) and t["d"])),
    (
        "if and only if a() then exactly {0, 2} b() or c() and at most 1 c() or d()",
        lambda t: t["a"] == (t["b"] == t["c"] and not (t["c"] and t["d"])),
    ),
    ("if a() then at least 2 a() or b() or c()", lambda t: not t["a"] or t["b"] or t["c"]),
    (
        "if and only if a() then at least 2 total 2 of a() or -1 of b() or 1 of c()",
        lambda t: t["a"] == (2 * t["a"] - t["b"] + t["c"] >= 2),
    ),
    ("if and only if a() then at least 5 b() or c() and d()", lambda t: not t["a"]),
    ("if and only if a() then at least 0 b() or c()", lambda t: t["a"]),
]


@pytest.mark.parametrize(("text", "meaning"), JOINED, ids=[text for text, _ in JOINED])
def test_parts_after_then_are_joined_as_they_read(text: str, meaning: Callable[[Truth], bool]) -> None:
    found = {
        frozenset(f for f, _ in answer) for answer in listed("choose a() choose b() choose c() choose d()\n" + text)
    }
    wanted = set()
    for values in product((False, True), repeat=4):
        truth = dict(zip("abcd", values, strict=True))
        if meaning(truth):
            wanted.add(frozenset(name for name, true in truth.items() if true))
    assert found == wanted
