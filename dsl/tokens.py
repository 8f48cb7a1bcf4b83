"""The data of the parser: words and signs of a text with their places, and the trees that are made of them.

These are Lark's Token and Tree with what covr uses of them; Tree is compiled with what makes most of them. Importing
Lark takes longer than parsing a model, so it is imported only to build the tables (tables.py).
"""

from __future__ import annotations

from typing import TypeAlias

from covr.dsl._reading import Tree

_text = str.__new__


class Token(str):
    """A word or sign. type: its terminal. start_pos, end_pos: offsets in the text, the end behind its last character.

    Two tokens are equal if their texts are.
    """

    __slots__ = ("end_pos", "start_pos", "type")

    type: str
    start_pos: int
    end_pos: int

    def __new__(cls, type: str, value: str, start_pos: int, end_pos: int) -> Token:
        made = _text(cls, value)
        made.type = type
        made.start_pos = start_pos
        made.end_pos = end_pos
        return made

    def __reduce__(self) -> tuple[object, tuple[str, str, int, int]]:
        return Token, (self.type, str(self), self.start_pos, self.end_pos)

    def __repr__(self) -> str:
        return f"Token({self.type!r}, {str(self)!r})"


Child: TypeAlias = "Tree | Token"


class Unexpected(Exception):
    """A token that does not fit where it stands."""

    def __init__(self, token: Token) -> None:
        super().__init__(repr(token))
        self.token = token


__all__ = ["Child", "Token", "Tree", "Unexpected"]
