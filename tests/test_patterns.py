"""No regular expression takes time that grows with the square of a text: whatever it reads may come from a stranger.

Of each pattern of the sources, texts are made of its own pieces: what matches up to some place, again and again, and
what matches a repeated part many times, with an end that it does not want. On a text of LONG signs a pattern whose time
is linear takes some milliseconds; one whose time is quadratic takes seconds. So this test knows the two apart on any
machine, by the CPU time of its own thread; growth is measured only where a text took longer than SUSPECT.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import thread_time
from typing import Any

import pytest

from tests.modules import ROOT, syntax_of

pytestmark = pytest.mark.long

LONG = 10_000  # signs
# Texts grow slowly at first, so that a pattern whose time doubles with each sign is found before it takes for ever.
SIZES = (*(int(12 * 1.2**k) for k in range(18)), 2000, LONG)
SUSPECT = 0.05  # seconds
GROWTH = 2.5  # how many times as long a text of twice the length may take
METHODS = ("match", "fullmatch", "search", "findall", "finditer", "sub", "subn", "split")
SOURCES = sorted(
    path
    for room in ("dsl", "compiler", "engine", "covr")
    for path in (ROOT / room).rglob("*.py")
    if not any(part.is_symlink() for part in path.parents if part != ROOT and ROOT in part.parents)
)
NODES: Any = re._parser  # type: ignore[attr-defined]
# Patterns that only read what covr's own files say.
OWN = {
    "dsl/tables.py": "the grammar",
    "engine/kernels/header.py": "the header of the kernels",
    "covr/explain/code_pages.py": "the pages of the messages",
    "dsl/service/meanings.py": "its own text",
}


def sample(nodes: Any) -> str:
    """A short text that the pieces of a pattern match, groups and looks aside."""
    return "".join(_one(str(kind), what) for kind, what in nodes)


def _one(kind: str, what: Any) -> str:
    if kind == "LITERAL":
        return chr(what)
    if kind in ("NOT_LITERAL", "ANY"):
        return "a" if what != ord("a") else "b"
    if kind == "IN":
        return _within(what)
    if kind == "BRANCH":
        return sample(what[1][0])
    if kind == "SUBPATTERN":
        return sample(what[3])
    if kind == "ATOMIC_GROUP":
        return sample(what)
    if kind.endswith("REPEAT"):
        return sample(what[2]) * max(what[0], 1)
    return ""


def _within(choices: Any) -> str:
    spare = {"CATEGORY_SPACE": " ", "CATEGORY_DIGIT": "1", "CATEGORY_WORD": "a"}
    if str(choices[0][0]) == "NEGATE":
        compiled = NODES.SubPattern(NODES.State(), [(NODES.IN, choices)])
        return next((s for s in "a \t1-,;'\"#.=" if _matches(compiled, s)), "~")
    kind, what = str(choices[0][0]), choices[0][1]
    if kind == "LITERAL":
        return chr(what)
    if kind == "RANGE":
        return chr(what[0])
    return spare.get(str(what), "-")


def _matches(pattern: Any, text: str) -> bool:
    for kind, what in pattern[0][1]:
        name = str(kind)
        if (name == "LITERAL" and ord(text) == what) or (name == "RANGE" and what[0] <= ord(text) <= what[1]):
            return False
        if name == "CATEGORY":
            classes = {"CATEGORY_SPACE": str.isspace, "CATEGORY_DIGIT": str.isdigit}
            test: Callable[[str], bool] = classes.get(str(what), lambda s: s.isalnum() or s == "_")
            if test(text):
                return False
    return True


def attacks(pattern: str, flags: int) -> Iterator[tuple[str, str, str]]:
    """What may make a pattern work: a beginning, a part to repeat, and an end."""
    tree = NODES.parse(pattern, flags)

    def walk(nodes: Any, before: str) -> Iterator[tuple[str, str, str]]:
        for place, (kind, what) in enumerate(nodes):
            ahead = before + sample(nodes[:place])
            if ahead:
                yield "", ahead, "\x00"
            name = str(kind)
            if name.endswith("REPEAT"):
                body = sample(what[2])
                if body:
                    yield ahead, body, "\x00"
                    yield ahead, body, "\n\x00"
                yield from walk(what[2], ahead)
            elif name == "SUBPATTERN":
                yield from walk(what[3], ahead)
            elif name == "ATOMIC_GROUP":
                yield from walk(what, ahead)
            elif name == "BRANCH":
                for branch in what[1]:
                    yield from walk(branch, ahead)

    yield from walk(tree, "")
    whole = sample(tree)
    if whole:
        yield "", whole, "\x00"


def found_in(path: Path) -> Iterator[tuple[str, int, str]]:
    """The patterns of a file that are written out: text, flags, and the method that is called, `` if it is compiled."""
    for node in ast.walk(syntax_of(path)):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
            continue
        call = node.func
        if not (isinstance(call.value, ast.Name) and call.value.id == "re" and node.args):
            continue
        if call.attr not in (*METHODS, "compile"):
            continue
        try:
            pattern = ast.literal_eval(node.args[0])
        except ValueError:
            continue  # made of names; see `made_in`
        flags = 0
        for word in ast.walk(
            ast.Module([ast.Expr(one) for one in [*node.args[1:], *(k.value for k in node.keywords)]], [])
        ):
            if isinstance(word, ast.Attribute) and isinstance(word.value, ast.Name) and word.value.id == "re":
                flags |= int(getattr(re, word.attr))
        if isinstance(pattern, bytes):
            pattern = pattern.decode("latin-1")
        yield pattern, flags, "" if call.attr == "compile" else call.attr


def made_in(path: Path) -> Iterator[tuple[str, int, str]]:
    """The patterns that a module holds by name, whatever they were made of."""
    text = path.read_text(encoding="utf-8")
    if "re.compile(" not in text:
        return
    import importlib

    parts = path.relative_to(ROOT).with_suffix("").parts
    name = ".".join(parts if parts[0] == "covr" else ("covr", *parts)).removesuffix(".__init__")
    module = importlib.import_module(name)
    for own, value in vars(module).items():
        if isinstance(value, re.Pattern):
            used = set(re.findall(rf"\b{own}\.({'|'.join(METHODS)})\b", text)) or {""}
            pattern = value.pattern if isinstance(value.pattern, str) else value.pattern.decode("latin-1")
            for method in sorted(used):
                yield pattern, value.flags & ~re.UNICODE, method


def patterns() -> list[tuple[str, str, int, str]]:
    found: dict[tuple[str, int, str], str] = {}
    for path in SOURCES:
        place = path.relative_to(ROOT).as_posix()
        if place in OWN or path.name.startswith("_"):
            continue
        named = list(made_in(path))
        known = {pattern for pattern, _, _ in named}
        for pattern, flags, method in (*named, *(one for one in found_in(path) if one[0] not in known)):
            found.setdefault((pattern, flags, method or "search"), place)
    return [(place, *key) for key, place in found.items()]


def run(method: str, pattern: re.Pattern[str], text: str) -> float:
    """The CPU seconds of a call."""
    ask: Callable[[], object] = {
        "sub": partial(pattern.sub, "", text), "subn": partial(pattern.subn, "", text),
        "split": partial(pattern.split, text), "findall": partial(pattern.findall, text),
        "finditer": lambda: list(pattern.finditer(text)), "match": partial(pattern.match, text),
        "fullmatch": partial(pattern.fullmatch, text), "search": partial(pattern.search, text),
    }[method]  # fmt: skip
    began = thread_time()
    ask()
    return thread_time() - began


def slow(pattern: str, flags: int, method: str) -> str | None:
    """A text whose time grows faster than its length; None if there is none."""
    compiled = re.compile(pattern, flags)
    for begin, body, end in dict.fromkeys(attacks(pattern, flags)):
        for size in SIZES:
            text = begin + body * (size // len(body) + 1) + end
            if run(method, compiled, text) < SUSPECT:
                continue
            half = begin + body * (size // len(body) // 2 + 1) + end
            least = min(run(method, compiled, half) for _ in range(3))
            most = min(run(method, compiled, text) for _ in range(3))
            if most > max(GROWTH * least, SUSPECT):
                return f"{begin!r} + {body!r} * n + {end!r}: {least:.3f} s, {most:.3f} s for twice as much"
            break
    return None


@pytest.mark.parametrize("made", [r"(?:^|\W)at\s*(?:#[^\n]*\s*)*\Z", r"\s+#.*$", r"(a+)+$"])
def test_what_is_slow_is_found(made: str) -> None:
    assert slow(made, 0, "search")


def test_no_pattern_takes_time_without_end() -> None:
    tried = patterns()
    assert len(tried) > 60
    faults = [
        f"{place}: {pattern!r}.{method}: {told}"
        for place, pattern, flags, method in tried
        if (told := slow(pattern, flags, method))
    ]
    assert not faults, "\n".join(faults)
