"""An explanation as a value, and in words."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from attrs import evolve, field

from covr.draw.canvas import PAPER, Line, Part, Surface, beside, clean, pad, plain, width
from covr.draw.text import draw
from covr.dsl.diagnostics import Span
from covr.dsl.syntax import Show
from covr.engine.proofs.certificate import Balance, Counting
from covr.frozen import frozen
from covr.questions.answer import Answer
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Choice, Compiled
    from covr.dsl.diagnostics import Diagnostic


@frozen
class Member:
    """A member of a contradiction: a rule's item, a given choice or a whole statement.
    kind: `rule`, `given` or `statement`.  name: in the model's words.  span: the statement it comes from.
    label, key: of a rule whose label is the same for all of its instances, that label and which instance it is."""

    kind: str
    name: str
    span: Span = field(repr=False)
    label: str = field(default="", repr=False)
    key: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """The file and the line; for a matrix only the file."""
        line = self.line
        return self.span.source.name if line is None else f"{self.span.source.name}:{line}"

    @property
    def line(self) -> int | None:
        """The line of the statement, from 1; None for a matrix."""
        return self.span.place[0] if self.span.source.text else None

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its kind, name and place."""
        return {"kind": self.kind, "name": self.name, "file": self.span.source.name, "line": self.line}


def fields_of(members: Iterable[Member]) -> list[dict[str, Any]]:
    """Members for `json`."""
    return [member.as_fields() for member in members]


# --- wording ---------------------------------------------------------------------------------------------------------
# Rules without a label, such as that each square is dark or light, go without saying where others have one, and are
# listed apart. Rules that say the same are said once. A family that no `show` draws is a *helper*, and its choices are
# not what is asked about. The values that hold a reason, and JSON, have every rule.


MOST_ALIKE = 8  # rules of one statement that are said one by one
MOST_KEYS = 3  # places of a rule that are named where it is said once for several


def labelled_spans(compiled: Compiled) -> frozenset[tuple[str, int, int]]:
    """Where the statements stand of which the author has written what they say."""
    statements = getattr(compiled.model, "statements", ())
    return frozenset(at(s.span) for s in statements if getattr(s, "label", None) is not None)


def helpers(compiled: Compiled) -> frozenset[int]:
    """The choices of the families that no `show` draws; none where nothing is drawn. Takes a step for each choice."""
    drawn = _drawn(compiled)
    return frozenset(o for o in range(compiled.problem.options) if drawn and compiled.choice(o).family not in drawn)


def without_helpers(compiled: Compiled, choices: Iterable[Choice]) -> tuple[Choice, ...]:
    """Those of some choices that are no helpers."""
    drawn = _drawn(compiled)
    return tuple([choice for choice in choices if not drawn or choice.family in drawn])


def _drawn(compiled: Compiled) -> frozenset[str]:
    return frozenset(s.family.id for s in getattr(compiled.model, "statements", ()) if isinstance(s, Show))


def shown_of(compiled: Compiled, members: Sequence[Member]) -> tuple[Member, ...]:
    """The members of a reason that are said, in the order in which they are met: one for all with the same label."""
    spans = labelled_spans(compiled)
    labelled = any(m.kind == "rule" and at(m.span) in spans for m in members)
    once: dict[Hashable, list[Member]] = {}
    for m in members:
        if m.kind != "rule" or not labelled or at(m.span) in spans:
            once.setdefault((m.kind, m.label or m.name), []).append(m)
    return tuple(map(_one, once.values()))


def lined(compiled: Compiled, members: Sequence[Member]) -> tuple[Member, ...]:
    """The same, with one line for many rules of one statement."""
    every = shown_of(compiled, members)
    spans = labelled_spans(compiled)
    of_statement: dict[Hashable, list[Member]] = {}
    for m in every:
        of_statement.setdefault((m.kind, at(m.span)), []).append(m)
    found: list[Member] = []
    for here in of_statement.values():
        alike = here[0].kind == "rule" and at(here[0].span) in spans and len(here) > MOST_ALIKE
        found += [_alike(here)] if alike else here
    return tuple(found)


def _one(here: Sequence[Member]) -> Member:
    keys = list(dict.fromkeys(m.key for m in here if m.key))
    if len({m.name for m in here}) == 1 or not keys:
        return here[0]
    return evolve(here[0], name=f"{here[0].label} ({_listed(keys, '; ')})")


