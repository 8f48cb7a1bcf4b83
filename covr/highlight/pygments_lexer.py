"""Models in Pygments, which finds this lexer by the entry point that covr declares: as `cover`, or by `*.cover`.

Sphinx, MkDocs, `rich` and notebooks colour texts with Pygments. covr itself does not need it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, ClassVar

from pygments.lexer import Lexer
from pygments.token import (
    Comment,
    Error,
    Keyword,
    Name,
    Number,
    Operator,
    Punctuation,
    String,
    Whitespace,
    _TokenType,
)

from covr import highlight as keywords

# --- words ------------------------------------------------------------------------------------------------------------
# A text cut into words and signs, each with its kind, as far as the words before it tell. No parser is run, so a text
# that is wrong, or a part of one, is coloured, too.
#
# The grammar decides whether `at`, `of` or `total` is a word of a clause or a name. Here it is a word where an
# expression has just ended, in a statement that has such a clause. That is the same in every model without faults.


TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)
      | (?P<block>\"""(?:[^"]|"(?!""))*(?:\"""|"{0,2}\Z))
      | (?P<text>"(?!"")(?:[^"\\\n]|\\.)*")
      | (?P<unclosed>"[^\n]*)
      | (?P<quoted>\\"(?:[^"\\\n]|\\[^"\n])*(?:\\"|$))
      | (?P<pair>(?:at[ \t\r\n]+(?:least|most)|up[ \t\r\n]+to|answers[ \t\r\n]+by|all[ \t\r\n]+(?:different|alike)
          |per[ \t\r\n]+area[ \t\r\n]+(?:of|by)
          |per[ \t\r\n]+(?:straight[ \t\r\n]+)?stretch[ \t\r\n]+of
          |then[ \t\r\n]+m(?:in|ax)imize|if[ \t\r\n]+and[ \t\r\n]+only[ \t\r\n]+if)(?!\w))
      | (?P<word>[^\W\d]\w*)
      | (?P<number>[0-9]+)
      | (?P<operator>\.\.|->|!=|<=|>=|[-=<>+*|&^.])
      | (?P<bracket>[][(){},:])
      | (?P<space>[ \t\r\n\f]+)
      | (?P<other>.)""",
    re.VERBOSE,
)
ESCAPE = re.compile(r"\\[^\n]|\{\{|\}\}|\{|\\$")
HOLE_PART = re.compile(r'\\"(?:[^"\\]|\\[^"])*\\"|[{}]')
BLANKS = re.compile(r"(?:[ \t\r\n\f]|#[^\n]*\n)*")
NO_TOTAL = re.compile(
    r'"|#|\Z|(?:at[ \t\r\n]+(?:least|most)|up[ \t\r\n]+to|answers[ \t\r\n]+by|all[ \t\r\n]+(?:different|alike)'
    r"|then[ \t\r\n]+m(?:in|ax)imize)(?!\w)"
)
CALLED = re.compile(r'[ \t\r\n\f]*(?:\(|""")')
_GAP = r"(?:[ \t\r\n\f]|#[^\n]*\n)"
_NO_PARAM = (*keywords.STATEMENTS, *keywords.CONNECTING, *keywords.OPERATORS, *keywords.TRUTH, "at", "on", "of", "cost",
             "as", "along", "with", "total")  # fmt: skip
_NO_NAME = "|".join(w for w in _NO_PARAM if w not in ("clue", *keywords.SHAPES) and " " not in w)
_NAMED = rf"{_GAP}+(?!(?:{_NO_NAME})(?!\w))[^\W\d]\w*"
CLUE = re.compile(rf"{_NAMED}{_GAP}*\[")
SHAPE = re.compile(
    rf"{_NAMED}(?:{_GAP}+or{_GAP}+[^\W\d]\w*)*{_GAP}+(?:along|at(?![ \t\r\n]+(?:least|most)(?!\w)))(?!\w)"
)
CHOICE = re.compile(r"(?:[ \t\r\n\f]|#[^\n]*\n)+(?!else\b)[^\W\d]\w*[ \t\r\n\f]*\(")
ENDING = (
    "unique",
    "corners",
    *keywords.COUNTED,
    *keywords.STYLES,
)  # words of clauses behind which an expression has ended
DEFINING = {"choose": "family", "let": "function", "param": "variable"}

Piece = tuple[int, str, str]  # offset, kind, text


