"""What may be written in a layer, as far as the text tells: what stands there, and what the model compares it with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from covr.dsl import syntax as s
from covr.dsl.walk import walk

MOST = 40  # signs that are offered
MOST_NUMBER = 16  # a larger number is typed


class Compared:
    """The texts that a model compares with something."""

    def __init__(self, statements: Sequence[s.Statement]) -> None:
        self._statements = statements

    @cached_property
    def _found(self) -> tuple[dict[str, list[str]], list[str]]:
        """By the name that is looked up: the texts; and the texts that are compared with anything else."""
        own: dict[str, list[str]] = {}
        other: list[str] = []
        for node in walk(list(self._statements)):
            if isinstance(node, s.Compare):
                sides = [node.first, *(side for _, side in node.rest)]
                texts = [text.value for side in sides for text in walk(side) if isinstance(text, s.Text)]
                names = {
                    i.of.id for side in sides for i in walk(side) if isinstance(i, s.Index) and isinstance(i.of, s.Name)
                }
                for name in names:
                    own.setdefault(name, []).extend(texts)
                if not names:
                    other.extend(texts)
        return own, other

    def with_name(self, name: str) -> list[str]:
        """The texts that are compared with what stands in a grid of that name."""
        return self._found[0].get(name, [])

    @property
    def with_others(self) -> list[str]:
        """The texts that are compared with what no name tells."""
        return self._found[1]


def offered(name: str, standing: Iterable[str], compared: Compared) -> list[str]:
    """What is offered to be written in a grid. standing: what stands in it."""
    texts = dict.fromkeys(one for one in (*compared.with_name(name), *standing) if _fit(one))
    if not texts:
        texts = dict.fromkeys(one for one in compared.with_others if len(one) == 1 and _fit(one))
    numbers = [int(one) for one in texts if one.isdigit() and one.isascii()]
    words = [one for one in texts if not one.isdigit()] or ([] if numbers else ["?", "#"])
    counted: list[str] = []
    if numbers or all(one in ("?", "#") for one in words):
        most = max([9, *(one for one in numbers if one <= MOST_NUMBER)])
        counted = [str(one) for one in range(0 if 0 in numbers or not numbers else 1, most + 1)]
    return [*counted, *words][:MOST]


def _fit(sign: str) -> bool:
    return (
        sign.strip() == sign != "" and len(sign) <= 3 and sign not in (".", "_") and not any(c.isspace() for c in sign)
    )