def _alike(here: Sequence[Member]) -> Member:
    """One member for several of the same statement, with labels of their own."""
    names = [m.name for m in here]
    return evolve(here[0], name=f"{_listed(names, '; ')} like these")


def _listed(keys: Sequence[str], between: str) -> str:
    more = f"{between}and {len(keys) - MOST_KEYS} more" if len(keys) > MOST_KEYS else ""
    return between.join(keys[:MOST_KEYS]) + more


def unsaid(compiled: Compiled, members: Sequence[Member]) -> list[Member]:
    """The members of a reason that are not said beside those with a label, because they have none."""
    spans = labelled_spans(compiled)
    rules = [m for m in members if m.kind == "rule"]
    without = [m for m in rules if at(m.span) not in spans]
    return without if len(without) < len(rules) else []


def in_statements(members: Sequence[Member]) -> tuple[Member, ...]:
    """Rules, with one line for many of one statement."""
    of_statement: dict[Hashable, list[Member]] = {}
    for m in members:
        of_statement.setdefault(at(m.span), []).append(m)
    found: list[Member] = []
    for here in of_statement.values():
        many = len(here) > MOST_KEYS
        found += [evolve(here[0], name=f"{here[0].name}, and {len(here) - 1} more like it")] if many else here
    return tuple(found)


def shown_names(compiled: Compiled, members: Iterable[Member]) -> list[str]:
    """The names of the rules of a move that are said; of all if none has a label."""
    every = tuple(members)
    spans = labelled_spans(compiled)
    names = dict.fromkeys(m.name for m in every if at(m.span) in spans)
    return list(names or dict.fromkeys(m.name for m in every))


def at(span: Span) -> tuple[str, int, int]:
    """Where a statement stands, as a value that can be compared."""
    return span.source.name, span.start, span.end


# --- explanation -----------------------------------------------------------------------------------------------------


IMPOSSIBLE, COUNTED, CONFLICT = "impossible", "counted", "conflict"  # why there is no answer
ANSWERED, UNIQUE, SEVERAL = "answered", "unique", "several"  # nothing is wrong, or the rules allow too much
FORCED, EXCLUDED, FREE, REMOVED = "forced", "excluded", "free", "removed"  # of a choice
UNKNOWN = "unknown"


@frozen
class Proof:
    """A counting argument.
    found: its numbers.  groups: for a Counting, the two statements (`by`, `of`).  parts: for a Balance, each weight
    with its
    members.  board: the weights of items that are squares of a board.  sums: whether some of the members want a total.
    """

    found: Counting | Balance
    groups: tuple[Member, ...] = ()
    parts: tuple[tuple[int, tuple[Member, ...]], ...] = field(default=(), repr=False)
    board: dict[tuple[int, int], int] = field(factory=dict, repr=False)
    sums: bool = False

    def as_fields(self) -> dict[str, Any]:
        """For `json`: its numbers, and the statements or weights that they belong to."""
        found = self.found
        if isinstance(found, Counting):
            by, of = (member.as_fields() for member in self.groups)
            ratio = [found.ratio.numerator, found.ratio.denominator]
            return {"kind": "counting", "by": by, "of": of, "ratio": ratio, "need": found.need, "room": found.room}
        weights = [[m.name, weight] for weight, members in self.parts for m in members]
        return {"kind": "balance", "modulus": found.modulus, "total": found.total, "weights": weights}


@frozen(kw_only=True)
class Why:
    """An explanation. `print` shows it in words.
    verdict: one of the words above.  choice: what was asked about, as covr prints it; given: whether it is given.
    members: what contradicts each other, or forces or excludes the choice.  minimal: whether none of them can be left
    out.
    cures: givens (or rules that tell a clue, or whole rules) of which each, if it alone is left out, leaves an answer.
    diagnostic: for `impossible`.  proof: for `counted`.  removed: for `removed`, the statement that removes the choice.
    answers: one for `answered`; two for `several`; for `free`, one with the choice and one without it.
    stopped: whether a budget ran out, or Ctrl-C was pressed, before everything was tried."""

    compiled: Compiled = field(repr=False)
    verdict: str
    choice: str | None = None
    given: bool = False
    members: tuple[Member, ...] = ()
    minimal: bool = True
    cures: tuple[Member, ...] = ()
    diagnostic: Diagnostic | None = None
    proof: Proof | None = None
    removed: Member | None = None
    answers: tuple[Answer, ...] = ()
    stopped: bool = False

    @property
    def told(self) -> tuple[Member, ...]:
        """The members that are put in words: one for all that say the same, and none without a label where others have
        one."""
        return shown_of(self.compiled, self.members)

    def __str__(self) -> str:
        return as_text(self)

    def as_fields(self) -> dict[str, Any]:
        """For `json`: all that was found, and its text."""
        return {
            "verdict": self.verdict,
            "choice": self.choice,
            "given": self.given,
            "members": fields_of(self.members),
            "told": fields_of(self.told),
            "minimal": self.minimal,
            "cures": fields_of(self.cures),
            "removed": None if self.removed is None else self.removed.as_fields(),
            "proof": None if self.proof is None else self.proof.as_fields(),
            "answers": [[str(choice) for choice in answer] for answer in self.answers],
            "differences": [list(place) for place in differences(self)],
            "text": as_text(self),
        }


