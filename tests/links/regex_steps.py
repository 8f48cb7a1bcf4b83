"""How many steps a regular expression takes on a text: a backtracking matcher that counts, and is Python's in all else.

Only what the patterns of covr use is known; anything else is an error, so that no pattern is passed over.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from re import _constants as op  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from typing import Any

Then = Callable[[int], bool]
MOST = 300  # characters of a text: each may cost some of Python's frames


class Steps:
    """A pattern and how many characters it has looked at."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.items = list(parser.parse(pattern.pattern, pattern.flags))
        self.fold = bool(pattern.flags & re.IGNORECASE)
        self.flags = pattern.flags & (re.ASCII | re.IGNORECASE | re.DOTALL | re.MULTILINE)
        self.steps = 0
        self.text = ""
        self.ones: dict[str, re.Pattern[str]] = {}

    def match(self, text: str, at: int = 0, whole: bool = False) -> int | None:
        """Where a match that begins there ends; None if there is none."""
        self.text, found = text, [-1]

        def end(to: int) -> bool:
            found[0] = to
            return not whole or to == len(text)

        return found[0] if self._all(self.items, 0, at, end) else None

    def search(self, text: str) -> list[tuple[int, int]]:
        """The matches from left to right, as `finditer` finds them."""
        at, found = 0, []
        while at <= len(text):
            to = self.match(text, at)
            if to is None:
                at += 1
            else:
                found.append((at, to))
                at = max(to, at + 1)
        return found

    def _all(self, items: list[Any], k: int, at: int, then: Then) -> bool:
        if k == len(items):
            return then(at)
        return self._one(items[k], at, lambda to: self._all(items, k + 1, to, then))

    def _one(self, item: Any, at: int, then: Then) -> bool:
        kind, value = item
        self.steps += 1
        if kind in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN):
            return self._sign(item, at) and then(at + 1)
        if kind is op.BRANCH:
            return any(self._all(list(way), 0, at, then) for way in value[1])
        if kind is op.SUBPATTERN:
            return self._all(list(value[-1]), 0, at, then)
        if kind in (op.MAX_REPEAT, op.POSSESSIVE_REPEAT):
            return self._repeat(kind is op.POSSESSIVE_REPEAT, *value, at, then)
        if kind is op.AT:
            return self._edge(value, at) and then(at)
        if kind in (op.ASSERT, op.ASSERT_NOT):
            return self._look(value, at) is (kind is op.ASSERT) and then(at)
        raise NotImplementedError(f"{kind} in {self.text!r}")

    def _sign(self, item: Any, at: int) -> bool:
        """Whether one sign stands there. A set of signs is left to Python, which needs one step for it."""
        if at >= len(self.text):
            return False
        kind, value = item
        sign = self.text[at]
        if kind is op.ANY:
            return sign != "\n" or bool(self.flags & re.DOTALL)
        if kind in (op.LITERAL, op.NOT_LITERAL):
            same = sign == chr(value) or (self.fold and sign.lower() == chr(value).lower())
            return same is (kind is op.LITERAL)
        return self._in_set(value, sign)

    def _in_set(self, members: Any, sign: str) -> bool:
        negated = bool(members) and members[0][0] is op.NEGATE
        held = False
        for kind, value in members[negated:]:
            if kind is op.LITERAL:
                held |= any(ord(form) == value for form in self._forms(sign))
            elif kind is op.RANGE:
                held |= any(value[0] <= ord(form) <= value[1] for form in self._forms(sign))
            elif kind is op.CATEGORY:
                name = str(value).rpartition("_")[2].lower()[0]
                wanted = name.upper() if "_NOT_" in str(value) else name
                held |= re.fullmatch(f"\\{wanted}", sign, self.flags & re.ASCII) is not None
            else:
                raise NotImplementedError(kind)
        return held is not negated

    def _forms(self, sign: str) -> set[str]:
        both = {sign.lower(), sign.upper()} if self.fold else set()
        return {sign, *(form for form in both if len(form) == 1)}

    def _edge(self, where: Any, at: int) -> bool:
        text = self.text
        if where is op.AT_END:
            return at == len(text) or (at == len(text) - 1 and text[at] == "\n")
        if where is op.AT_END_STRING:
            return at == len(text)
        if where is op.AT_BOUNDARY:
            return self._is_word(at - 1) is not self._is_word(at)
        raise NotImplementedError(where)

    def _is_word(self, at: int) -> bool:
        inside = 0 <= at < len(self.text)
        return inside and re.match(r"\w", self.text[at], self.flags & re.ASCII) is not None

    def _look(self, value: Any, at: int) -> bool:
        way, items = value
        if way < 0:
            wide = items.getwidth()[0]
            return at >= wide and self._all(list(items), 0, at - wide, lambda to: to == at)
        return self._all(list(items), 0, at, lambda _: True)

    def _repeat(self, possessive: bool, low: int, high: Any, items: Any, at: int, then: Then) -> bool:
        most = None if high is op.MAXREPEAT else int(high)
        single = len(items) == 1 and items[0][0] in (op.LITERAL, op.NOT_LITERAL, op.ANY, op.IN)
        if not single and not possessive:
            return self._many(list(items), low, most, at, then, 0)
        ends = [at]
        for to in self._ends(list(items), at, single):
            if most is not None and len(ends) > most:
                break
            ends.append(to)
        tried = reversed(ends[low:]) if not possessive else iter(ends[low:][-1:])
        for to in tried:
            self.steps += 1
            if then(to):
                return True
        return False

    def _ends(self, items: list[Any], at: int, single: bool) -> Iterator[int]:
        """Where one, two, … of the items end, each taken the first way that there is."""
        while True:
            self.steps += 1
            found = [-1]

            def end(to: int, found: list[int] = found) -> bool:
                found[0] = to
                return True

            taken = self._sign(items[0], at) if single else self._all(items, 0, at, end)
            if not taken or (not single and found[0] == at):
                return
            at = at + 1 if single else found[0]
            yield at

    def _many(self, items: list[Any], low: int, most: int | None, at: int, then: Then, done: int) -> bool:
        def again(to: int) -> bool:
            return to > at and self._many(items, low, most, to, then, done + 1)

        if (most is None or done < most) and self._all(items, 0, at, again):
            return True
        return done >= low and then(at)
