"""The commands that explain, make and convert: each function tests what one of them says by brute force."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

import covr
from covr.dsl.diagnostics import ModelErrors
from covr.engine import Problem
from covr.engine import check as check_answer
from covr.engine.proofs.conflict import Conflict
from covr.explain.why import Inquiry
from covr.explain.why_text import Member
from covr.questions.options import Options
from tests.net.kinds import Choice, said
from tests.net.scene import Scene, Wrong, answer_of, mine, refused, same

NARROWED = ("E510", "E505")  # refusals of questions about all answers


class _Heard(Inquiry):
    """Keeps the conflicts that it finds."""

    conflict: Conflict | None = None

    def _members(self, conflict: Conflict) -> tuple[Member, ...]:
        self.conflict = conflict
        return super()._members(conflict)


def why(scene: Scene) -> None:
    """A contradiction where there is no answer, and only there; it is one, and minimal."""
    inquiry = _Heard(scene.model.compiled, Options())
    found = inquiry.explain()
    none = found.verdict in ("impossible", "counted", "conflict")
    same((none, found.verdict != "unknown"), (not scene.drawn.every, True), f"why: {found.verdict}")
    if found.verdict == "conflict":
        assert inquiry.conflict is not None
        _contradicts(scene.model.problem, inquiry.conflict.constraints, found.minimal)
        for cure in found.cures:
            if cure.kind == "given":
                rest = frozenset(c for c in scene.drawn.draft.taken if _named(cure.name) != _squeezed(said(c)))
                same(any(True for _ in scene.drawn.tried(rest)), True, f"without {cure.name} there is an answer")
    str(found)
    scene.covr("why", scene.path)


def _named(name: str) -> str:
    return _squeezed(name.removeprefix("given ").partition(' "')[0])


def _squeezed(name: str) -> str:
    return name.replace(" ", "").removesuffix("()")


def _contradicts(problem: Problem, constraints: Sequence[int], minimal: bool) -> None:
    """No set of options keeps these constraints, and, if they are minimal, some set keeps all but any one of them."""
    if problem.options > 11:
        return
    parts = [_alone(problem, c) for c in constraints]
    broken_by = set()
    for k in range(problem.options + 1):
        for answer in combinations(range(problem.options), k):
            broken = [at for at, part in enumerate(parts) if check_answer(part, answer) is not None]
            if not broken:
                raise Wrong(f"no contradiction: {answer} keeps all of {constraints}")
            if len(broken) == 1:
                broken_by.update(broken)
    if minimal:
        same(len(broken_by), len(parts), "how many members of a minimal contradiction are needed")


def _alone(problem: Problem, constraint: int) -> Problem:
    """The problem with one constraint: an item, a given option, or a side."""
    items, options = problem.items, problem.options
    item = constraint if constraint < items else None
    side = constraint - items - options
    given = (constraint - items,) if item is None and side < 0 else ()
    own = [[(i, c) for i, c in zip(problem.option(o), problem.option_colours(o), strict=True) if i == item]
           for o in range(options)]  # fmt: skip
    low = tuple(problem.low[i] if i == item else 0 for i in range(items))
    high = tuple(problem.high[i] if i == item else 2 * options for i in range(items))
    starts, members, colours = [0], [], []
    for pairs in own:
        members += [i for i, _ in pairs]
        colours += [c for _, c in pairs]
        starts.append(len(members))
    return _Bare(problem, low, high, own, given, problem.sides[side : side + 1] if side >= 0 else ())  # type: ignore[return-value]


class _Bare:
    """The part of a problem that `check` reads."""

    def __init__(self, problem: Problem, low: object, high: object, own: object, given: object, sides: object) -> None:
        self.items, self.options, self.item_names, self.option_names = problem.items, problem.options, (), ()
        self.low, self.high, self.own, self.given, self.sides = low, high, own, given, sides

    def option(self, o: int) -> list[int]:
        return [i for i, _ in self.own[o]]  # type: ignore[index]

    def option_colours(self, o: int) -> list[int]:
        return [c for _, c in self.own[o]]  # type: ignore[index]


def why_a_choice(scene: Scene) -> None:
    """Why a choice is in every answer, in none or in some."""
    drawn = scene.drawn
    for choice in scene.rng.sample(drawn.draft.choices, min(3, len(drawn.draft.choices))):
        found = scene.model.why(said(choice))
        str(found)
        every = list(drawn.tried(frozenset(drawn.draft.taken - {choice})))  # a given is left out, to ask about it
        times = sum(choice in answer for answer in every)
        two_colours = not all(holds(frozenset({choice})) for holds in drawn.draft.coloured)
        removed = choice in drawn.draft.never or two_colours
        true = "removed" if removed else "excluded" if not times else "forced" if times == len(every) else "free"
        if every or removed:
            same(found.verdict, true, f"why {said(choice)}")
        elif found.verdict not in ("impossible", "counted", "conflict", "excluded", "forced"):
            raise Wrong(f"why {said(choice)}: {found.verdict}, and there is no answer")
    scene.covr("why", scene.path, said(drawn.draft.choices[0]))


def spare(scene: Scene) -> None:
    """A given is spare where the answers of the rules stay the same without it, and so are those that go together."""
    drawn = scene.drawn
    by = drawn.draft.by

    def without(given: set[Choice]) -> frozenset[frozenset[Choice]]:
        """The answers without some givens; with `answers by`, what of them tells one from another."""
        every = drawn.tried(frozenset(drawn.draft.taken - given))
        return frozenset(frozenset(c for c in answer if by is None or c[0] in by) for answer in every)

    whole = without(set())
    found = scene.model.spare("givens")
    same((found.stopped, found.minimal), (False, True), "spare: all is known")
    named = {_squeezed(said(c)): c for c in drawn.draft.taken}
    alone, together = ({named[_named(m.name)] for m in members} for members in (found.alone, found.together))
    for choice in drawn.draft.taken:
        same(choice in alone, without({choice}) == whole, f"{said(choice)} is spare")
    same(without(together), whole, "the answers without what is spare together")
    for choice in drawn.draft.taken - together:
        same(without({*together, choice}) != whole, True, f"{said(choice)} is needed by what is left")
    scene.covr("spare", scene.path)


def candidates(scene: Scene) -> None:
    drawn = scene.drawn
    try:
        table = scene.model.candidates(10_000)
    except ModelErrors as error:
        refused(error, *NARROWED)
        same(bool(drawn.draft.goal or drawn.draft.maps or drawn.draft.by is not None), True, "candidates are refused")
        same(scene.covr("candidates", scene.path).exit_code, 2, "covr candidates")
        return
    same((table.complete, table.solvable), (True, bool(drawn.every)), "candidates: complete, solvable")
    for candidate in table:
        choice = mine(candidate.choice.family, candidate.choice.args)
        times = sum(choice in answer for answer in drawn.every)
        true = "none" if not times else "all" if times == len(drawn.every) else "some"
        if drawn.every:
            same((candidate.verdict, candidate.count), (true, times), f"the candidate {said(choice)}")
    same(scene.covr("candidates", scene.path).exit_code, 0 if drawn.every else 1, "covr candidates")
    scene.covr("candidates", scene.path, "--count", "9")


def hints(scene: Scene) -> None:
    """Every step is forced, and a grade exists where there is exactly one answer."""
    drawn = scene.drawn
    grade = scene.covr("grade", scene.path)
    try:
        path = scene.model.hints()
    except ModelErrors as error:
        refused(error, *NARROWED)
        same((scene.covr("hint", scene.path).exit_code, grade.exit_code), (2, 2), "covr hint and covr grade")
        return
    every = drawn.every
    same((path.complete, path.solvable), (True, bool(every)), "hints: complete, solvable")
    same(grade.exit_code, 0 if len(every) == 1 else 1, "covr grade")
    for hint in path:
        for choice in hint.taken:
            same(
                all(mine(choice.family, choice.args) in a for a in every),
                True,
                f"step {hint.number}: {choice} is taken",
            )
        for choice in (*hint.out, *hint.struck):
            same(
                any(mine(choice.family, choice.args) in a for a in every), False, f"step {hint.number}: {choice} is out"
            )
        hint.as_text()
    if every:
        choices = {c for c in drawn.draft.choices if 0 < sum(c in a for a in every) < len(every)}
        same({mine(c.family, c.args) for c in path.open}, choices, "hints: what is open")
    said_ = scene.covr("hint", scene.path)
    same(said_.exit_code in (0, 1), True, "covr hint")
    scene.covr("hint", scene.path, "--all", "--json")


def made(scene: Scene) -> None:
    """A made puzzle has the answer that it says, no other, and no clue too many."""
    drawn = scene.drawn
    family = scene.rng.choice(sorted(drawn.draft.families))
    fewest = scene.rng.random() < 0.4
    try:
        puzzles = scene.model.make(1, clues=family, seed=2, fewest=fewest, limit_time=2)
    except ModelErrors as error:
        refused(error, *NARROWED, "E515", "E516")
        return
    rest = frozenset(c for c in drawn.draft.taken if c[0] != family or c in drawn.draft.fixed)
    for puzzle in puzzles:
        clues = answer_of(puzzle.clues)
        every = list(drawn.tried(rest | clues))
        same(every, [answer_of(puzzle.answer)], "the answers of a made puzzle")
        if puzzle.minimal:
            for clue in clues:
                fewer = list(drawn.tried((rest | clues) - {clue}))
                same(len(fewer) > 1, True, f"the clue {said(clue)} is needed")
        if fewest and puzzle.proved:
            for some in combinations(answer_of(puzzle.answer) - rest, max(len(clues) - 1, 0)):
                if clues and all(c[0] == family for c in some):
                    same(len(list(drawn.tried(rest | set(some)))) > 1, True, "fewer clues leave several answers")
        puzzle.as_text()
    scene.covr("make", scene.path, "--seed", "1", "--limit-time", "1")


def diagram(scene: Scene) -> None:
    """The diagram of all answers."""
    drawn = scene.drawn
    path = str(scene.folder / "all.covrdd")
    code = scene.covr("compile", scene.path, "-o", path).exit_code
    try:
        answers = scene.model.compile()
    except ModelErrors as error:
        refused(error, *NARROWED)
        same(code, 2, "covr compile")
        return
    same(answers.count(), len(drawn.every), "the diagram's count")
    same({answer_of(a) for a in answers}, set(drawn.every), "the diagram's answers")
    for choice, times in answers.counts().items():
        true = sum(_squeezed(choice) in {_squeezed(said(c)) for c in answer} for answer in drawn.every)
        same(times, true, f"how many answers of the diagram hold {choice}")
    if drawn.best is not None:
        best = next(iter(answers.best()), None)
        assert best is not None
        same((best[0], drawn.cost(answer_of(best[1]))), (drawn.best, drawn.best), "the diagram's best answer")


def converted(scene: Scene) -> None:
    """Every format is written or refused, and read back it has the same answers."""
    drawn = scene.drawn
    for suffix in ("dlx", "json", "lp", "mps", "opb", "cnf", "wcnf", "mzn"):
        path = str(scene.folder / f"out.{suffix}")
        code = scene.covr("convert", scene.path, path).exit_code
        same(code in (0, 2), True, f"convert to {suffix}: exit code {code}")
        if suffix == "json":
            same(code, 0, "convert to json")
        if suffix in ("dlx", "json") and code == 0:
            again = covr.load(path)
            keys = {drawn.key(a) for a in drawn.wanted} if drawn.draft.by is not None else drawn.wanted
            if drawn.draft.goal and again.goal is None:
                keys = drawn.every
            same(again.count(), len(keys), f"the count of what was converted to {suffix}")


def looked_at(scene: Scene) -> None:
    """`show`, `trace`, `check`, `size`, `params` and `fmt` end as they should."""
    for args in (("show",), ("show", "--items", "--options"), ("show", "--symmetries"), ("params",), ("check",),
                 ("check", "--json"), ("trace", "--limit-nodes", "50"), ("size", "--probes", "3")):  # fmt: skip
        code = scene.covr(args[0], scene.path, *args[1:]).exit_code
        refusals = bool(scene.drawn.draft.by is not None) and args[0] in ("trace", "size")
        same(code in ((2,) if refusals else (0, 1, 3)), True, f"covr {' '.join(args)}: exit code {code}")


def formatted(scene: Scene) -> None:
    """Formatted, a model means the same, and stays as it is."""
    path = scene.folder / "formatted.cover"
    path.write_text(scene.text, encoding="utf-8")
    same(scene.covr("fmt", str(path)).exit_code, 0, "covr fmt")
    once = path.read_text(encoding="utf-8")
    same(covr.loads(once).count(), len(scene.drawn.keys), "the count of the formatted model")
    scene.covr("fmt", str(path))
    same(path.read_text(encoding="utf-8"), once, "formatted twice")


def drawn_as_pictures(scene: Scene) -> None:
    """Pictures are drawn, in text and as SVG."""
    for answer in scene.model.solutions(1):
        str(answer)
        answer.svg()
    scene.covr("solve", scene.path, "-o", str(scene.folder / "picture.svg"))
