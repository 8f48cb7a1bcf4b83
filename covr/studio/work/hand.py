"""Solving by hand: what is pencilled in, what clashes, and whether it is right so far."""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.dsl.diagnostics import ModelErrors, Source, Span
from covr.engine import search
from covr.engine.base.limits import Limits, Status
from covr.engine.check import broken, check
from covr.engine.problem import Areas, Circuit, Connection, Forest, Problem, Side, Total, options_of
from covr.engine.proofs.area_shapes import AreasShape
from covr.faults import usage_error
from covr.frozen import frozen
from covr.studio.work.answers import drawn
from covr.studio.work.asked import Events, StudioQuestion

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.display.prints import Picture

# --- What somebody has pencilled in while solving by hand: choices that are taken, and choices that are crossed out ---
# They are options of a question (`taken` and `out`, choices as they are printed). What is taken counts as given; what
# is crossed out is excluded by one condition beside the matrix, so that no number of an option or an item changes.


MOST_PLACES = 20_000  # choices whose places are told
NAME = "pencil"  # what messages call the place of what is pencilled in
CROSSED = "what is crossed out"
MOST = 20_000  # marks


@frozen
class Pencil:
    """What is pencilled in, as numbers of options: taken, and out."""

    taken: tuple[int, ...]
    out: tuple[int, ...]


def pencil_of(compiled: Compiled, options: Mapping[str, Any]) -> Pencil:
    """What is pencilled in, without choices that the model does not have any more. Raises ModelErrors E502 for no list
    of texts."""
    number = {str(name): option for option, name in enumerate(compiled.problem.option_names)}
    taken, out = ({number[x] for x in _names(options, which) if x in number} for which in ("taken", "out"))
    return Pencil(tuple(sorted(taken)), tuple(sorted(out - taken)))


def _names(options: Mapping[str, Any], which: str) -> Sequence[str]:
    found = options.get(which) or []
    if not isinstance(found, list) or len(found) > MOST or not all(isinstance(x, str) for x in found):
        raise usage_error("E502", f"`{which}` is a list of choices")
    return found


def pencilled(compiled: Compiled, pencil: Pencil) -> Compiled:
    """The model with what is pencilled in."""
    if not pencil.taken and not pencil.out:
        return compiled
    compiled.pictures(())  # what is drawn once for all answers is kept, and shared with the copy
    twin = copy.copy(compiled)
    for name in ("impossible", "warnings", "symmetry"):
        twin.__dict__.pop(name, None)
    problem, lowered = compiled.problem, compiled.lowered
    given = tuple(sorted({*problem.given, *pencil.taken}))
    sides = (*problem.sides, *_crossed(pencil.out))
    new = [o for o in pencil.taken if o not in problem.given]
    givens = (*lowered.givens, *_as_givens(compiled, new))
    changed = evolve(lowered, problem=evolve(lowered.problem, given=given, sides=sides), givens=givens)
    vars(twin).update(problem=evolve(problem, given=given, sides=sides), lowered=changed)
    return twin


def _crossed(out: Sequence[int]) -> tuple[Total, ...]:
    return (Total(tuple((o, 1) for o in out), ((0, 0),), CROSSED),) if out else ()


def _as_givens(compiled: Compiled, options: Iterable[int]) -> list[Any]:
    from covr.compiler.lower.marks import GivenChoice

    found = []
    for option in options:
        choice = compiled.choice(option)
        family, name = compiled.lowered.families.get(choice.family), str(choice)
        if family is not None:
            span = Span(Source(NAME, name), 0, len(name))
            found.append(GivenChoice(compiled.lowered.option_choices[option], None, family, choice.args, span))
    return found


# --- What is wrong with choices that are pencilled in: the rules that they break, or that can't be kept any more ------
# Nothing is searched, so it is there at once, and says nothing of what follows only after some thought: that is what
# `check` is for. A rule is broken if too many of its choices are taken, and out of reach if those that are left are too
# few. A choice is left if it is neither taken nor crossed out nor excluded by what is taken.


@frozen
class Clash:
    """A rule, what is wrong with it, and the taken options that make it so. broken: whether they break it already."""

    rule: str
    how: str
    options: tuple[int, ...]
    broken: bool = False


