"""What a run file is about: the question, and the model with every file that was read for it."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import asdict

from covr import __version__
from covr.compiler import Compiled, FromText, compile_model
from covr.compiler.lower.lowered import Stage, StageValue, stage_values, taken_apart
from covr.dsl.diagnostics import ModelErrors, Source
from covr.dsl.load import replaying
from covr.faults import usage_error
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine import Problem
    from covr.runs.contents import Contents

# The engines that can search in pieces.
ENGINES = ("auto", "bits", "memo", "cover", "mixed", "links", "sides", "reference")


@frozen
class RecordedQuestion:
    """A question as it is stored. command: `solve` or `count`.  limit, unique, listed: as in `Question`
    (covr/cli/solve.py).  seed: that of the order, or None.

    All sessions of a run ask the same question. How they search (estimate, engine) may differ.
    """

    command: str
    limit: int | None = None
    unique: bool = False
    listed: bool = False
    seed: int | None = None

    @property
    def words(self) -> str:
        """The question as a command, such as `covr solve --all`."""
        if self.command == "count":
            words = "covr count"
        elif self.unique:
            words = "covr solve --unique"
        elif self.listed:
            words = "covr solve --all" if self.limit is None else f"covr solve -n {self.limit}"
        else:
            words = "covr solve"
        return words if self.seed is None else f"{words} --seed {self.seed}"


def fingerprint(problem: Problem, goal: str | None) -> str:
    """A checksum of a matrix and its goal, the same for equal problems. Time linear in the matrix."""
    sum = blake2b(digest_size=20)
    sizes = (problem.items, problem.options, problem.primary, bool(problem.colours), bool(problem.costs), goal)
    sum.update(repr(sizes).encode())
    for numbers in (problem.low, problem.high, problem.starts, problem.members, problem.colours, problem.costs):
        sum.update(b"|" + array("q", numbers).tobytes())
    sum.update(repr(problem.given).encode())
    if problem.sides:
        sum.update(repr(problem.sides).encode())
    if problem.projection is not None:
        sum.update(b"told" + repr(problem.projection).encode())
    return sum.hexdigest()


def describe(compiled: Compiled, question: RecordedQuestion, how: Mapping[str, Any]) -> dict[str, str]:
    """The rows of the table `about`. how: the engine and the estimate. Raises ModelErrors E708 for values that can't be
    stored."""
    source = compiled.model.source
    given = [
        [name, value.text, value.name, value.plain]
        for name, value in compiled.scope.overrides.items()
        if isinstance(value, FromText)
    ]
    if len(given) < len(compiled.scope.overrides):
        raise usage_error("E708", "a run file keeps params that are given as text, not Python values")
    return {
        "covr": __version__,
        "question": json.dumps(asdict(question)),
        "how": json.dumps(how),
        "model": json.dumps([source.name, source.text, source.path]),
        "params": json.dumps(given),
        "title": compiled.title,
        "goal": json.dumps(compiled.goal),
        "stages": json.dumps([[s.kind, s.weight, s.least, s.most, s.offset] for s in compiled.lowered.stages]),
        "fingerprint": fingerprint(compiled.problem, compiled.goal),
    }


def question_of(contents: Contents) -> RecordedQuestion:
    """The question with which a run file was begun. Raises ModelErrors E704 if the file holds none."""
    if NEEDED - set(contents.about):
        raise usage_error("E704", "the run file is damaged: it does not say what was asked")
    return RecordedQuestion(**json.loads(contents.about["question"]))


# What every run file says of itself.
NEEDED = {"covr", "question", "how", "model", "params", "title", "goal", "fingerprint"}


def about_fault(about: Mapping[str, str]) -> str | None:
    """What is wrong with the values of the table `about`; None if covr writes such values."""
    for key, value in about.items():
        check = VALUES.get(key.partition(" ")[0])
        try:
            if check is not None and not check(value if key.startswith("budget ") else json.loads(value)):
                return f"what it says of `{key}` makes no sense"
        except (ValueError, RecursionError):
            return f"what it says of `{key}` can't be read"
    return None


def _whole(value: Any, least: int | None = None) -> bool:
    return type(value) is int and (least is None or value >= least)


def _question(value: Any) -> bool:
    kinds: dict[str, Callable[[Any], bool]] = {
        "command": lambda one: one in ("solve", "count"),
        "limit": lambda one: one is None or _whole(one, 1),
        "unique": lambda one: type(one) is bool,
        "listed": lambda one: type(one) is bool,
        "seed": lambda one: one is None or _whole(one),
    }
    return type(value) is dict and set(value) == set(kinds) and all(kinds[key](one) for key, one in value.items())


def _fields(value: Any, *kinds: type) -> bool:
    return type(value) is list and [type(one) for one in value] == list(kinds)


def _stage(value: Any) -> bool:
    return _fields(value, str, int, int, int, int) and value[1] > 0


def _part(value: Any) -> bool:
    return _fields(value, int, bool, str)


# By the first word of a key of the table `about`: whether its value, read as JSON, is one that covr writes.
VALUES: Mapping[str, Callable[[Any], bool]] = {
    "question": _question,
    "how": lambda v: type(v) is dict and set(v) == {"engine", "estimate"} and {*map(type, v.values())} == {str},
    "model": lambda v: _fields(v, str, str, str),
    "params": lambda v: type(v) is list and all(_fields(one, str, str, str, bool) for one in v),
    "goal": lambda v: v in (None, "minimize", "maximize"),
    "stages": lambda v: type(v) is list and all(map(_stage, v)),
    "classes": lambda v: type(v) is dict and type(v.get("group")) is str and type(v.get("parts")) is list
    and all(map(_part, v["parts"])),
    "folder": lambda v: type(v) is list and len(v) == 4 and _whole(v[0], 0) and v[1] in ("list", "count", "minimum")
    and (v[2] is None or _whole(v[2])) and type(v[3]) in (int, float) and 0 < v[3] < float("inf"),
    "budget": lambda v: [one.isascii() and one.isdecimal() and int(one) > 0 for one in v.split()] == [True, True],
}  # fmt: skip


def name_of(contents: Contents) -> str:
    """The model's name, as it was given."""
    name: str = json.loads(contents.about["model"])[0]
    return name


