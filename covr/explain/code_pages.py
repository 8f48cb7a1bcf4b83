"""A page about every code: what it means, a model that has the fault, the message that covr prints, the cure.

The text files in `pages/` have a section for each code:

    === E102
    What it means, in a paragraph or two.
    --- example -D n=9
    A model with the fault. After the word stand its `-D` options, or `limits steps=1000` to change the usual limits.
    --- prints
    What covr prints. Written by `python -m tests.covr.explain.pages`, never by hand.
    --- cured
    The model without the fault.

Instead of an example there may be a `command` as it is typed, with each `file NAME` that it reads, or lines of
`python`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

from attrs import field

from covr.dsl.codes import CODES
from covr.frozen import frozen

FOLDER = Path(__file__).with_name("pages")
# The stages through which a model goes, and what the codes of each are about, in the order in which they are listed.
STAGES = {
    "E0": "Syntax and files of a model", "E1": "Names", "E2": "Evaluation", "E3": "Data and params",
    "E4": "Choices, rules and the matrix", "E5": "The command", "E6": "Other formats and files of answers",
    "E7": "Runs that are kept, clusters, and diagrams",
    "W1": "Warnings that need no data",
    "W2": "Warnings about the matrix",
}  # fmt: skip


@frozen
class Page:
    """The page about one code. code, meaning: as in `CODES`. text: the explanation, in lines.
    kind: `example`, `python` or `command`: what `example` is. words: what stands after that word. files: name → text.
    prints: the message. cured: the model without the fault, or empty."""

    code: str
    meaning: str
    text: str
    kind: str
    words: str
    example: str
    prints: str
    cured: str
    files: Mapping[str, str] = field(factory=dict)


@cache
def pages() -> Mapping[str, Page]:
    """Every page, by code, in order of the codes."""
    found = {p.code: p for path in FOLDER.glob("*.txt") for p in read_pages(path.read_text(encoding="utf-8"))}
    return {code: found[code] for code in sorted(found)}


def read_pages(text: str) -> Iterator[Page]:
    """The pages of a file."""
    for part in re.split(r"^=== ", text, flags=re.MULTILINE)[1:]:
        code, _, body = part.partition("\n")
        prose, *sections = re.split(r"^--- ", body, flags=re.MULTILINE)
        said: dict[str, tuple[str, str]] = {}
        files: dict[str, str] = {}
        for section in sections:
            head, _, rest = section.partition("\n")
            kind, _, words = head.partition(" ")
            if kind == "file":
                files[words] = rest
            else:
                said[kind] = (words, rest.rstrip("\n"))
        kind = next((k for k in ("example", "python", "command") if k in said), "")
        words, example = said.get(kind, ("", ""))
        prints, cured = said.get("prints", ("", ""))[1], said.get("cured", ("", ""))[1]
        yield Page(code, CODES.get(code, ""), prose.strip(), kind, words, example, prints, cured, files)


# --- as text -----------------------------------------------------------------------------------------------


def page_text(page: Page) -> str:
    """A page for a terminal."""
    parts = [f"{page.code}: {page.meaning}", page.text]
    parts += (f"{name}:\n\n{indented(text)}" for name, text in page.files.items() if text.strip())
    parts.append(f"{introduced(page)}:\n\n{indented(page.example)}")
    parts.append(f"covr says:\n\n{indented(page.prints)}")
    if page.cured:
        parts.append(f"Fixed:\n\n{indented(page.cured)}")
    return "\n\n".join(parts)


def introduced(page: Page) -> str:
    """The line that introduces an example."""
    if page.kind == "command":
        return "Typed"
    if page.kind == "python":
        return "In Python"
    if page.words.startswith("limits"):
        return "For example, with smaller limits than the usual"
    return f"For example, with {page.words}" if page.words else "For example"


def indented(text: str) -> str:
    """The text with every line that is not empty indented by four spaces."""
    return "\n".join(f"    {line}".rstrip() for line in text.rstrip("\n").split("\n"))


def contents() -> str:
    """Every code with its meaning, stage by stage."""
    lines = []
    for stage, about in STAGES.items():
        lines += ["", about, *(f"  {code}  {CODES[code]}" for code in sorted(CODES) if code.startswith(stage))]
    return "\n".join(lines[1:])


__all__ = ["Page", "contents", "introduced", "page_text", "pages", "read_pages"]