def clashes(problem: Problem, taken: Iterable[int], out: Iterable[int]) -> list[Clash]:
    """What is wrong, in the order of the items and sides. taken: with what is given. Time linear in the problem."""
    chosen = frozenset(taken)
    crossed = frozenset(out)
    found: list[Clash] = []
    met, colour, odd = _met(problem, chosen)
    left = [o for o in _beside(problem, chosen, met, colour) if o not in crossed]
    spare: Counter[int] = Counter(i for o in left if o not in chosen for i in problem.option(o))
    for i in range(problem.items):
        own = tuple(o for o in problem.holders[i] if o in chosen) if met[i] else ()
        if i in odd:
            found.append(Clash(_name(problem, i), "two of these do not agree", own, True))
        elif met[i] > problem.high[i]:
            found.append(Clash(_name(problem, i), "too many", own, True))
        elif met[i] + spare[i] < problem.low[i]:
            found.append(Clash(_name(problem, i), "nothing that is left can keep it", own))
    remaining = frozenset(left)
    for side in problem.sides:
        found.extend(_of_side(side, chosen, remaining))
    return found


def places(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """For each place of the pictures, the choices that would mark it, and what each choice writes there."""
    options = range(min(compiled.problem.options, MOST_PLACES))
    found: dict[str, list[str]] = {}
    texts: dict[str, str] = {}
    sure, printed, free = settled(compiled.problem), set[str](), set[str]()
    for number, picture in enumerate(compiled.pictures(tuple(options))):
        for mark in picture.marks:
            place = (1, *mark.at) if picture.axes == 1 else mark.at  # a strip is drawn as a board of one row
            at = f"{number}:{','.join(map(str, place))}"
            if mark.given:
                printed.add(at)
            if mark.option >= 0:
                if mark.option not in sure:
                    free.add(at)
                name = compiled.problem.option_names[mark.option]
                found.setdefault(at, []).append(name)
                texts.setdefault(name, mark.text)
    fixed = sorted(printed - free)
    events.tell("places", places=found, texts=texts, given=fixed, cut=len(options) < compiled.problem.options)
    return {"status": "done", "words": "", "figures": {}}


def settled(problem: Problem) -> frozenset[int]:
    """The options that the givens settle at once: they are given, or can't be taken beside those that are."""
    given = frozenset(problem.given)
    met, colour, _ = _met(problem, given)
    return frozenset(range(problem.options)) - (frozenset(_beside(problem, given, met, colour)) - given)


def _met(problem: Problem, chosen: frozenset[int]) -> tuple[Counter[int], dict[int, int], set[int]]:
    """How often each item is met by what is chosen, with which colour, and where colours do not agree."""
    colour: dict[int, int] = {}
    met: Counter[int] = Counter()  # a colour counts once, however many options show it
    odd: set[int] = set()
    for o in sorted(chosen):
        for i, shade in zip(problem.option(o), problem.option_colours(o), strict=True):
            if shade == 0 or i not in colour:
                met[i] += 1
            if shade and colour.setdefault(i, shade) != shade:
                odd.add(i)
    return met, colour, odd


def _beside(problem: Problem, chosen: frozenset[int], met: Counter[int], colour: dict[int, int]) -> list[int]:
    """What is chosen, and what can be taken beside it."""
    full = {i for i, times in met.items() if times >= problem.high[i]}
    return [o for o in range(problem.options) if o in chosen or _fits(problem, o, full, colour)]


def _fits(problem: Problem, o: int, full: set[int], colour: dict[int, int]) -> bool:
    for i, shade in zip(problem.option(o), problem.option_colours(o), strict=True):
        if shade and i in colour:
            if colour[i] != shade:
                return False
        elif i in full:
            return False
    return True


def _name(problem: Problem, item: int) -> str:
    return problem.item_names[item] if problem.item_names else f"item {item}"


def _of_side(side: Side, taken: frozenset[int], left: frozenset[int]) -> Iterator[Clash]:
    if isinstance(side, Total):
        sure = sum(c for o, c in side.terms if o in taken)
        low = sure + sum(c for o, c in side.terms if c < 0 and o in left and o not in taken)
        high = sure + sum(c for o, c in side.terms if c > 0 and o in left and o not in taken)
        if not any(a <= high and low <= b for a, b in side.sums):
            yield Clash(side.name, "the sum can't be reached", tuple(o for o, _ in side.terms if o in taken))
    elif isinstance(side, Connection):
        yield from _apart(side, taken, left)
    elif isinstance(side, Forest):
        wrong = broken(side, taken)
        if wrong is not None:
            yield Clash(
                side.name, "a ring is closed", tuple(dict.fromkeys(o for o, _ in side.places if o in taken)), True
            )
    elif isinstance(side, Circuit):
        yield from _no_loop(side, taken)
    elif isinstance(side, Areas) and not AreasShape(side, taken, left - taken).possible({}):
        about = tuple(o for o in options_of(side) if o in taken)
        yield Clash(side.name, "an area can't be as it should", about)


def _apart(side: Connection, taken: frozenset[int], left: frozenset[int]) -> Iterator[Clash]:
    """Places that are taken, and that nothing which is left can connect."""
    open_places = {v for o, v in side.places if o in left}
    group = _groups((u, v) for u, v in side.edges if u in open_places and v in open_places)
    needed = [(o, v) for o, v in side.places if o in taken]
    if len({group.get(v, v) for _, v in needed}) > 1:
        yield Clash(side.name, "this can't hang together", tuple(dict.fromkeys(o for o, _ in needed)))


def _no_loop(side: Circuit, taken: frozenset[int]) -> Iterator[Clash]:
    """A vertex that is met three times, or a loop beside which something else is taken."""
    edges = [(o, u, v) for o, u, v in side.ends if o in taken]
    met = Counter(x for _, u, v in edges for x in (u, v))
    crowded = {x for x, times in met.items() if times > 2}
    if crowded:
        yield Clash(side.name, "it branches", tuple(o for o, u, v in edges if u in crowded or v in crowded), True)
        return
    group = _groups((u, v) for _, u, v in edges)
    size = Counter(group.get(u, u) for _, u, _ in edges)
    closed = {g for g in size if all(met[x] == 2 for x in met if group.get(x, x) == g)}
    if closed and len(size) > 1:
        inside = tuple(o for o, u, _ in edges if group.get(u, u) in closed)
        yield Clash(side.name, "a loop is closed, and there is more beside it", inside, True)


def _groups(edges: Iterable[tuple[int, int]]) -> dict[int, int]:
    """For each vertex of some edges, one vertex of its connected piece, the same for all of it."""
    parent: dict[int, int] = {}

    def root(x: int) -> int:
        while parent.setdefault(x, x) != x:
            parent[x] = parent[parent[x]]
            x = parent[x]
        return x

    for u, v in edges:
        parent[root(u)] = root(v)
    return {x: root(x) for x in list(parent)}


def foremost(found: Sequence[Clash]) -> Sequence[Clash]:
    """What is worth telling: rules that are broken, if there are any, and otherwise all."""
    return [clash for clash in found if clash.broken] or found


# --- Solving by hand: what is pencilled in is drawn, clashes are told, and whether it is right so far, or done --------


MOST_CLASHES = 12  # that are told
SOLVED = 4.0  # seconds in which it is found out whether the puzzle is solved


def hand(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """What is pencilled in as a picture, what clashes, and whether it is solved; with `candidates`, what can stand
    where."""
    pencil = pencil_of(compiled, asked.options)
    taken = sorted({*compiled.problem.given, *pencil.taken})
    found = foremost(clashes(compiled.problem, taken, pencil.out))
    pictures = compiled.unfinished(taken)
    if asked.options.get("candidates") is True and not found:
        pictures = _left(compiled, pencil, asked, events) or pictures
    events.tell("picture", **drawn(pictures, asked, compiled.title))
    names = compiled.problem.option_names
    events.tell(
        "clashes",
        clashes=[
            {"rule": clash.rule, "how": clash.how, "choices": [str(names[o]) for o in clash.options]}
            for clash in found[:MOST_CLASHES]
        ],
        more=max(0, len(found) - MOST_CLASHES),
    )
    solved = not found and bool(pencil.taken) and _solved(compiled, pencil)
    kept = {which: [str(names[o]) for o in marks] for which, marks in (("taken", pencil.taken), ("out", pencil.out))}
    events.tell("hand", solved=solved, **kept)
    return {"status": "done", "words": "solved" if solved else "", "figures": {}}


def _left(compiled: Compiled, pencil: Pencil, asked: StudioQuestion, events: Events) -> tuple[Picture, ...] | None:
    """What can still stand where, as pictures; None if there is no answer, or if that can't be told of this model."""
    from covr.questions.candidates import CandidateRun

    plain = compiled.without_symmetry() if compiled.has_symmetry else compiled
    try:
        run = CandidateRun(pencilled(plain, pencil), asked.limits, None)
        with events.following(run):
            table = run.table()
    except ModelErrors as errors:
        events.note(errors.diagnostics[0].message)
        return None
    events.tell("left", solvable=table.solvable)
    return tuple(table.pictures()) if table.solvable else None


def _shown(compiled: Compiled) -> frozenset[int]:
    """The options that some picture shows: the others are helpers, which nobody pencils in."""
    marks = (mark for picture in compiled.pictures(tuple(range(compiled.problem.options))) for mark in picture.marks)
    return frozenset(mark.option for mark in marks if mark.option >= 0)


def _solved(compiled: Compiled, pencil: Pencil) -> bool:
    """Whether there is an answer that shows exactly what is taken."""
    problem = compiled.problem
    taken = {*problem.given, *pencil.taken}
    if check(problem, sorted(taken)) is None:
        return True
    rest = tuple(sorted(_shown(compiled) - taken))
    only = Total(tuple((o, 1) for o in rest), ((0, 0),), "nothing else")
    sides = (*problem.sides, only) if rest else problem.sides
    exactly = evolve(problem, given=tuple(sorted(taken)), sides=sides, costs=(), projection=None)
    return _answerable(exactly, SOLVED) is True


def _answerable(problem: Problem, seconds: float) -> bool | None:
    """Whether a problem has an answer; None if that is not known in time."""
    run = search(problem, limits=Limits(seconds=seconds, answers=1))
    for _ in run:
        return True
    return False if run.status is Status.EXHAUSTED else None


def checked(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Whether some answer has all that is pencilled in; if not, what of it is in no answer, or wrongly crossed out."""
    pencil = pencil_of(compiled, asked.options)
    if not pencil.taken and not pencil.out:
        return _tell_verdict(events, "nothing", "nothing is pencilled in", [])
    whole = evolve(pencilled(compiled, pencil).problem, costs=(), projection=None)
    fine = _answerable(whole, asked.limits.limit_time or 60.0)
    if fine:
        return _tell_verdict(events, "right", "right so far: there is an answer with all of it", [])
    if fine is None:
        return _tell_verdict(events, "unknown", "not known: it takes too long to find out", [])
    return _tell_verdict(events, "wrong", *_wrong(compiled, pencil, asked, events))


def _wrong(compiled: Compiled, pencil: Pencil, asked: StudioQuestion, events: Events) -> tuple[str, list[str]]:
    """What is wrong, in words, and the choices that are. There is no answer with all that is pencilled in."""
    from covr.questions.candidates import CandidateRun

    plain = compiled.without_symmetry() if compiled.has_symmetry else compiled
    try:
        run = CandidateRun(plain, asked.limits, None)
        with events.following(run):
            table = run.table()
    except ModelErrors:
        return "wrong: no answer has all of it", []
    if table.solvable is False:
        return "the puzzle itself has no answer", []
    names = compiled.problem.option_names
    verdict = {str(c.choice): c.verdict for c in table}
    taken, out = ([str(names[o]) for o in marks] for marks in (pencil.taken, pencil.out))
    wrong = [x for x in taken if verdict.get(x) == "none"] + [x for x in out if verdict.get(x) == "all"]
    if not wrong:
        return "wrong: no answer has all of it, though each by itself is in one", []
    return f"{len(wrong)} of {len(taken) + len(out)} {'is' if len(wrong) == 1 else 'are'} wrong", wrong


def _tell_verdict(events: Events, verdict: str, words: str, wrong: list[str]) -> dict[str, Any]:
    events.tell("checked", verdict=verdict, words=words, wrong=wrong)
    return {"status": "done", "words": words, "figures": {}}
