"""Verdicts as sentences with their exit codes, and the command that says more."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from covr.inputs.library import STDIN
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN
from covr.questions.answer import digits

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.compiled import Broken
    from covr.compiler.lower.lowered import StageValue
    from covr.questions.run import Best
    from covr.questions.verify import Ending

# --- hint ------------------------------------------------------------------------------------------------------------
# Hints: the command that explains a message further.


LONGEST = 100  # characters: a longer value of a param is not repeated in a hint


def why_command(compiled: Compiled, choice: str = "") -> str:
    """The command `covr why MODEL` for this model, with the values that were set for its params."""
    from covr.compiler import FromText

    name = compiled.model.source.name
    words = ["covr", "why", STDIN if name == "<stdin>" else shlex.quote(name)]
    for param, value in compiled.scope.overrides.items():
        if isinstance(value, FromText):
            short = len(value.text) <= LONGEST and value.text.isprintable()
            words += ["-D", shlex.quote(f"{param}={value.text}") if short else f"{param}=…"]
    return " ".join([*words, f'"{choice}"'] if choice else words)


# --- verdicts --------------------------------------------------------------------------------------------------------
# Verdicts as sentences, and the exit codes that go with them.


# What is said where a search for a first answer takes long and clingo is not installed.
WOULD_LEARN = "with pip install 'covr[clingo]' a solver that learns from dead ends searches, too, often much sooner"


MOST_BROKEN = 30  # broken wishes, and changes, that are listed below a picture


def solutions(count: int) -> str:
    """A number of solutions in words: `1 solution`, `2 solutions`."""
    return f"{digits(count)} solution{'' if count == 1 else 's'}"


def optimum(best: Best, goal: str) -> str:
    """The best value in words: `minimum 5, proved`, or `best 7, at least 5` if a limit was reached. Of several goals in
    order, each is told: `minimum 5, proved; then best 7, at least 5`."""
    if best.stages:
        return in_order(best.stages)
    if best.proved:
        return f"{'minimum' if goal == 'minimize' else 'maximum'} {best.value}, proved"
    if best.bound is None:
        return f"best {best.value}, not proved"
    return f"best {best.value}, at {'least' if goal == 'minimize' else 'most'} {best.bound}"


def in_order(stages: Sequence[StageValue]) -> str:
    """The values of goals in order, in words."""
    return "; then ".join(map(_stage, stages))


def broken_wishes(broken: Sequence[Broken]) -> Iterator[str]:
    """The wishes that an answer breaks, a line each; of many, the dearest."""
    yield f"broken, cost {sum(wish.cost for wish in broken)}:"
    dearest = sorted(broken, key=lambda wish: -wish.cost)[:MOST_BROKEN]
    for wish in [wish for wish in broken if wish in dearest][:MOST_BROKEN]:
        yield f"  {wish}"
    if len(broken) > MOST_BROKEN:
        yield f"  … and {len(broken) - MOST_BROKEN} more; --json tells all"


def changes(number: int) -> str:
    """A number of changes in words."""
    return "nothing changed" if number == 0 else f"{number} change{'' if number == 1 else 's'}"


def changed_choices(changed: tuple[Sequence[str], Sequence[str]]) -> Iterator[str]:
    """What is not as in the earlier answer, a line each; of many, the first."""
    added, removed = changed
    yield f"{changes(len(added) + len(removed))} from the earlier answer:"
    lines = [*(f"  + {name}" for name in added), *(f"  - {name}" for name in removed)]
    yield from lines[:MOST_BROKEN]
    if len(lines) > MOST_BROKEN:
        yield f"  … and {len(lines) - MOST_BROKEN} more; --json tells all"


def _stage(stage: StageValue) -> str:
    if stage.kind == "near":
        if stage.bound == stage.value:
            return f"{changes(stage.value)}, the fewest"
        return changes(stage.value) + ("" if stage.bound is None else f", at least {stage.bound}")
    least = stage.kind == "minimize"
    if stage.bound == stage.value:
        return f"{'minimum' if least else 'maximum'} {stage.value}, proved"
    if stage.bound is None:
        return f"{stage.value}, not proved"
    return f"best {stage.value}, at {'least' if least else 'most'} {stage.bound}"


def stopped(run: Ending) -> str:
    """Why a search ended before it was finished, in words."""
    if run.status == "interrupted":
        return "interrupted"
    options = run.options
    return {
        "nodes": f"stopped after {run.session_nodes} nodes",
        "memory": f"stopped at {size(options.limit_memory or options.usual_memory or 0)} of memory",
        "answers": f"stopped after {options.limit_answers} solutions",
    }.get(run.reached or "", f"stopped after {options.limit_time or 0:g} s")


def size(bytes: int) -> str:
    """A number of bytes in words: `512 MB`, `2 GB`."""
    return f"{bytes / 1e9:g} GB" if bytes >= 1e9 else f"{bytes / 1e6:g} MB"


def at_goal(stages: Sequence[StageValue]) -> str:
    """Which of several goals in order a search is at, in words: `goal 1 of 2`."""
    from covr.compiler.lower.lowered import current

    return f"goal {current(stages)} of {len(stages)}"


def share(run: Ending) -> str:
    """How much of the tree is done, in words: `; 61.3 % of the tree`. Empty if that is unknown, or next to nothing."""
    return "" if run.fraction is None or run.fraction < 0.0005 else f"; {100 * run.fraction:.1f} % of the tree"


def exit_code(run: Ending, shown: int, whole: bool) -> int:
    """The exit code of a search. shown: answers found.  whole: whether the question was about all answers, so that it
    stays open until all are found."""
    if run.status == "interrupted":
        return INTERRUPTED
    if run.complete:
        return FOUND if shown else NONE
    if (run.status == "limit" and (whole or not shown)) or (whole and run.reached == "answers"):
        return UNKNOWN
    return FOUND
