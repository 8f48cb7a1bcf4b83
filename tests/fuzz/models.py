"""Models nobody would write, from the gallery by damaging it."""

from __future__ import annotations

import random
import re
from functools import cache
from typing import Any

from tests.dsl.models import MODELS

TOKEN = re.compile(r'"""(?:[^"]|"(?!""))*"""|"(?:[^"\\\n]|\\.)*"|#[^\n]*|\w+|\.\.|->|[<>!]=|\s+|.', re.DOTALL)
NUMBERS = ("0", "-1", "1", "2", "3", "10", "99", "1000", "10^6", "10^12", "9^9^9", "2^9999", "1" * 999, "0 div 0")
PIECES = (
    "1..10^12", "subsets(1..40, 20)", "tuples(1..9, 9)", "permutations(1..12)", "{{{{1}}}}", "[[[[]]]]", "()", "(1,)",
    "placements({(1, 1)}, box(99, 99))", "box(9, 9, 9)", "orientations({(1, 2)})", 'file("/etc/passwd")', "one", "per",
    'file("../x")', "exactly", "at most", "at least", "choose f(i) for i in 1..3", "f(f(1))", "let f(x) = f(x)", '"',
    '"""', "{", "}", "(", ")", "[", "]", "-", "..", "where", "for x in x", "in", "not in", "if 1 = 1 then 2 else 3",
    "up to", "agree", "total", "total 2 of", "connected",
    "loop", "along", "exactly {0, 2}", "if f(1) then f(2)", "then not",
    '"{r}"', '"{"', "\x00", "\ufeff", "\u202e", "\U0001f9e9", "\x1b[31m", "expect unique", ":",
    'use "std/pentominoes"', 'use "../../etc/passwd"', "minimize count of f", "true", "false", "#", "\t", "\r\n",
)  # fmt: skip


# Params of models that would be larger than a model of this test may, made smaller.
SMALLER = {
    "kirkman": ("girls = 15", "girls = 9"),
    "social_golfers": ("groups = 8 where groups >= 1\nparam size = 4", "groups = 3 where groups >= 1\nparam size = 3"),
}
RARE = {"scott", "soma", "pentominoes", "macmahon", "sudoku16"}  # take ten times as long as any other


@cache
def texts() -> tuple[str, ...]:
    """The gallery and its library; what is quick three times."""
    found = []
    for path in MODELS:
        text = path.read_text(encoding="utf-8")
        before, after = SMALLER.get(path.stem, ("", ""))
        assert before in text, path
        found += [text.replace(before, after)] * (1 if path.stem in RARE else 3)
    return tuple(found)


def damaged(rng: random.Random, *, gentle: bool = False) -> str:
    """A model of the gallery after one to six accidents; gentle: after one or two that it may well survive."""
    text = rng.choice(texts())
    for _ in range(rng.randint(1, 2) if gentle else rng.randint(1, 6)):
        text = rng.choice(MILD if gentle else ACCIDENTS)(text, rng)
    return text[:20_000]


def on_tokens(text: str, rng: random.Random, change: Any) -> str:
    tokens = TOKEN.findall(text)
    if not tokens:
        return text
    change(tokens, rng.randrange(len(tokens)))
    return "".join(tokens)


def delete(text: str, rng: random.Random) -> str:
    def change(tokens: list[str], at: int) -> None:
        del tokens[at : at + rng.randint(1, 3)]

    return on_tokens(text, rng, change)


def double(text: str, rng: random.Random) -> str:
    def change(tokens: list[str], at: int) -> None:
        tokens[at:at] = tokens[at : at + rng.randint(1, 8)] * rng.choice((1, 1, 1, 2, 30))

    return on_tokens(text, rng, change)


def exchange(text: str, rng: random.Random) -> str:
    def change(tokens: list[str], at: int) -> None:
        other = rng.randrange(len(tokens))
        tokens[at], tokens[other] = tokens[other], tokens[at]

    return on_tokens(text, rng, change)


def put(text: str, rng: random.Random) -> str:
    def change(tokens: list[str], at: int) -> None:
        tokens[at : at + rng.randint(0, 1)] = [f" {rng.choice(PIECES)} "]

    return on_tokens(text, rng, change)


def inflate(text: str, rng: random.Random) -> str:
    numbers = list(re.finditer(r"\b[0-9]+\b", text))
    if not numbers:
        return text
    found = rng.choice(numbers)
    return text[: found.start()] + rng.choice(NUMBERS) + text[found.end() :]


def rename(text: str, rng: random.Random) -> str:
    names = re.findall(r"\b[a-z]\w*\b", text)
    if not names:
        return text
    at = rng.choice(list(re.finditer(r"\b[a-z]\w*\b", text)))
    return text[: at.start()] + rng.choice(names) + text[at.end() :]


def cut(text: str, rng: random.Random) -> str:
    """Cut bytes out, wherever they fall."""
    data = text.encode()
    start = rng.randrange(len(data) + 1)
    return (data[:start] + data[start + rng.randint(1, 40) :]).decode("utf-8", "replace")


def splice(text: str, rng: random.Random) -> str:
    """The lines of two models, shuffled together."""
    other = rng.choice(texts()).split("\n")
    lines = text.split("\n")
    at, start = rng.randrange(len(lines)), rng.randrange(len(other))
    lines[at:at] = other[start : start + rng.randint(1, 6)]
    return "\n".join(lines)


def operate(text: str, rng: random.Random) -> str:
    """Another operator or word of the same sort."""
    kinds = (
        ("+", "-", "*", " div ", " mod ", "^"), ("=", "!=", "<", "<=", " in ", " not in "), (" and ", " or "),
        ("exactly ", "at least ", "at most ", "exactly 0..", "exactly 2 * "), ("|", "&"), ("minimize", "maximize"),
        ("min(", "max(", "size(", "sum(", "sorted(", "abs(", "box(1, ", "subsets(", "permutations("),
    )  # fmt: skip
    sort = rng.choice(kinds)
    places = [m for word in sort for m in re.finditer(re.escape(word.strip()), text)]
    if not places:
        return text
    found = rng.choice(places)
    return text[: found.start()] + rng.choice(sort) + text[found.end() :]


def statement(text: str, rng: random.Random) -> str:
    """A statement left out, said twice, or moved."""
    lines = text.split("\n")
    at = rng.randrange(len(lines))
    line = lines.pop(at)
    where = rng.choice((at, rng.randrange(len(lines) + 1)))
    lines[where:where] = [line] * rng.choice((0, 1, 2))
    return "\n".join(lines)


def picture(text: str, rng: random.Random) -> str:
    """Another sign in a picture."""
    blocks = [m for m in re.finditer(r'"""(.*?)"""', text, re.DOTALL) if m[1].strip()]
    if not blocks:
        return text
    block = rng.choice(blocks)
    at = rng.randrange(block.start(1), block.end(1))
    return text[:at] + rng.choice("019ab.#/ A\n\t") + text[at + 1 :]


MILD = (inflate, inflate, operate, operate, rename, statement, statement, picture)
ACCIDENTS = (
    delete, double, exchange, put, put, inflate, inflate, rename, rename, cut, splice, operate, statement, picture,
)  # fmt: skip
