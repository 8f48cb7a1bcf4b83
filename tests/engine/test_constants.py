"""Numeric constants at the heads of the engine's files: how many there are for tuning, and that each is explained.

Before you add one, ask whether half or twice as much moves any row by more than 1.3 times: if not, one that stands
already will do, or always, or never.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tests.modules import ROOT

# What can't be tuned, by file: codes, units and formats, what fits into a number, room for what is kept, the effort of
# a check that is asked for, and tables of priors.
FIXED = {
    "base/alone": "NEW_PROCESS_GROUP BELOW_NORMAL_PRIORITY MOST",
    "base/limits": "ROUND",
    "batch": "CHUNK_SPACE MOST_KEPT UNKNOWN",
    "check_estimate": "ROUNDS SIZE LARGE BOUNDS",
    "counting/part_count": "ANY ENTRY",
    "counting/side_states": "MOST_SLOTS",
    "counting/side_sweep": "ARC NODE MOST_WORDS",
    "diagrams/diagram": "AT_ONCE NODE",
    "kernels/batches/_check": "PAIR MOST_OPTIONS",
    "kernels/batches/_spell": "CODES",
    "kernels/batches/plain_batch": "OUT OWN",
    "kernels/cover/_cover_folds": "ROOM PER_MEMBER ONE",
    "kernels/cover/_cover_reductions": "ONE WORDS",
    "kernels/frontiers/_sweep": "LIMB",
    "kernels/frontiers/states": "FIRST_ROOM",
    "kernels/groups/_chain": "ROOT",
    "kernels/groups/_partition": "FACTOR",
    "kernels/proofs/_logged": "PAPER",
    "kernels/sets/_masks": "BEHIND",
    "kernels/sets/_memo": "FEWEST_BUCKETS",
    "kernels/shared/words": "WORD FULL_WORD",
    "kernels/sides/_sides": "SHARE",
    "minimum/alike": "LARGEST",
    "minimum/asked": "NATIVE",
    "minimum/bins": "MOST_THINGS MOST",
    "minimum/core": "IMPLIED MOST_VERTICES",
    "minimum/cover": "FAR NATIVE",
    "minimum/estimates": "SCALE",
    "minimum/mixed_core": "MOST_ROWS FINEST COARSEST",
    "minimum/mixed_tree": "OPEN",
    "minimum/one_total": "MOST",
    "minimum/sided_tree": "LARGEST_ROW",
    "minimum/sweep": "MOST_DOUBLINGS",
    "outside/process": "GIVE_WAY",
    "outside/solvers": "TOLERANCE",
    "pieces/ledger": "DIGITS MOST_CHILDREN",
    "pieces/piece_search": "LOST",
    "pieces/piece_work": "LEVEL HEAD MOST",
    "pieces/split": "DIGITS",
    "plan": "WAYS",
    "prepare/diagram": "WIDEST",
    "prepare/masks": "MASKS_MEMORY MOST",
    "prepare/sides": "MOST_BITS MOST_WORDS",
    "priors": "SHARES",
    "proofs/certificate": "MODULI",
    "proofs/conflict": "LIVE OUT",
    "proofs/decide": "DECISION",
    "proofs/logged": "SCALE",
    "puzzles/candidates": "MOST_LISTED MOST_KEPT",
    "puzzles/clues": "MEMO",
    "puzzles/fewest_clues": "ROOM MOST_ROOM MOST_NUMBERS",
    "puzzles/puzzle_attempts": "FULL",
    "sampling/probe": "SETTLED GROUPS RESAMPLES TAIL",
    "sampling/sample": "KEPT",
    "search": "MOST_WAITING",
    "settings": "ONE",
    "symmetries": "MOST_ENTRIES",
}
LARGE, SMALL = 1 << 28, 1e-6  # from and up to which a number is one of a range: of words, of sums, of rounding


class Constant(NamedTuple):
    """A number, or several, under a name of capital letters. place: its file below engine/, and its name."""

    place: str
    value: ast.expr
    line: int
    end: int


def constants_of(path: Path) -> Iterator[Constant]:
    """The constants at the head of a file that hold a number, those in tuples one by one."""
    place = path.relative_to(ROOT / "engine").with_suffix("").as_posix()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.AnnAssign) and node.value is not None:
            pairs = [(node.target, node.value)]
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Tuple):
            values = node.value.elts if isinstance(node.value, ast.Tuple) else []
            pairs = list(zip(node.targets[0].elts, values, strict=False))
        else:
            pairs = [(node.targets[0], node.value)] if isinstance(node, ast.Assign) else []
        for target, value in pairs:
            if isinstance(target, ast.Name) and target.id.isupper() and any(map(is_number, ast.walk(value))):
                yield Constant(f"{place} {target.id}", value, node.lineno, node.end_lineno or node.lineno)


def is_number(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def number(constant: Constant) -> float | None:
    """The number that a constant stands for; None for several, and for one that is worked out from others."""
    value = constant.value
    if isinstance(value, ast.Call):  # cython.declare(type, number)
        value = value.args[-1]
    try:
        found = eval(compile(ast.Expression(value), "<constant>", "eval"), {"__builtins__": {}})
    except NameError:
        return None
    return found if isinstance(found, int | float) else None


def codes(found: list[Constant]) -> set[str]:
    """Constants that only tell things apart: three or more in a row that go up from 0."""
    run: list[Constant] = []
    known: set[str] = set()
    for constant in [*found, None]:
        value = None if constant is None else number(constant)
        last = number(run[-1]) if run else None
        if constant is not None and last is not None and value in (last + 1, last + 2):
            run.append(constant)
            continue
        known |= {one.place for one in run} if len(run) > 2 else set()
        run = [constant] if constant is not None and value == 0 else []
    return known


def fixed() -> set[str]:
    """The constants of `FIXED`, by file and name."""
    return {f"{place} {name}" for place, names in FIXED.items() for name in names.split()}


def tuned() -> list[str]:
    """The constants for tuning, by file and name."""
    found: list[str] = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        own = list(constants_of(path))
        others = codes(own) | fixed()
        for constant in own:
            value = number(constant)
            ranged = value is not None and value != 0 and not SMALL < abs(value) < LARGE
            if constant.place not in others and not ranged:
                found.append(constant.place)
    return found


def test_few_constants_are_for_tuning() -> None:
    found = tuned()
    assert "base/limits QUICK" in found and "kernels/sides/_sides ENTER" not in found
    assert len(found) <= 257, f"{len(found)} constants are for tuning"


def test_what_is_said_to_be_fixed_is_there() -> None:
    places = {constant.place for path in (ROOT / "engine").rglob("*.py") for constant in constants_of(path)}
    assert fixed() - places == set()


def test_constants_are_explained() -> None:
    """By a comment that gives their unit and reason: in the same line, in the next, or above the group."""
    bare = []
    for path in sorted((ROOT / "engine").rglob("*.py")):
        lines = path.read_text(encoding="utf-8").split("\n")
        for constant in constants_of(path):
            if isinstance(constant.value, ast.Dict):
                continue
            own = lines[constant.line - 1 : constant.end + 1]
            above = constant.line - 2
            while lines[above][:1].isupper() and "#" not in lines[above]:
                above -= 1
            if not any("#" in line for line in [*own, lines[above]]):
                bare.append(constant.place)
    assert bare == []
