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

from covr.highlight.tokens import pieces

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
