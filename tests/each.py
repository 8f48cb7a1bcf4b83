"""Cases of one test: a loop over seeds, models or texts that names the case that fails."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import wraps
from inspect import signature
from typing import Any

LONGEST = 200  # characters of a case that are shown


def each(names: str, cases: Iterable[Any]) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Run a test with every case, as one test; it stops at the first that fails, and the traceback names the case.

    It is written like `pytest.mark.parametrize`: one name and its values, or several names, separated by commas, and
    tuples of values. What it takes from fixtures is made once, so a test that changes something for a case, as with
    `monkeypatch` or in a folder, is to be parametrized instead; so is one in which a single case is skipped.
    """
    wanted = [name.strip() for name in names.split(",")]
    values = [(case,) if len(wanted) == 1 else tuple(case) for case in cases]
    assert values, "a test without cases can't fail"

    def looped(test: Callable[..., None]) -> Callable[..., None]:
        @wraps(test)
        def run(*args: Any, **given: Any) -> None:
            for case in values:
                own = dict(zip(wanted, case, strict=True))
                try:
                    test(*args, **own, **given)
                except BaseException as fault:
                    fault.add_note(", ".join(f"{name} = {value!r:.{LONGEST}}" for name, value in own.items()))
                    raise

        whole = signature(test)
        others = [one for name, one in whole.parameters.items() if name not in wanted]
        run.__signature__ = whole.replace(parameters=others)  # type: ignore[attr-defined]  # what pytest asks for
        return run

    return looped
