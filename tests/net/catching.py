"""A draw put before the commands: what is wrong with what they say."""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

import covr
from covr.dsl.diagnostics import ModelErrors
from tests.net import asked, explained
from tests.net.drawn import Drawn
from tests.net.scene import Scene, Wrong

Check = Callable[[Scene], None]
ALWAYS: tuple[Check, ...] = (asked.listed, asked.counted)
OTHERS: dict[str, Check] = {
    f"{module.__name__.rpartition('.')[2]}.{name}": check
    for module in (asked, explained)
    for name, check in vars(module).items()
    if getattr(check, "__module__", "") == module.__name__ and not name.startswith("_") and check not in ALWAYS
}


def wrong_with(drawn: Drawn, checks: Iterable[Check] | None = None) -> str:
    """What covr says wrong of a draw; empty where nothing is. checks: besides the usual ones; None for all."""
    text = drawn.text(p for p, _ in drawn.promises)
    try:
        model = covr.loads(text)
    except ModelErrors as errors:
        codes = {d.code for d in errors.diagnostics}
        return "" if codes and codes <= drawn.refusals else f"refused: {errors}"
    if drawn.refusals:
        return f"not refused, though it should be with one of {sorted(drawn.refusals)}"
    asking = (*ALWAYS, *(OTHERS.values() if checks is None else checks))
    with TemporaryDirectory() as folder:
        scene = Scene(drawn, text, model, Path(folder), random.Random(drawn.seed))
        for check in asking:
            try:
                check(scene)
            except Wrong as wrong:
                return f"{check.__name__}: {wrong}"
            except Exception:
                return f"{check.__name__}: {traceback.format_exc()[-3000:]}"
    return ""


def some_checks(rng: random.Random, number: int) -> list[Check]:
    """So many of the other checks."""
    return rng.sample(list(OTHERS.values()), number)
