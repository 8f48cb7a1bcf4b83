"""The search of a model step by step, in the model's names: as sentences, and as fields for `--json` and the studio."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

from covr.explain.why import item_name
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.engine.proofs.trace import TraceStep

MOST_NAMES = 8  # names of covered or removed items and options that are listed for a step; the fields have all


class TraceWalk:
    """The steps of the search of a model, up to a limit.
    nodes, answers: so far.  complete: whether the search came to its end.  late: whether the limit of time ended it."""

    def __init__(self, compiled: Compiled, limit: int, seconds: float | None = None, spent: float = 0.0) -> None:
        """limit: nodes.  seconds: of search; None for no limit.  spent: how many of these are spent already."""
        self.compiled, self.limit, self.seconds = compiled, limit, seconds
        self.spent = spent
        self.late = False
        self.nodes, self.answers = 1, 0
        self.complete = False
        problem = compiled.problem
        self.item: Callable[[int], str] = cache(lambda i: item_name(compiled, i))
        self.side: Callable[[int], str] = cache(lambda k: problem.sides[k].name or "a condition without a name")
        self.option: Callable[[int], str] = cache(lambda o: problem.option_names[o])

    def steps(self) -> Iterator[TraceStep]:
        """The steps of the search that are to be shown."""
        from covr.engine.proofs.trace import ANSWER, LEAVE, TAKE

        for step in self._within():
            if step.kind in (TAKE, LEAVE):
                if self.nodes == self.limit:
                    return
                self.nodes += 1
            self.answers += step.kind == ANSWER
            yield step
        self.complete = not self.late

    def _within(self) -> Iterator[TraceStep]:
        """The steps until the limit of time, which also counts what is done with them meanwhile."""
        from covr.engine import Limits
        from covr.engine.base.limits import Deadline, LimitReached, Met, check_limits, limits_checked_by
        from covr.engine.proofs.trace import trace

        clock = Deadline(self.seconds, self.spent).start()
        met = Met(Limits(seconds=self.seconds), clock)
        steps = None
        while True:
            try:
                with limits_checked_by(met):
                    check_limits()
                    if steps is None:
                        steps = trace(self.compiled.problem, "all" if self.compiled.goal is None else "minimum")
                    step = next(steps, None)
            except LimitReached:
                self.late = True
                return
            if step is None:
                return
            yield step


def step_words(step: TraceStep, walk: TraceWalk) -> str:
    """A step as a sentence."""
    item = "" if step.item is None else walk.item(step.item)
    option = "" if step.option is None else walk.option(step.option)
    match step.kind:
        case "choose":
            return f"choose {item}: {_ways(step)}, the fewest{_ties(step)}"
        case "fail":
            has = "no option is left" if step.live == 0 else f"{quantity(step.live, 'option')} left"
            return f"{item}: {has}" + (f", {step.need} are wanted" if step.need > 1 else "")
        case "free":
            return f"every rule is met; {quantity(step.live, 'option')} may still be taken or left"
        case "take":
            return f"take {option} ({step.at} of {step.of})"
        case "leave":
            return f"leave {option} out ({step.at} of {step.of})"
        case "follows":
            return "before anything is tried"
        case "broken" if step.side is not None:
            return f"{walk.side(step.side)}: can't be kept any more"
        case "broken":
            return f"{item}: can't be met any more" if item else "what follows contradicts itself"
        case "given":
            return f"given {option}"
        case "clash":
            return f"given {option}: what was taken before excludes it"
        case "back":
            return f"undo {option}"
        case "dear":
            return "nothing below is better than the best answer so far"
    choices = ", ".join(map(walk.option, step.answer)) or "nothing is chosen"
    value = "" if step.cost is None else f", value {walk.compiled.value_of(step.cost)}"
    return f"answer {walk.answers}{value}: {choices}"


def _ways(step: TraceStep) -> str:
    if step.need == 1:
        return quantity(step.live, "option")
    return f"{step.need} of {quantity(step.live, 'option')}, {step.live - step.need + 1} ways"


def _ties(step: TraceStep) -> str:
    return f"; the first of {step.others + 1} such" if step.others else ""


def step_effects(step: TraceStep, walk: TraceWalk) -> Iterator[str]:
    """The effects of taking an option, one line each."""
    if step.covers:
        yield f"covers {_listed(step.covers, walk.item)}"
    if step.takes:
        yield f"takes {_listed(step.takes, walk.option)}"
    if step.removes:
        yield f"removes {_listed(step.removes, walk.option)}"


def _listed(numbers: Sequence[int], name: Callable[[int], str]) -> str:
    more = len(numbers) - MOST_NAMES
    shown = ", ".join(map(name, numbers[:MOST_NAMES]))
    return f"{shown} and {more} more" if more > 0 else shown


def step_fields(step: TraceStep, walk: TraceWalk) -> dict[str, object]:
    """A step as fields; those that don't apply to its kind are left out."""
    from covr.engine.proofs.trace import ANSWER, BROKEN, CHOOSE, FAIL, FOLLOWS, FREE, LEAVE, TAKE

    fields: dict[str, object] = {"step": step.kind, "depth": step.depth}
    if step.item is not None and step.kind == BROKEN:
        fields["item"] = walk.item(step.item)
    elif step.item is not None:
        fields |= {"item": walk.item(step.item), "options": step.live, "need": step.need}
    if step.kind in (CHOOSE, FAIL):
        fields["others"] = step.others
    if step.kind == FREE:
        fields["options"] = step.live
    if step.option is not None:
        fields["option"] = walk.option(step.option)
    if step.side is not None:
        fields["item"] = walk.side(step.side)
    if step.kind in (TAKE, LEAVE):
        fields |= {"number": step.at, "of": step.of}
    if step.kind in (TAKE, LEAVE, FOLLOWS) and walk.compiled.problem.sides:
        fields |= {
            "takes": list(map(walk.option, step.takes)), "removes": list(map(walk.option, step.removes)),
        }  # fmt: skip
    elif step.covers or step.removes:
        fields |= {
            "covers": list(map(walk.item, step.covers)), "removes": list(map(walk.option, step.removes)),
        }  # fmt: skip
    if step.kind == ANSWER:
        cost = None if step.cost is None else walk.compiled.value_of(step.cost)
        fields |= {"choices": list(map(walk.option, step.answer)), "cost": cost}
    return fields
