"""Random models are drawn, as text and as SVG: by default, which may not fail, and with every form of `show`."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from functools import cache

import pytest

import covr
from covr.api.model import Model
from covr.draw.book import Shown, draw_svg
from covr.draw.canvas import PAPER, Surface
from covr.draw.text import draw as as_lines
from covr.dsl.diagnostics import ModelErrors
from covr.dsl.syntax import REGIONS, SHOWN
from tests.shared import seeds

CELLS = {  # what `cells` declares: the names, and their sets
    ("j",): "1..2", ("i", "j"): "1..2", ("h", "i", "j"): "1..2", ("g", "h", "i", "j"): "1..2",
    ("w",): '["Mo", "Tu", (1, 2)]', ("x",): "box(2, 2)", ("y",): "box(2, 1, 2)",
    ("q",): "hexagon(1)", ("t",): 'area(triangle) """\n..\n..\n"""',
    ("s",): 'area(sticks) """\n+-+\n| |\n+-+\n"""', ("o",): 'area(balls) """\n. . /\n    / .\n. . /\n"""',
}  # fmt: skip
VALUES = {("v",): "-1..1", ("u",): '{"red", "up", "#"}', ("n",): "[10, 200, [1, 2], {3}]"}
OWN = {"k": "1..2", "m": "{(1, 2), (2, 1)}", "p": "subsets(1..3, 2)", "b": "{true, false}"}
FAMILIES = ("one_of", "two", "zero")
PARTS = ("{a} = {b}", "{a} != {b}", "{a} in {{{b}}}", "size({{{a}, {b}}}) = 2", "({a} = {b} or {b} != {a})", "true")
EACH = ("exactly", "at least", "at most")
STYLES = ("", *SHOWN, REGIONS)


class Scenery:
    """The names of a random model, and statements about them. choosing: what comes before all rules.  indices: those of
    each family.  known: declared names."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        cells, values = rng.sample(sorted(CELLS), rng.randint(1, 2)), rng.sample(sorted(VALUES), rng.randint(0, 2))
        declared: dict[str, str] = {}
        self.head: list[str] = []
        for kind, found, sets in (("cells", cells, CELLS), ("values", values, VALUES)):
            for names in found:
                if not declared.keys() & {*names}:
                    self.head.append(f"{kind} {', '.join(names)} in {sets[names]}")
                    declared |= dict.fromkeys(names, kind)
        self.known = sorted(declared)
        self.indices: dict[str, list[str]] = {}
        for family in FAMILIES[: rng.randint(1, 3)]:
            own = rng.sample(sorted(OWN), rng.choice((0, 0, 1, 1, 2)))
            names = [*rng.sample(self.known, rng.randint(0, min(2, len(self.known)))), *own]
            rng.shuffle(names)
            self.indices[family] = names
            loops = f" for {', '.join(f'{n} in {OWN[n]}' for n in own)}" if own else ""
            self.head.append(f"choose {family}({', '.join(names)}){loops}")
        self.body = [self.rule() for _ in range(rng.randint(1, 3))]

    def where(self, names: Sequence[str]) -> str:
        """A condition of up to two parts; or none."""
        if not names:
            return ""
        parts = [self.rng.choice(PARTS).format(a=self.rng.choice(names), b=self.rng.choice([*names, "1", "(1, 2)"]))
                 for _ in range(self.rng.choice((0, 1, 1, 2)))]  # fmt: skip
        return f" where {' and '.join(parts)}" if parts else ""

    def rule(self) -> str:
        """A rule of one to three families; its condition may speak of an index that only one of them has."""
        rng = self.rng
        families = rng.sample(sorted(self.indices), rng.randint(1, len(self.indices)))
        keys = rng.sample(self.known, rng.randint(0, min(2, len(self.known))))
        per = f" per {', '.join(keys)}" if keys else ""
        names = sorted({*keys, *(n for family in families for n in self.indices[family])})
        return f"{rng.choice(EACH)} {rng.choice('01')} {' or '.join(families)}{per}{self.where(names)}"

    def show(self, style: str) -> str:
        """A `show` of any form, or an `outline` of what is chosen."""
        rng = self.rng
        family = rng.choice(sorted(self.indices))
        names = sorted({*self.known, *self.indices[family]})
        loops = rng.choice(("", "", " for z in 1..2", ' for (z, e) in {(1, "a"), (2, "b")}'))
        names += ["z"] if loops else []
        words = [*names, '"L"', '""', "1", '"red"', '"a b"', "(1, 2)"]
        values = ", ".join(rng.choice(words) for _ in range(1 if style == REGIONS else rng.choice((1, 1, 2, 4))))
        keys = [rng.choice([*names, "1", "(1, 2)", "f in {1, 3}", "(c, d) in box(1, 2)"])
                for _ in range(rng.choice((1, 1, 2, 2, 3)))] if style or rng.random() < 0.8 else []  # fmt: skip
        at = f" at {', '.join(keys)}" if keys else ""
        if style == REGIONS:
            return f"outline {values} of {family}{at}{loops}{self.where(names)}"
        other = rng.choice(("", "", ' else "-"', ' else ""'))
        look = f" as {style}" if style else ""
        return f"show {values} of {family}{at}{loops}{self.where(names)}{other}{look}"

    def text(self, *shows: str) -> str:
        return "\n".join([*self.head, *self.body, *shows]) + "\n"


def draw(model: Model) -> None:
    """Draw what a model prints, an answer, and as many of its choices as there are, in every way."""
    compiled = model.compiled
    compiled.try_drawings()
    for answer in model.solutions(1):
        assert str(answer) is not None and answer.svg().startswith("<svg")
    pictures = [compiled.puzzle(), compiled.pictures(range(min(compiled.problem.options, 30))),
                compiled.unfinished(range(min(compiled.problem.options, 3)))]  # fmt: skip
    for found in pictures:
        assert draw_svg([Shown(found)]).startswith("<svg")
        for surface in (PAPER, Surface(unicode=True, colour=True, width=30)):
            assert all(isinstance(part.text, str) for line in as_lines(found, surface) for part in line)


@cache
def sceneries(number: int) -> list[Scenery]:
    """Models that covr accepts."""
    found: list[Scenery] = []
    seed = 0
    while len(found) < number:
        seed += 1
        scenery = Scenery(random.Random(seed))
        try:
            covr.loads(scenery.text())
        except ModelErrors:
            continue
        found.append(scenery)
    assert seed < 3 * number  # much of what is drawn is a model
    return found


def drawn(text: str) -> None:
    try:
        draw(covr.loads(text))
    except ModelErrors:
        raise
    except Exception as fault:
        raise AssertionError(text) from fault


def test_the_drawing_that_covr_chooses_draws_any_model() -> None:
    for scenery in sceneries(len(seeds(180))):
        drawn(scenery.text())


@pytest.mark.parametrize("style", STYLES)
def test_every_form_of_show_draws_or_is_refused_in_plain_words(style: str) -> None:
    """A `show` may be refused, with a place; it may not fail. Some of each style are drawn."""
    met = Counter[str]()
    for scenery in sceneries(len(seeds(180)))[::4]:
        more = scenery.rng.choices(STYLES, k=scenery.rng.choice((0, 0, 1)))
        shows = [scenery.show(look) for look in (style, *more)]
        try:
            drawn(scenery.text(*shows))
        except ModelErrors as errors:
            assert all(d.span is not None for d in errors.diagnostics)
            met.update(d.code for d in errors.diagnostics)
        else:
            met["drawn"] += 1
    assert met["drawn"] >= 3, met