# --- why text --------------------------------------------------------------------------------------------------------


MOST_MEMBERS = 40  # how many members of a set are listed, at most
MOST_NAMES = 6  # how many items of one weight are named, at most
MOST_PLACES = 30  # how many places where two answers differ are listed, at most
WIDEST_NAME = 60  # columns of the names that others are padded to; a longer one stands for itself
WIDEST_BOARD = 60  # how many columns a board of weights may have to be drawn


def as_text(why: Why) -> str:
    """The explanation as plain text."""
    return plain(lines(why, PAPER))


def lines(why: Why, surface: Surface) -> list[Line]:
    """The explanation, line by line; the first line is the verdict."""
    head, *rest = _WORDS[why.verdict](why, surface)
    return [(Part(plain([head]), "title"),), *rest]


def text_line(text: str, style: str = "") -> Line:
    """A line that consists of one text in one style."""
    return (Part(clean(text), style),)


# --- no answer ---


def _impossible(why: Why, surface: Surface) -> Iterator[Line]:
    assert why.diagnostic is not None
    yield text_line(f"no solution: {why.diagnostic.message}")
    span = why.diagnostic.span
    place = why.compiled.model.source.name if span is None else f"{span.source.name}:{span.place[0]}"
    yield text_line(f"  {why.diagnostic.help}  ({place})")


def _conflict(why: Why, surface: Surface) -> Iterator[Line]:
    count = len(why.told)
    if not why.minimal:
        yield text_line(f"no solution: at most these {count} contradict each other; not proved minimal")
    elif count == 1:
        yield text_line("no solution: this can't be met")
    else:
        yield text_line(f"no solution: these {count} contradict each other")
    yield from _members(why)
    if why.minimal and count > 1:
        yield text_line("none of them can be left out")
    yield from _cures(why)


def _cures(why: Why) -> Iterator[Line]:
    if len(why.cures) == 1:
        yield text_line(f"without {_named(why.cures[0])} there is an answer")
    elif why.cures:
        yield text_line("there is an answer without any one of")
        yield from _table(why.cures)


def _named(member: Member) -> str:
    if member.kind == "rule":
        return f'"{member.name}"'
    return f"the rule `{member.name}`" if member.kind == "statement" else member.name


def _members(why: Why) -> Iterator[Line]:
    """The members that are said, and then those without a label, a line for each statement that makes them."""
    yield from _table(lined(why.compiled, why.members))
    without = unsaid(why.compiled, why.members)
    if without:
        yield text_line(f"  with {quantity(len(without), 'rule')} without a label:")
        yield from _table(in_statements(without), "    ")


def _table(members: Sequence[Member], indent: str = "  ") -> Iterator[Line]:
    yield from placed([(m.name, m.place) for m in members[:MOST_MEMBERS]], indent)
    if len(members) > MOST_MEMBERS:
        yield text_line(f"{indent}… and {len(members) - MOST_MEMBERS} more")


def placed(names: Sequence[tuple[str, str]], indent: str = "  ") -> Iterator[Line]:
    """A line for each name with its place. The places stand in one column, but for those behind a long name."""
    shown = [(clean(name), clean(place)) for name, place in names]
    widths = [width(name) for name, _ in shown]
    widest = max([w for w in widths if w <= WIDEST_NAME], default=0)
    for name, place in shown:
        yield (Part(f"{indent}{pad(name, widest)}   "), Part(place, "line"))


def _counted(why: Why, surface: Surface) -> Iterator[Line]:
    assert why.proof is not None
    found = why.proof.found
    if isinstance(found, Counting):
        yield text_line("no solution: it doesn't add up")
        yield from _counting(found, why.proof)
    else:
        yield text_line("no solution: it doesn't add up, whatever is chosen")
        yield from _balance(found, why.proof)


