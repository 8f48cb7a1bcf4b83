"""A choice that is given in the text, by a statement of its own: for boards that no grid writes clues on."""

from __future__ import annotations

import re
from typing import Any

from covr.dsl import syntax as s
from covr.dsl.service.document import Analysis
from covr.studio.boards.sketch import Undrawable
from covr.studio.body import Bad

LONGEST = 2000  # characters of a choice
TOKEN = re.compile(r"[(){}\[\],\s]|[^(){}\[\],\s]+")
NUMBER = re.compile(r"-?[0-9]+")


def written(choice: str) -> str:
    """A choice as the language writes it, from how it is printed: words are texts there. Raises Undrawable."""
    name, opened, rest = choice.partition("(")
    if not name.isidentifier() or (opened and not rest.endswith(")")):
        raise Undrawable(f"`{choice[:60]}` can't be written as a given")
    tokens = TOKEN.findall(rest[:-1]) if opened else []
    found = []
    for at, token in enumerate(tokens):
        lattice = at + 1 < len(tokens) and tokens[at + 1] == "("
        plain = len(token) == 1 and token in "(){}[], \n"
        found.append(token if plain or lattice or NUMBER.fullmatch(token) else '"' + token.replace('"', '\\"') + '"')
    return f"{name}({''.join(found)})"


def toggled(analysis: Analysis, choice: Any, instead: Any = ()) -> list[dict[str, Any]]:
    """The edits that add a `given` for a choice at the end of a text, or take it away if it is there. instead: choices
    whose own such statements go. Raises Undrawable, and Bad for what is no choice."""
    names = [choice, *instead] if isinstance(instead, list | tuple) else []
    if not names or not all(isinstance(one, str) and len(one) <= LONGEST for one in names):
        raise Bad("a choice is a text")
    wanted = _bare(written(choice))
    others = {_bare(written(one)) for one in names[1:]}
    text, there, edits = analysis.source.text, False, []
    for statement in analysis.statements:
        if not isinstance(statement, s.Given) or statement.generators or statement.where is not None:
            continue
        span = analysis.span(statement.span)
        said = _bare(span.text.removeprefix("given"))
        if said == wanted or said in others:
            there = there or said == wanted
            end = span.end + 1 if text[span.end : span.end + 1] == "\n" else span.end
            edits.append({"start": span.start, "end": end, "text": ""})
    if not there:
        begin = "" if not text or text.endswith("\n") else "\n"
        edits.append({"start": len(text), "end": len(text), "text": f"{begin}given {written(choice)}\n"})
    return edits


def _bare(words: str) -> str:
    """A choice without its spaces."""
    return "".join(words.split())
