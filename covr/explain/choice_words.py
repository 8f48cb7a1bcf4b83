"""Choices in words, such as `r5c5 is 5`; and the choice that the user names, such as `place(3, 4, 7)`.

The user's text is read by the language's parser and evaluated with the model's names. The form in which covr prints a
choice is understood as well, even if it is no expression.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from covr.compiler.display.show import LINES, shown_of_choice
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.syntax import REGIONS, Text
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.compiler.display.prints import Place
    from covr.compiler.display.show import Drawing
    from covr.compiler.lower.families import Family
    from covr.dsl.diagnostics import Span
    from covr.dsl.syntax import Expr

MOST_PLACES = 6  # places of one choice that are named, unless they fill a rectangle; of more its name says more
Phrase = tuple[str, str]  # what is taken, such as `5` or a line, and where
LINE, PIECE = "line", "one piece"
COUNTED = "lines"  # the style that draws as many lines as the text says
TIMES = {"1": f"single {LINE}", "2": f"double {LINE}"}
TAKE, RULE_OUT = "take", "rule out"


class ChoiceWords:
    """Says choices of one model by what a `show` draws of them and where; a choice has words if no other of its family
    has the same, and if its board is one of rows and columns of whole numbers."""

    def __init__(self, compiled: Compiled) -> None:
        self._compiled = compiled
        self._drawings = [d for d in compiled.drawings if _is_grid(d)]
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
            if _is_line(what)
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
        numbers = range(first, first + len(drawing.family.choices))
        shown = {option_of[n]: shown_of_choice(drawing, n) for n in numbers if option_of[n] >= 0}
        pieces = any(len({at for at, _ in here}) > 1 for here in shown.values())
        noun = PIECE if pieces else name.replace("_", " ")
        told = {o: self._words(drawing, here, noun) for o, here in shown.items()}
        found = {o: phrase for o, phrase in told.items() if phrase is not None}
        often = Counter(found.values())
        return {o: phrase for o, phrase in found.items() if often[phrase] == 1}

    def _words(self, drawing: Drawing, shown: Sequence[tuple[Place, str]], noun: str) -> Phrase | None:
        places = list(dict.fromkeys(at for at, _ in shown))
        texts = {text for _, text in shown}
        if not places or len(texts) != 1:
            return None
        (text,) = texts
        style = drawing.show.style
        if style in LINES:
            ends = sorted((places[0], places[-1]))
            if len(places) < 2 or set(places) != _rectangle(*ends) or all(a != b for a, b in zip(*ends, strict=True)):
                return None
            what = f"{LINE} of {text}" if text else LINE
            return TIMES.get(text, what) if style == COUNTED else what, self._between(*ends)
        where = _squares(places)
        if where is None:
            return None
        if style == REGIONS:
            return (f"in region {text}", where) if text and len(places) == 1 else None
        own = drawing.show.values and not all(isinstance(value, Text) for value in drawing.show.values)
        return text if own and text.strip() else noun, where

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
    return drawing.axes == 2 and drawing.lattice is None and not any(drawing.coordinates.ranks)


def _rectangle(one: Place, other: Place) -> set[Place]:
    """The squares of the smallest rectangle that holds both."""
    rows, cols = (range(min(x), max(x) + 1) for x in zip(one, other, strict=True))
    return {(r, c) for r in rows for c in cols}


def _squares(places: Sequence[Place]) -> str | None:
    """Where a piece lies: its squares, or the corners of a rectangle; None if it has too many to be named."""
    low, high = (tuple(map(of, *places)) if len(places) > 1 else places[0] for of in (min, max))
    if len(places) > 2 and set(places) == _rectangle(low, high):
        return f"{_square(low)} to {_square(high)}"
    if len(places) > MOST_PLACES:
        return None
    *names, last = map(_square, places)
    return " and ".join(filter(None, (", ".join(names), last)))


def _is_line(what: str) -> bool:
    return LINE in what.split()


def _square(place: Place) -> str:
    r, c = place
    return f"r{r}c{c}" if r >= 0 <= c else f"({r}, {c})"


def _several(what: str, where: Sequence[str], taken: bool) -> str:
    """What is, or is not, at some places."""
    places = ", ".join(where)
    if _is_line(what):
        some = what.replace(LINE, f"{LINE}s") if len(where) > 1 else f"a {what}"
        return f"{some if taken else f'no {what}'} {places}"
    several = len(where) > 1 or " and " in places or " to " in places
    verb = "are" if several else "is"
    each = " each" if what == PIECE and len(where) > 1 else ""
    return f"{places} {verb} {'' if taken else 'not '}{what}{each}"


NAME = "the choice"  # what messages call the text
MOST_NAMES = 50_000  # how many choices may be searched for a printed name


@frozen
class Asked:
    """A choice that was asked about. name: as covr prints it.  option: its number; None if the statement `removed`
    removes it."""

    name: str
    option: int | None
    removed: Span | None = None


def find_choice(compiled: Compiled, text: str) -> Asked:
    """The choice that `text` names. Raises ModelErrors (E0xx for its syntax, E509) if it names none."""
    found = _printed(compiled, text)
    if found is not None:
        return found
    tree = _parse(text)
    name, args = _head(compiled, tree)
    family = compiled.lowered.families.get(name.id)
    if family is None:
        raise _refusal(f"`{name.id}` is not a family of choices", name.span, name.id, compiled.lowered.families)
    if len(args) != len(family.indices):
        form = f"{family.name}({', '.join(family.indices)})"
        raise ModelErrors([Diagnostic("E509", f"a choice of `{family.name}` is written {form}", tree.span)])
    return _evaluated(compiled, family, args, text, tree)


def _parse(text: str) -> Expr:
    from covr.dsl.diagnostics import Source
    from covr.dsl.parser import Parser, unreadable

    source = Source(NAME, text)
    fault = unreadable(source)
    if fault is not None:
        raise ModelErrors([fault])
    parser = Parser(source)
    tree = parser.hole(text, range(len(text) + 1))
    if parser.faults or tree is None:
        raise ModelErrors(parser.faults or [Diagnostic("E509", "this names no choice")])
    return tree


def _head(compiled: Compiled, tree: Expr) -> tuple[Any, tuple[Any, ...]]:
    from covr.dsl.syntax import Call, Name

    if isinstance(tree, Call):
        return tree.function, tree.args
    if isinstance(tree, Name):
        return tree, ()
    family = next(iter(compiled.lowered.families.values()), None)
    form = f"write it as {family.name}({', '.join(family.indices)})" if family else ""
    raise ModelErrors([Diagnostic("E509", "this names no choice", tree.span, form)])


def _evaluated(compiled: Compiled, family: Family, args: tuple[Any, ...], text: str, tree: Expr) -> Asked:
    from covr.compiler.evaluate import EvalFault
    from covr.compiler.evaluate.values import show_value

    _check_names(compiled, args)
    try:
        values = tuple(compiled.scope.evaluate(arg) for arg in args)
    except EvalFault as fault:
        raise ModelErrors([fault.diagnostic]) from None
    meant = [] if family.number(values) is not None else family.meant(values)
    values = meant[0] if len(meant) == 1 else values
    number = family.number(values)
    name = family.name_of(values)
    if number is not None:
        return _asked(compiled, name, number)
    wrong = [
        f"`{index}` is {show_value(value)}, which no choice of `{family.name}` has"
        for at, (index, value) in enumerate(zip(family.indices, values, strict=True))
        if all(choice[at] != value for choice in family.choices)
    ]
    known = [family.name_of(choice) for choice in family.choices[:MOST_NAMES]]
    raise _refusal(f"there is no choice `{name}`", tree.span, text, known, wrong[:1])


def _check_names(compiled: Compiled, args: tuple[Any, ...]) -> None:
    """Check the names in the arguments, because evaluation relies on that. Raises ModelErrors."""
    from covr.compiler.evaluate.expressions import free_names
    from covr.compiler.evaluate.limits import did_you_mean
    from covr.dsl.scope import operands, walk
    from covr.dsl.syntax import Name

    scope = compiled.scope
    for arg in args:
        loose = free_names(arg)
        for part in walk(arg, operands):
            if isinstance(part, Name) and part.id in loose and not scope.defines(part.id):
                help = did_you_mean(part.id, sorted(scope.global_names))
                raise ModelErrors([Diagnostic("E101", f"`{part.id}` is not defined", part.span, help)])


def _asked(compiled: Compiled, name: str, number: int) -> Asked:
    option = compiled.lowered.choice_options[number]
    return Asked(name, option) if option >= 0 else Asked(name, None, compiled.lowered.dropped[number].span)


def _printed(compiled: Compiled, text: str) -> Asked | None:
    """The choice that covr prints in this way; else the only one that it does apart from spaces, or with each record by
    its first field. None if there is none."""
    from covr.compiler.lower.families import choice_name

    wanted = "".join(text.split())
    if not compiled.lowered.origins and text in compiled.problem.option_names:  # an option of a matrix
        return Asked(text, compiled.problem.option_names.index(text))
    left = MOST_NAMES
    alike: dict[int, str] = {}
    for family in compiled.lowered.families.values():
        if wanted.partition("(")[0] == family.name:
            for at, choice in enumerate(family.choices[:left], family.first):
                name = family.name_of(choice)
                if name == text:
                    return _asked(compiled, name, at)
                if wanted in ("".join(name.split()), "".join(choice_name(family.name, choice).split())):
                    alike[at] = name
        left -= len(family.choices)
        if left <= 0:
            break
    spaced = {at: name for at, name in alike.items() if "".join(name.split()) == wanted} or alike
    if len(spaced) == 1:
        ((at, name),) = spaced.items()
        return _asked(compiled, name, at)
    return None


def _refusal(
    message: str, span: Span | None, word: str, known: Iterable[str], notes: Sequence[str] = ()
) -> ModelErrors:
    from covr.dsl import suggest

    names = list(known)
    close = suggest(word, names)
    help = f"did you mean `{close}`?" if close else f"such as `{names[0]}`" if names else ""
    return ModelErrors([Diagnostic("E509", message, span, help, tuple(notes))])