def pieces(text: str) -> Iterator[Piece]:
    """The pieces of a text, which make it up without gaps, each with its offset and kind: `keyword`, `operator_word`,
    `truth`, `text`, `escape`, `brace` (of a hole), `block`, `comment`, `number`, `operator`, `bracket`, `space`,
    `field`, `family`, `function`, `variable` (a name that is defined), `constant`, `built_in`, `reader`, `name`, or
    `stray` (no part of the language)."""
    yield from _WordByWord(text, 0).pieces()


class _WordByWord:
    """Reads a text, or a hole in one, word by word.

    statement: the first word of the statement, empty at first. before: the kind of the last piece that is no blank or
    comment; ended: whether an expression or name ends with it. last: its text.
    counted: whether the family or `total` of a rule has been read.  wished: whether `prefer` stands before the rule.
    """

    def __init__(self, text: str, offset: int) -> None:
        self.text = text
        self.offset = offset
        self.statement = ""
        self.last = ""
        self.ended = False
        self.counted = False
        self.wished = False

    def pieces(self) -> Iterator[Piece]:
        for found in TOKEN.finditer(self.text):
            kind, value, at = found.lastgroup or "", found[0], self.offset + found.start()
            if kind in ("space", "comment"):
                yield at, kind, value
            elif kind in ("text", "unclosed"):
                label = self.last == "title" or self.ended
                yield from _label(value, at) if label else _plain(value, at)
                self._after(value, True)
            elif kind in ("block", "quoted"):
                yield at, "block" if kind == "block" else "text", value
                self._after(value, True)
            elif kind == "other":
                yield at, "stray", value
            elif kind in ("word", "pair"):
                kind = self._word(" ".join(value.split()), found.start(), found.end())
                yield at, "keyword" if kind == "clause" else kind, value
                word = " ".join(value.split())
                self._after(word, word in ENDING if kind == "clause" else kind not in ("keyword", "operator_word"))
            else:
                yield at, kind, value
                self._after(value, value in (")", "]", "}") or kind == "number")

    def _after(self, last: str, ended: bool) -> None:
        self.last, self.ended = last, ended

    def _word(self, word: str, start: int, end: int) -> str:
        """The kind of a word. If it is a family that a rule counts, or begins a statement, that is remembered."""
        if self.last == ".":
            return "field"
        if word in keywords.COUNTING and self._joins():
            self.counted = False
            return "keyword"
        if word in keywords.STATEMENTS and not self._is_other(word, end):
            self.wished = self.last == "prefer"
            self.statement, self.counted = word, False
            return "keyword"
        if word in keywords.CONNECTING or word == "if":
            return "keyword"
        if word in keywords.OPERATORS:
            return "operator_word"
        if word in keywords.TRUTH:
            return "truth"
        if self._is_clause(word, end):
            self.counted = True
            return "clause"
        if self.ended:
            self.counted = True  # a name that follows an expression is the family that a rule counts
        return self._name(word, end)

    def _is_other(self, word: str, end: int) -> bool:
        """Whether the word of a statement is something else here."""
        if word == "clue":
            return not CLUE.match(self.text, end)
        if word in keywords.SHAPES:
            return not SHAPE.match(self.text, end)
        if self.ended or self.last in ("", "prefer"):
            return False
        if word == "cells":
            return CALLED.match(self.text, end) is not None
        return word == "if" or (word == "outline" and self.last == "as")

    def _is_clause(self, word: str, end: int) -> bool:
        """Whether a word that may be a name is one of a clause here."""
        if self.last == "expect" and self.statement == "expect":
            return word in keywords.PROMISES
        if self.last == "as" and not self.ended:
            return word in keywords.STYLES
        if self._joins():
            return word in keywords.MEANT and CHOICE.match(self.text, end) is not None
        if word == "cost":
            return self.wished and self.ended and (self.counted or self.statement in keywords.CONDITIONAL)
        if self.statement not in keywords.CLAUSES.get(word, ()):
            return False
        if not self.ended and (self.last, word) in (("with", "corners"), ("crossing", "at")):
            return True
        if word == "total" and self.statement == "clue":
            return self.last == "=" and not self.ended and self._goes_on(end)
        if self.last == "no" and not self.ended:
            return word in keywords.COUNTED
        if not self.ended:
            return False
        if word == "total":
            return not self.counted and self._goes_on(end)
        return self.counted or self.statement not in keywords.COUNTING

    def _joins(self) -> bool:
        """Whether a part begins here of what stands after `then`."""
        return self.last in ("then", "and") and self.statement in keywords.CONDITIONAL

    def _goes_on(self, end: int) -> bool:
        """Whether an expression follows, and no text, clause or statement."""
        blank = BLANKS.match(self.text, end)
        at = blank.end() if blank else end
        if NO_TOTAL.match(self.text, at):
            return False
        found = TOKEN.match(self.text, at)
        if found is not None and found[0] in keywords.SHAPES:
            return SHAPE.match(self.text, found.end()) is None
        return found is None or found[0] not in (*keywords.STATEMENTS, "per", "where", "or")

    def _name(self, word: str, end: int) -> str:
        if self.last in DEFINING and not self.ended:
            kind = DEFINING[self.last]
            return "variable" if kind == "function" and self.text[end : end + 1] != "(" else kind
        if word in keywords.CONSTANTS:
            return "constant"
        called = CALLED.match(self.text, end)
        if word in keywords.READERS and called:
            return "reader"
        return "built_in" if word in keywords.FUNCTIONS and called and called[0].endswith("(") else "name"