def _counting(found: Counting, proof: Proof) -> Iterator[Line]:
    by, of = proof.groups
    more, few = found.ratio.numerator, found.ratio.denominator
    if 1 not in (more, few):
        yield text_line(f"  the rule `{by.name}` wants {quantity(found.need, 'place')} covered,")
        yield text_line(f"  and what covers {few} of them covers at least {more} of the rule `{of.name}`:")
        yield text_line(f"  that makes {_number(found.ratio * found.need)}, and it has {found.room}")
    elif found.ratio >= 1:
        yield text_line(f"  the rule `{by.name}` wants {quantity(found.need, 'choice')},")
        yield text_line(f"  and each of them covers at least {_places(found.ratio)} of the rule `{of.name}`:")
        yield text_line(f"  that makes {_number(found.ratio * found.need)}, and it has {found.room}")
    else:
        most = 1 / found.ratio
        yield text_line(f"  the rule `{of.name}` allows {quantity(found.room, 'choice')},")
        yield text_line(f"  and each of them covers at most {_places(most)} of the rule `{by.name}`:")
        yield text_line(f"  that makes {_number(most * found.room)}, and it has {found.need}")
    yield from _table(proof.groups)


def _balance(found: Balance, proof: Proof) -> Iterator[Line]:
    signs = {weight: _sign(weight, found) for weight, _ in proof.parts}
    counted = len(proof.parts[0][1])
    if found.modulus and list(signs) == [1]:
        multiple = "an even number" if found.modulus == 2 else f"a multiple of {found.modulus}"
        covers = f"adds {multiple} to" if proof.sums else f"covers {multiple} of"
        none = ": odd" if found.modulus == 2 else ", which is none"
        yield text_line(f"  every choice {covers} these {counted}, and they want {found.total}{none}")
    elif sorted(signs) == [-1, 1] and not found.modulus:
        covers = "adds as much to" if proof.sums else "covers as many of"
        to = "to" if proof.sums else "of"
        minus = len(proof.parts[1][1])
        one, other = ("one" if n == 1 else n for n in (counted, minus))
        yield text_line(f"  every choice {covers} the {one} marked + as {to} the {other} marked -,")
        want = str(abs(found.total)) if proof.sums else quantity(abs(found.total), "choice")
        yield text_line(f"  and together the {'first' if found.total > 0 else 'second'} want {want} more")
    else:
        modulus = f", counted modulo {found.modulus}" if found.modulus else ""
        yield text_line(f"  with these weights every choice adds up to 0{modulus},")
        yield text_line(f"  and all that is wanted adds up to {found.total}")
    for weight, members in proof.parts:
        most = 2 if proof.board or proof.sums else MOST_NAMES
        names = ", ".join(m.name for m in members[:most])
        more = f" … and {len(members) - most} more" if len(members) > most else ""
        yield text_line(f"  {signs[weight]}  {names}{more}")
    if proof.board:
        yield from _board(proof.board, signs)


def _sign(weight: int, found: Balance) -> str:
    if found.modulus == 2:
        return "#"
    if abs(weight) == 1:
        return "+" if weight == 1 else "-"
    return f"{weight:+}"


def _board(board: dict[tuple[int, int], int], signs: dict[int, str]) -> Iterator[Line]:
    """The weights of squares as a picture; no lines if it would be too large, or meaningless."""
    if any(len(s) > 1 for s in signs.values()):
        return
    rows, columns = zip(*board, strict=True)
    if max(max(rows) - min(rows), max(columns) - min(columns)) >= WIDEST_BOARD:
        return
    yield ()
    for r in range(min(rows), max(rows) + 1):
        squares = (board.get((r, c)) for c in range(min(columns), max(columns) + 1))
        yield text_line("  " + " ".join(" " if x is None else signs.get(x, ".") for x in squares).rstrip())


# --- answers ---


def _answered(why: Why, surface: Surface) -> Iterator[Line]:
    yield text_line("there is an answer" + ("; whether there is another is not known" if why.stopped else ""))
    yield from _pictures(why.answers, surface)


def _unique(why: Why, surface: Surface) -> Iterator[Line]:
    yield text_line("there is exactly one answer")
    yield from _pictures(why.answers, surface)


