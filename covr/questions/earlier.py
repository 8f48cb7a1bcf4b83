"""An earlier answer, for `--near`: what `covr solve --json` wrote, or what Python has."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covr.compiler.near import near
from covr.faults import usage_error
from covr.inputs.library import LARGEST_DATA, STDIN, decode, read_stdin, read_text
from covr.questions.values import jsonable

if TYPE_CHECKING:
    from covr.compiler import Compiled

Said = tuple[str, Any]  # a family, and the arguments of a choice as JSON has them


def near_file(compiled: Compiled, file: str) -> Compiled:
    """The model, near the last answer in a file. Raises ModelErrors E502 and E503 for a file that can't be read, E522
    for one that holds no answer."""
    compiled.scope.budget.files.add(os.path.abspath(file))
    if file == STDIN:
        text = decode(read_stdin(LARGEST_DATA), "<stdin>", LARGEST_DATA)
    else:
        text = read_text(Path(file), file, LARGEST_DATA)
    return near_choices(compiled, _choices(text, file))


def near_choices(compiled: Compiled, choices: Iterable[Said]) -> Compiled:
    """The model, near an answer of which the choices are known by family and arguments."""
    known: dict[str, int] = {}
    for option in range(compiled.problem.options):
        if not compiled.is_own(option):
            choice = compiled.choice(option)
            known.setdefault(_key(choice.family, [jsonable(v) for v in choice.args]), option)
    options: set[int] = set()
    gone: list[str] = []
    for family, args in choices:
        found = known.get(_key(family, args))
        if found is None:
            gone.append(f"{family}({', '.join(map(_shown, args))})" if args else family)
        else:
            options.add(found)
    return near(compiled, options, gone)


def _key(family: str, args: Any) -> str:
    return json.dumps([family, args], ensure_ascii=False, sort_keys=True)


def _shown(value: Any) -> str:
    """A value about as names print it: a record by its first field, a tuple in parentheses."""
    if isinstance(value, dict) and value:
        return _shown(next(iter(value.values())))
    if isinstance(value, list):
        return f"({', '.join(map(_shown, value))})"
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _choices(text: str, file: str) -> list[Said]:
    """The choices of the last `solution` object, or of the one object that the whole text is."""
    found: list[Said] | None = None
    lines = [text] if _is_json(text) else text.splitlines()
    for line in lines:
        try:
            read = json.loads(line) if line.strip() else None
            if isinstance(read, dict) and read.get("type", "solution") == "solution" and "choices" in read:
                found = [(str(choice["family"]), list(choice["args"])) for choice in read["choices"]]
        except (ValueError, KeyError, TypeError, RecursionError):
            continue
    if found is None:
        help = "`covr solve MODEL --json > answer.json` writes one"
        raise usage_error("E522", f"`{file}` holds no answer as `covr solve --json` writes it", help=help)
    return found


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
