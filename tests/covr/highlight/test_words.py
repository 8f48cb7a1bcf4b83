"""Everything that colours models knows the same words: those of the grammar."""

from __future__ import annotations

import json
import re
from typing import Any

from covr import highlight as keywords
from covr.dsl import scope as builtins
from covr.dsl.grammar import GRAMMAR
from covr.dsl.lexer import DEPENDENT, RESERVED, STATEMENTS
from tests.covr.highlight.kinds import TEXTMATE, TREE_SITTER


def terminals() -> dict[str, str]:
    """The words of the grammar by the names of their terminals; blanks within one are single."""
    text = GRAMMAR.read_text(encoding="utf-8")
    found = dict(re.findall(r'^([A-Z_]+): "([a-z]+)"$', text, re.MULTILINE))
    blanks = r"[ \t\r\n]+"
    for name, words in re.findall(r"^([A-Z_]+)\.2: /([a-z].*)\(\?!\\w\)/$", text, re.MULTILINE):
        if blanks in words:
            found[name] = words.replace(blanks, " ")
    followed = re.findall(r"^([A-Z_]+)\.[12]: /([a-z]+)\(\?!\\w\)", text, re.MULTILINE)
    return {**found, **dict(followed)}


def single(of: set[str]) -> set[str]:
    """Pairs of words as two words."""
    return {word for pair in of for word in pair.split()}


SHAPES = [word for word, terminal in DEPENDENT.items() if terminal == "SHAPE"]  # words of one terminal
GRAMMAR_WORDS = {*terminals().values(), *SHAPES}
DEFINED = {*builtins.FUNCTIONS, *builtins.READERS, *builtins.CONSTANTS}


def test_the_lists_are_those_of_the_grammar() -> None:
    known = terminals()
    assert set(keywords.STATEMENTS) == {known[terminal] for terminal in STATEMENTS if terminal != "SHAPE"} | {*SHAPES}
    reserved = {known[terminal] for terminal in RESERVED if terminal not in (*STATEMENTS, "NAME")}
    assert {*keywords.CONNECTING, *keywords.OPERATORS, *keywords.TRUTH} == reserved
    clauses = {*keywords.CLAUSES, *keywords.PROMISES, *keywords.STYLES, *keywords.MEANT}
    assert clauses == GRAMMAR_WORDS - set(keywords.STATEMENTS) - reserved - {"not in"} | {"outline"}
    assert set(keywords.COUNTED) == {known[t] for t in ("ANSWER", "ANSWERS", "SOLUTION", "SOLUTIONS")}
    assert {first for firsts in keywords.CLAUSES.values() for first in firsts} <= set(keywords.STATEMENTS)


def test_the_names_are_those_that_covr_defines() -> None:
    assert set(keywords.FUNCTIONS) == set(builtins.FUNCTIONS)
    assert set(keywords.READERS) == set(builtins.READERS)
    assert set(keywords.CONSTANTS) == set(builtins.CONSTANTS)


def patterns(part: Any) -> list[str]:
    """All regular expressions of a grammar of TextMate."""
    if isinstance(part, list):
        return [found for one in part for found in patterns(one)]
    if not isinstance(part, dict):
        return []
    own = [part[key] for key in ("match", "begin", "end") if key in part]
    return own + [found for value in part.values() for found in patterns(value)]


def test_textmate_knows_every_word_and_no_other() -> None:
    found = patterns(json.loads(TEXTMATE.read_text(encoding="utf-8")))
    known = {word for pattern in found for word in re.findall(r"[a-z]{2,}", re.sub(r"\\.", " ", pattern))}
    assert known == single(GRAMMAR_WORDS) | DEFINED


def test_tree_sitter_knows_every_word_and_no_other() -> None:
    text = (TREE_SITTER / "grammar.js").read_text(encoding="utf-8")
    assert set(re.findall(r"(?<!field\()(?<!name: )'([a-z]{2,})'", text)) == single(GRAMMAR_WORDS)
    queries = (TREE_SITTER / "queries" / "highlights.scm").read_text(encoding="utf-8")
    coloured = single(set(re.findall(r'"([a-z]{2,}(?: [a-z]+)*)"', queries)))
    assert coloured | set(keywords.TRUTH) == single(GRAMMAR_WORDS) | DEFINED