def _several(why: Why, surface: Surface) -> Iterator[Line]:
    places = differences(why)
    yield text_line("not unique: two answers" + (f" that differ in {quantity(len(places), 'place')}" if places else ""))
    yield from _pictures(why.answers, surface)
    if places:
        yield ()
    for place, one, other in places[:MOST_PLACES]:
        yield text_line(f"  {place}: {one} or {other}")
    if len(places) > MOST_PLACES:
        yield text_line(f"  … and {len(places) - MOST_PLACES} more")


def _pictures(answers: Sequence[Answer], surface: Surface, heads: Sequence[str] = ()) -> Iterator[Line]:
    """The answers side by side if the width allows it, otherwise below each other."""
    blocks = [draw(answer.pictures, surface) or [text_line("(nothing is chosen)")] for answer in answers]
    if heads:
        blocks = [[text_line(head, "title"), *block] for head, block in zip(heads, blocks, strict=True)]
    across = sum(max(width(plain([line])) for line in block) for block in blocks) + 3 * (len(blocks) - 1)
    for number, block in enumerate([beside(blocks)] if across <= surface.width else blocks):
        if number == 0 or across > surface.width:
            yield ()
        yield from block


def differences(why: Why) -> list[tuple[str, str, str]]:
    """Where two answers differ: the place, and what stands there in each. Pictures without coordinates are skipped."""
    found: list[tuple[str, str, str]] = []
    if len(why.answers) != 2:
        return found
    for one, other in zip(why.answers[0].pictures, why.answers[1].pictures, strict=True):
        marks: list[dict[tuple[int, ...], str]] = [{}, {}]
        for texts, picture in zip(marks, (one, other), strict=True):
            for mark in picture.marks:
                texts[mark.at] = f"{texts[mark.at]},{mark.text}" if mark.at in texts else mark.text
        for at in sorted(marks[0].keys() | marks[1].keys()):
            here = [texts.get(at, "nothing") for texts in marks]
            if here[0] != here[1]:
                found.append((f"({', '.join(map(str, at))})", here[0], here[1]))
    return found


# --- a choice ---


def _of_choice(why: Why, verdict: str, verb: str, others: str) -> Iterator[Line]:
    count = len(why.told)
    if why.given:
        yield text_line(f"{why.choice} is given, and {others}")
    else:
        yield text_line(f"{why.choice} {verdict}")
    one = verb.replace("force", "forces").replace("exclude", "excludes")
    if not why.minimal:
        yield text_line(f"at most these {count} {verb}; not proved minimal")
    elif count == 1:
        yield text_line(f"this {one}")
    else:
        yield text_line(f"these {count} {verb}, and none of them can be left out")
    yield from _members(why)


def _free(why: Why, surface: Surface) -> Iterator[Line]:
    if why.given:
        yield text_line(f"{why.choice} is given, and nothing else forces it: an answer with it and one without")
    else:
        yield text_line(f"{why.choice} is in some answers and not in others")
    yield from _pictures(why.answers, surface, ("with it", "without it"))


def _removed(why: Why, surface: Surface) -> Iterator[Line]:
    assert why.removed is not None
    yield text_line(f"{why.choice} is in no answer: the model removes this choice")
    yield from _table([why.removed])


def _unknown(why: Why, surface: Surface) -> Iterator[Line]:
    if why.choice is None:
        yield text_line("not known: the search was stopped before it was clear whether there is an answer")
    else:
        yield text_line(f"not known: the search for answers with {why.choice} and without it was stopped")
    if why.answers:
        with_it = any(str(c) == why.choice for c in why.answers[0].choices)
        yield text_line(f"there is an answer {'with' if with_it else 'without'} it; whether there is one "
                   f"{'without' if with_it else 'with'} it is open")  # fmt: skip


_WORDS: Mapping[str, Callable[[Why, Surface], Iterator[Line]]] = {
    IMPOSSIBLE: _impossible,
    COUNTED: _counted,
    CONFLICT: _conflict,
    ANSWERED: _answered,
    UNIQUE: _unique,
    SEVERAL: _several,
    FORCED: lambda why, _: _of_choice(why, "is in every answer", "force it", "the others force it, too"),
    EXCLUDED: lambda why, _: _of_choice(why, "is in no answer", "exclude it", "the others exclude it"),
    FREE: _free,
    REMOVED: _removed,
    UNKNOWN: _unknown,
}


def _places(value: Fraction) -> str:
    return quantity(value, "place", _number(value))


def _number(value: Fraction) -> str:
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
