"""Chunks of wrong models, each fault expected on the line where it stands.

A file of chunks is plain `.cover` text, chunks separated by lines of `---`. What is expected stands at the end of
the faulty line, and is taken off it before the model is read:

    choose queen(r, c)
    exactly one queens per r   ### E102 "`queens` is not a family of choices" => "did you mean `queen`?"

The code comes first; then the whole message as a JSON string, or a regular expression between slashes that is
searched for in it; after `=>`, if the help matters, the help in the same way; after `note`, if it matters, the first
note. Several faults of one line follow each other, each after its own `###`. A fault without a place is expected on
line 1. A chunk may begin with a comment, which names the test.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from attrs import frozen

from covr.dsl.diagnostics import Diagnostic

STRING = r'"(?:[^"\\]|\\.)*"|/(?:[^/\\]|\\.)*/'
EXPECTED = re.compile(rf"\s*### ([EW]\d+) ({STRING})(?: => ({STRING}))?(?: note ({STRING}))?")


@frozen
class Expected:
    """One fault: its line (from 1), its code, and patterns for its message, its help and its note (None: any)."""

    line: int
    code: str
    message: str
    help: str | None
    note: str | None

    def meets(self, fault: Diagnostic) -> bool:
        line = 1 if fault.span is None else fault.span.place[0]
        return (
            (line, fault.code) == (self.line, self.code)
            and matches(self.message, fault.message)
            and (self.help is None or matches(self.help, fault.help))
            and (self.note is None or matches(self.note, next(iter(fault.notes), "")))
        )


@frozen
class Chunk:
    """name: for the test's id. text: the model, without what is expected of it. line: where it begins in its file."""

    name: str
    text: str
    expected: tuple[Expected, ...]
    line: int


def matches(pattern: str, text: str) -> bool:
    if pattern.startswith("/"):
        return re.search(pattern[1:-1], text) is not None
    return bool(json.loads(pattern) == text)


def read_chunks(path: Path) -> list[Chunk]:
    """Every chunk of a file, in order."""
    found = []
    start = 1
    for part in re.split(r"^---$\n?", path.read_text(encoding="utf-8"), flags=re.MULTILINE):
        found.append(read_chunk(part, start))
        start += part.count("\n") + 1
    return found


def read_chunk(part: str, start: int) -> Chunk:
    lines, expected = [], []
    for number, line in enumerate(part.split("\n"), 1):
        first = EXPECTED.search(line)
        if first is None:
            assert "###" not in line, f"not understood: {line}"
            lines.append(line)
            continue
        for found in EXPECTED.finditer(line):
            expected.append(Expected(number, *found.groups()))
        assert not EXPECTED.sub("", line[first.start() :]).strip(), f"not understood: {line}"
        lines.append(line[: first.start()])
    head = lines[0].lstrip("# ").strip() if lines[0].startswith("#") else lines[0].strip()
    return Chunk(f"{start}: {head[:50]}", "\n".join(lines), tuple(expected), start)


def assert_expected(chunk: Chunk, faults: Iterable[Diagnostic]) -> None:
    """The faults are those the chunk expects, in order, and no others."""
    found = list(faults)
    assert len(found) == len(chunk.expected), report(chunk, found)
    for fault, expected in zip(found, chunk.expected, strict=True):
        assert expected.meets(fault), report(chunk, found)


def shown(fault: Diagnostic) -> str:
    line = 1 if fault.span is None else fault.span.place[0]
    message = json.dumps(fault.message, ensure_ascii=False)
    return f"line {line} ### {fault.code} {message} => {fault.help!r} note {fault.notes!r}"


def report(chunk: Chunk, found: list[Diagnostic]) -> str:
    wanted = [f"line {e.line} ### {e.code} {e.message} => {e.help} note {e.note}" for e in chunk.expected]
    return "\n".join(["expected", *wanted, "found", *map(shown, found), "in", chunk.text])