def _plain(text: str, offset: int) -> Iterator[Piece]:
    at = 0
    for found in re.finditer(r"\\[^\n]", text):
        if found.start() > at:
            yield offset + at, "text", text[at : found.start()]
        yield offset + found.start(), "escape", found[0]
        at = found.end()
    if at < len(text):
        yield offset + at, "text", text[at:]


def _label(text: str, offset: int) -> Iterator[Piece]:
    at = start = 0
    end = len(text) - (len(text) > 1 and text.endswith('"'))
    while (found := ESCAPE.search(text, at, end)) is not None:
        close = _close(text, found.start(), end) if found[0] == "{" else None
        if found[0] == "{" and close is None:
            break
        if found.start() > start:
            yield offset + start, "text", text[start : found.start()]
        if close is None:
            yield offset + found.start(), "escape", found[0]
            at = start = found.end()
        else:
            yield offset + found.start(), "brace", "{"
            yield from _WordByWord(text[found.end() : close], offset + found.end()).pieces()
            yield offset + close, "brace", "}"
            at = start = close + 1
    if start < len(text):
        yield offset + start, "text", text[start:]


def _close(text: str, start: int, end: int) -> int | None:
    """The offset of the brace that closes the one at `start`; None if there is none."""
    depth = 0
    for found in HOLE_PART.finditer(text, start, end):
        depth += {"{": 1, "}": -1}.get(found[0], 0)
        if depth == 0:
            return found.start()
    return None


# --- lexer ------------------------------------------------------------------------------------------------------------


KINDS = {
    "keyword": Keyword, "operator_word": Operator.Word, "truth": Keyword.Constant, "text": String.Double,
    "escape": String.Escape, "brace": String.Interpol, "block": String.Heredoc, "comment": Comment.Single,
    "number": Number.Integer, "operator": Operator, "bracket": Punctuation, "space": Whitespace,
    "field": Name.Attribute, "family": Name.Class, "function": Name.Function, "variable": Name.Variable,
    "constant": Name.Constant, "built_in": Name.Builtin, "reader": Name.Builtin, "name": Name, "stray": Error,
}  # fmt: skip
MODEL = re.compile(r"^[ \t]*(?:choose[ \t]+\w+[ \t]*\(|(?:exactly|at least|at most)[ \t]+\S+[ \t]+\w+)", re.MULTILINE)

MAGIC = re.compile(r"%%cover\b[^\n]*")


class ModelLexer(Lexer):
    """The lexer of `.cover` models."""

    name = "Cover"
    aliases: ClassVar[list[str]] = ["cover", "covr"]
    filenames: ClassVar[list[str]] = ["*.cover"]
    mimetypes: ClassVar[list[str]] = ["text/x-cover"]
    url = "https://pypi.org/project/covr/"

    def get_tokens_unprocessed(self, text: str) -> Iterator[tuple[int, _TokenType, str]]:
        """The pieces of a text: offset, token of Pygments, and what is written there. A first line that begins with
        `%%cover`, as in a notebook, is none of the model's."""
        magic = MAGIC.match(text)
        first = magic.end() if magic else 0
        if first:
            yield 0, Comment.Preproc, text[:first]
        for offset, kind, value in pieces(text[first:]):
            yield first + offset, KINDS[kind], value

    @staticmethod
    def analyse_text(text: str) -> float:
        """How much a text looks like a model, from 0 to 1: whether it has both choices and rules."""
        found: list[Any] = MODEL.findall(text)
        choices = sum(match.lstrip().startswith("choose") for match in found)
        return 0.6 if choices and choices < len(found) else 0.0
