"""The places of a board, with the values that the names after `at` have there.

A board of 1000 × 1000 squares has a million places, and hardly anybody asks for the values at one of them. So they are
not kept as a million dictionaries: each is made when it is asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from typing import Any

from covr.compiler.display.coordinates import Coordinates, Place
from covr.compiler.evaluate import EvalFault
from covr.compiler.lower.keys import KeyPlan

Env = dict[str, Any]
KeyValue = tuple[Any, ...]


class BoardPlaces(Mapping[Place, Env]):
    """Place → the values of the names after `at`, in the order of the places.

    keys: place → the values of these names, or None where the place itself consists of them.
    """

    def __init__(self, names: Sequence[str], keys: Mapping[Place, KeyValue | None]) -> None:
        self._names = names
        self._keys = keys

    def __getitem__(self, place: Place) -> Env:
        key = self._keys[place]
        return dict(zip(self._names, place if key is None else key, strict=True))

    def __iter__(self) -> Iterator[Place]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, place: object) -> bool:
        return place in self._keys


def places_of(
    plan: KeyPlan, values: Mapping[KeyValue, None], checks: Sequence[Callable[[Env], bool]], axes: Coordinates
) -> BoardPlaces:
    """The places of the keys that pass all checks. Raises EvalFault."""
    keys = [key for key in values if _holds(plan, key, checks)] if checks else list(values)
    if axes.plain:
        return BoardPlaces(plan.names, dict.fromkeys(sorted(keys)))
    return BoardPlaces(plan.names, dict(sorted(((axes.place(key), key) for key in keys), key=itemgetter(0))))


def _holds(plan: KeyPlan, key: KeyValue, checks: Sequence[Callable[[Env], bool]]) -> bool:
    env = dict(zip(plan.names, key, strict=True))
    try:
        return all(check(env) for check in checks)
    except EvalFault as fault:
        raise plan.met(fault, plan.names, key) from None
