"""Choices in words: `r5c5 is 5`, `no line above the 1 in r4c6`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from covr.compiler.display.show import LINES, shown_of_choice
from covr.dsl.syntax import REGIONS, Show, Text

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.compiler.display.prints import Place
    from covr.compiler.display.show import Drawing

MOST_PLACES = 3  # places of one choice that are named; of a larger piece its name says more
Phrase = tuple[str, str]  # what is taken, such as `5` or a line, and where
LINE = "line"
TAKE, RULE_OUT = "take", "rule out"


class ChoiceWords:
    """Says choices of one model by what a `show` draws of them and where; a choice has words if no other of its family
    has the same, and if its board is one of rows and columns of whole numbers."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        shows = any(isinstance(s, Show) for s in getattr(compiled.model, "statements", ()))
        self._drawings = [d for d in compiled.drawings if _is_grid(d)] if shows else []
        self._phrases: dict[str, Mapping[int, Phrase]] = {}

    def conclusion(self, taken: Sequence[Choice | str], out: Sequence[Choice | str]) -> str:
        """What follows: what is taken, and what is ruled out. A text stands for itself."""
        return "; ".join([*self._said(taken, TAKE), *self._said(out, RULE_OUT)])

    def supposed(self, choice: Choice, taken: bool) -> str:
        """The beginning of a look ahead: `if there were no line above r4c6`."""
        phrase = self._phrase(choice)
        if phrase is None:
            return f"if {choice} were {'taken' if taken else 'left out'}"
        what, where = phrase
        return (
            f"if there were {_several(what, [where], taken)}"
            if what == LINE
            else f"if {where} were {'' if taken else 'not '}{what}"
        )

    def _said(self, choices: Sequence[Choice | str], verb: str) -> list[str]:
        places: dict[str, list[str]] = {}
        names = []
        for choice in choices:
            phrase = None if isinstance(choice, str) else self._phrase(choice)
            if phrase is not None:
                places.setdefault(phrase[0], []).append(phrase[1])
            elif not isinstance(choice, str):
                names.append(str(choice))
        said = [_several(what, where, verb == TAKE) for what, where in places.items()]
        said += [f"{verb} {', '.join(names)}"] if names else []
        more = [choice for choice in choices if isinstance(choice, str)]
        return [*said[:-1], ", ".join([*said[-1:], *more])] if said else more

    def _phrase(self, choice: Choice) -> Phrase | None:
        if choice.family not in self._phrases:
            self._phrases[choice.family] = self._of_family(choice.family)
        return self._phrases[choice.family].get(choice.number)

    def _of_family(self, name: str) -> dict[int, Phrase]:
        """Option → its words, of those that no other choice of the family has. Takes a step for each choice."""
        drawings = [d for d in self._drawings if d.family.name == name]
        if len(drawings) != 1:
            return {}
        (drawing,) = drawings
        option_of = self._compiled.lowered.choice_options
        first = drawing.family.first
        found: dict[int, Phrase] = {}
        for number in range(first, first + len(drawing.family.choices)):
            phrase = self._words(drawing, shown_of_choice(drawing, number)) if option_of[number] >= 0 else None
            if phrase is not None:
                found[option_of[number]] = phrase
        often = Counter(found.values())
        return {o: phrase for o, phrase in found.items() if often[phrase] == 1}

    def _words(self, drawing: Drawing, shown: Sequence[tuple[Place, str]]) -> Phrase | None:
        places = list(dict.fromkeys(at for at, _ in shown))
        texts = {text for _, text in shown}
        if drawing.show.style in LINES:
            return None if len(places) != 2 or texts != {""} else (LINE, self._between(*places))
        if not 0 < len(places) <= MOST_PLACES or len(texts) != 1:
            return None
        own = drawing.show.values and not all(isinstance(value, Text) for value in drawing.show.values)
        (text,) = texts
        what = text if own and text.isalnum() else drawing.family.name.replace("_", " ")
        return what, " and ".join(map(_square, places))

    def _between(self, one: Place, other: Place) -> str:
        """Where a line lies: beside a clue or a square, if it joins corners, or from one square to another."""
        (r, c), (s, d) = sorted((one, other))
        if not self._clues or (s - r, d - c) not in ((0, 1), (1, 0)):
            return f"from {_square((r, c))} to {_square((s, d))}"
        across = r == s
        sides = [((r, c), "above" if across else "left of")]
        sides.append(((r - 1, c), "below") if across else ((r, c - 1), "right of"))
        for square, side in sides:
            if square in self._clues:
                return f"{side} the {self._clues[square]} in {_square(square)}"
        for square, side in sides:
            if self._corners.issuperset((square[0] + i, square[1] + j) for i in (0, 1) for j in (0, 1)):
                return f"{side} {_square(square)}"
        return f"from {_square((r, c))} to {_square((s, d))}"

    @cached_property
    def _clues(self) -> dict[Place, str]:
        """Square → the text printed in the middle of its four corners; empty if nothing is printed so."""
        found = {}
        for picture in self._compiled.puzzle():
            for p in picture.prints:
                if (
                    p.to is not None
                    and picture.axes == 2
                    and tuple(b - a for a, b in zip(p.at, p.to, strict=True)) == (1, 1)
                ):
                    found[p.at] = p.text
        return found

    @cached_property
    def _corners(self) -> frozenset[Place]:
        return frozenset(place for d in self._drawings for place in d.places)


def _is_grid(drawing: Drawing) -> bool:
    """Whether it draws on rows and columns that are counted in whole numbers."""
    plain = drawing.axes == 2 and drawing.lattice is None and not any(drawing.coordinates.ranks)
    return plain and drawing.show.style != REGIONS


def _square(place: Place) -> str:
    r, c = place
    return f"r{r}c{c}" if r >= 0 <= c else f"({r}, {c})"


def _several(what: str, where: Sequence[str], taken: bool) -> str:
    """What is, or is not, at some places."""
    places = ", ".join(where)
    if what == LINE:
        return f"{'no line' if not taken else 'a line' if len(where) == 1 else 'lines'} {places}"
    verb = "is" if len(where) == 1 and " and " not in places else "are"
    return f"{places} {verb} {'' if taken else 'not '}{what}"