def how_of(contents: Contents) -> dict[str, Any]:
    """The engine and the estimate of the run."""
    found: dict[str, Any] = json.loads(contents.about["how"])
    return found


def model_of(file: Path, contents: Contents) -> Compiled:
    """The model of a run file, compiled again. Raises ModelErrors E709 if this covr makes another problem of it."""
    from covr.inputs.library import checked
    from covr.inputs.matrices import MATRIX

    matrix = next((name for name in contents.files if name.startswith(MATRIX)), None)
    name, text, path = json.loads(contents.about["model"])
    given = {n: FromText(t, called, plain) for n, t, called, plain in json.loads(contents.about["params"])}
    why = ""
    try:
        with replaying(contents.files):
            if matrix is not None:
                compiled = _matrix(contents.files[matrix], matrix.removeprefix(MATRIX), name)
            else:
                compiled = compile_model(checked(Source(name, text, path)), given)
            settle(compiled)
        if fingerprint(compiled.problem, compiled.goal) == contents.about["fingerprint"]:
            return compiled
    except ModelErrors as errors:
        why = f": {errors.diagnostics[0].message}"
    raise usage_error(
        "E709", f"this covr makes another problem of the model in `{file}`{why}",
        help=f"it was made by covr {contents.about['covr']}",
    ) from None  # fmt: skip


def settle(compiled: Compiled) -> None:
    """Evaluate everything that may read files or find a fault in the model. Raises ModelErrors."""
    _ = compiled.title, compiled.symmetry, compiled.drawings


def _matrix(text: bytes, form: str, name: str) -> Compiled:
    from covr.inputs.matrices import compile_matrix, find_format

    return compile_matrix(text, find_format(form), name)


def goal_values(about: Mapping[str, str], best: int | None, bound: int | None) -> tuple[StageValue, ...]:
    """The values of several goals in order that a file holds, with what is proved of them; nothing for one goal or
    without an answer. best, bound: costs."""
    stages = _stages(about)
    return stage_values(stages, best, bound) if stages and best is not None else ()


def goals_of(about: Mapping[str, str]) -> int:
    """How many goals there are in order; 0 without a goal."""
    return len(_stages(about)) or int(json.loads(about["goal"]) is not None)


def _stages(about: Mapping[str, str]) -> list[Stage]:
    return [Stage(*fields) for fields in json.loads(about.get("stages", "[]"))]


def value_of(about: Mapping[str, str], cost: int) -> int:
    """A cost as a value of the goal that a file tells of; of several goals in order, of the first."""
    stages = _stages(about)
    if stages:
        return stages[0].value(taken_apart(stages, cost)[0])
    return -cost if json.loads(about["goal"]) == "maximize" else cost
