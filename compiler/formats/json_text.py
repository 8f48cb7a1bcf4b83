"""A complete problem in JSON: what is written and read again is the same problem with the same names.

    {"format": "covr-problem", "version": 1,
    "items": [
    {"name": "A", "low": 1, "high": 1},
    {"name": "X", "low": 0, "high": 1}],
    "options": [
    {"name": "take", "items": [0, 1], "colours": [0, 2], "cost": 5}],
    "given": [0]}

A problem with side conditions has the version 2 and, after `given`, a list `"sides"` of objects
    {"kind": "total", "name": "…", "terms": [[option, coefficient], …], "sums": [[low, high], …]},
    {"kind": "connection", "name": "…", "places": [[option, vertex], …], "edges": [[u, v], …]},
    {"kind": "loop", "name": "…", "ends": [[option, u, v], …]}; engine/problem.py says what they mean.

If only some options tell answers apart, the version is 3, and a list `"told"` names them after all else.

Items and options are numbered from 0. `name`, `colours` and `cost` may be missing, which means no name, no colours and
cost 0; if `low` or `high` is missing, it is 1. Colours are listed in the order of the items, 0 for none. Items that
must be covered are moved before the others, if they do not stand there already.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import attrs

from covr.compiler.formats.draft import Draft, FormatFault
from covr.engine import Problem
from covr.engine.problem import MOST_COLOURS, AreaDemand, Areas, Circuit, Connection, Side, Total, validate_sides

NAME, VERSION, WITH_SIDES, WITH_PROJECTION = "covr-problem", 1, 2, 3
SPACE = " \t\n"
ITEM_KEYS = frozenset({"name", "low", "high"})
OPTION_KEYS = frozenset({"name", "items", "colours", "cost"})
LARGEST = 2**62


def write_json(problem: Problem) -> Iterator[str]:
    """The lines of a JSON file, with each item and each option on its own line."""
    version = WITH_PROJECTION if problem.projection is not None else WITH_SIDES if problem.sides else VERSION
    yield f'{{"format": "{NAME}", "version": {version},\n"items": ['
    for i in range(problem.items):
        entry: dict[str, Any] = {"name": problem.item_names[i]} if problem.item_names else {}
        yield _entry({**entry, "low": problem.low[i], "high": problem.high[i]}, i)
    yield '],\n"options": ['
    for o in range(problem.options):
        entry = {"name": problem.option_names[o]} if problem.option_names else {}
        entry["items"] = list(problem.option(o))
        if problem.colours:
            entry["colours"] = list(problem.option_colours(o))
        if problem.costs:
            entry["cost"] = problem.costs[o]
        yield _entry(entry, o)
    yield f'],\n"given": {list(problem.given)}'
    if problem.sides:
        yield ',\n"sides": ['
        for k, side in enumerate(problem.sides):
            yield _entry(_side(side), k)
        yield "]"
    if problem.projection is not None:
        yield f',\n"told": {list(problem.projection)}'
    yield "}\n"


def _side(side: Side) -> dict[str, Any]:
    """A side as JSON has it."""
    entry: dict[str, Any] = {"kind": _KINDS[type(side)], "name": side.name}
    entry |= {part: list(map(list, getattr(side, part))) for part in _PARTS[type(side)]}
    if isinstance(side, Areas):
        entry |= {"always": list(side.always), "demands": [attrs.asdict(one) for one in side.demands]}
    return entry


_KINDS: dict[type, str] = {Total: "total", Connection: "connection", Circuit: "loop", Areas: "areas"}
_PARTS: dict[type, tuple[str, ...]] = {
    Total: ("terms", "sums"), Connection: ("places", "edges"), Circuit: ("ends",), Areas: ("places", "edges", "cuts"),
}  # fmt: skip
_OF_AREAS = ("always", "demands")
_OF_DEMANDS = frozenset({"terms", "sums", "anchors", "waived"})


def _entry(entry: dict[str, Any], number: int) -> str:
    return (",\n" if number else "\n") + json.dumps(entry, ensure_ascii=False)


def read_json(text: str) -> Problem:
    """The problem of a JSON file. Raises FormatFault, a ValueError, with the place of the first fault."""
    try:
        return _JsonReader(text).problem()
    except json.JSONDecodeError as error:
        raise FormatFault(error.lineno, error.msg[:1].lower() + error.msg[1:], error.colno) from None
    except RecursionError:
        raise FormatFault(1, "the text nests too deeply") from None


class _JsonReader:
    """Reads the outer object and its two lists itself, so that a fault can be reported with its place."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.decode = json.JSONDecoder().raw_decode
        self.draft = Draft()
        self.bounds: list[tuple[int, int]] = []
        self.named = self.called = self.coloured = False
        self.seen: set[str] = set()
        self.options_at: list[int] = []
        self.given: list[Any] = []
        self.given_at = 0
        self.projection: list[Any] | None = None
        self.projection_at = 0
        self.sides: list[Side] = []
        self.sides_at: list[int] = []

    def problem(self) -> Problem:
        self.each("{", "}", self.field)
        self.blank()
        if self.at < len(self.text):
            raise self.fault(self.at, "something stands after the end")
        if not {"items", "options"} <= self.seen:
            raise self.fault(0, "the object has no `items` and `options`")
        self.check()
        problem = self.draft.problem()
        return attrs.evolve(
            problem,
            sides=tuple(self.sides),
            projection=None if self.projection is None else tuple(sorted(self.projection)),
            item_names=problem.item_names if self.named else (),
            option_names=problem.option_names if self.called else (),
            colours=problem.colours or ([0] * len(problem.members) if self.coloured else ()),
        )

    def fault(self, at: int, what: str) -> FormatFault:
        line = self.text.count("\n", 0, at) + 1
        return FormatFault(line, what, at - self.text.rfind("\n", 0, at))

    def blank(self) -> int:
        """Skip white space. Returns the offset where the next thing begins."""
        while self.at < len(self.text) and self.text[self.at] in SPACE:
            self.at += 1
        return self.at

    def sign(self, wanted: str) -> bool:
        """Whether the next character is `wanted`; if so, it is read."""
        self.blank()
        found = self.text.startswith(wanted, self.at)
        self.at += found
        return found

    def value(self) -> Any:
        start = self.blank()
        try:
            found, self.at = self.decode(self.text, start)
        except json.JSONDecodeError:
            raise
        except ValueError:  # Python refuses to read whole numbers of more than some thousand digits
            raise self.fault(start, "a whole number has too many digits") from None
        return found

    def each(self, left: str, right: str, read: Callable[[], None]) -> None:
        """Read a list or an object between `left` and `right`, calling `read` for each entry."""
        if not self.sign(left):
            raise self.fault(self.at, f"there is no `{left}` where one must stand")
        if self.sign(right):
            return
        while True:
            read()
            if self.sign(right):
                return
            if not self.sign(","):
                raise self.fault(self.at, f"there is no `,` or `{right}` where one must stand")

    def field(self) -> None:
        start = self.blank()
        key = self.value()
        if not self.sign(":"):
            raise self.fault(self.at, "there is no `:` where one must stand")
        if not isinstance(key, str) or key in self.seen:
            raise self.fault(start, f"{json.dumps(key)} is not a key that is known here, or is there twice")
        self.seen.add(key)
        if key == "items":
            self.each("[", "]", self.item)
        elif key == "options":
            self.each("[", "]", self.option)
        elif key == "sides":
            self.each("[", "]", self.side)
        else:
            start = self.blank()
            value = self.value()
            if key == "format" and value != NAME:
                raise self.fault(start, f"the format is not {NAME}")
            if key == "version" and value not in (VERSION, WITH_SIDES, WITH_PROJECTION):
                raise self.fault(start, f"the version is none of {VERSION}, {WITH_SIDES} and {WITH_PROJECTION}")
            if key == "given":
                self.given, self.given_at = self.numbers(start, value, "given"), start
            if key == "told":
                self.projection, self.projection_at = self.numbers(start, value, "told"), start

    def entry(self, keys: frozenset[str]) -> tuple[int, dict[str, Any]]:
        start = self.blank()
        entry = self.value()
        if not isinstance(entry, dict) or not keys >= set(entry):
            raise self.fault(start, f"this is no object of {', '.join(sorted(keys))}")
        if not isinstance(entry.get("name", ""), str):
            raise self.fault(start, "the name is not text")
        return start, entry

    def item(self) -> None:
        start, entry = self.entry(ITEM_KEYS)
        low, high = self.numbers(start, [entry.get("low", 1), entry.get("high", 1)], "a bound", None)
        if low < 0 or high < 0:
            raise self.fault(start, "a bound is negative")
        self.named |= "name" in entry
        self.draft.item(entry.get("name", ""), low, high)

    def option(self) -> None:
        start, entry = self.entry(OPTION_KEYS)
        items = self.numbers(start, entry.get("items", []), "items")
        colours = self.numbers(start, entry.get("colours", [0] * len(items)), "colours", MOST_COLOURS)
        (cost,) = self.numbers(start, [entry.get("cost", 0)], "the cost")
        if len(items) != len(colours):
            raise self.fault(start, "items and colours differ in number")
        if len(set(items)) < len(items):
            raise self.fault(start, "an item is in the option twice")
        self.called |= "name" in entry
        self.coloured |= "colours" in entry
        self.draft.goal |= "cost" in entry
        self.options_at.append(start)
        self.draft.option(entry.get("name", ""), list(zip(items, colours, strict=True)), cost)

    def side(self) -> None:
        start = self.blank()
        entry = self.value()
        kind = next((k for k, word in _KINDS.items() if isinstance(entry, dict) and entry.get("kind") == word), None)
        if kind is None or not isinstance(entry.get("name", ""), str):
            raise self.fault(start, f"this is no object whose kind is one of {', '.join(_KINDS.values())}")
        parts = _PARTS[kind]
        every = (*parts, *(_OF_AREAS if kind is Areas else ()))
        if set(entry) - {"name"} != {"kind", *every}:
            raise self.fault(start, f"a {entry['kind']} has {' and '.join(f'`{part}`' for part in every)}")
        rows = [entry[part] for part in parts]
        if not all(isinstance(part, list) and all(isinstance(row, list) for row in part) for part in rows):
            raise self.fault(start, f"{' and '.join(f'`{part}`' for part in parts)} must be lists of lists")
        self.sides_at.append(start)
        if kind is Areas:
            self.sides.append(self.areas(start, entry))
            return
        self.sides.append(kind(*(tuple(map(tuple, part)) for part in rows), entry.get("name", "")))

    def areas(self, start: int, entry: dict[str, Any]) -> Areas:
        """Areas, whose numbers are not checked yet."""
        places, edges, cuts = (tuple(map(tuple, entry[part])) for part in _PARTS[Areas])
        demands = []
        for one in entry["demands"] if isinstance(entry["demands"], list) else [None]:
            if not isinstance(one, dict) or set(one) != _OF_DEMANDS or type(one["waived"]) is not bool:
                raise self.fault(start, "each of `demands` has `terms`, `sums`, `anchors` and `waived`")
            lists = [one["terms"], one["sums"]]
            if not all(isinstance(part, list) and all(isinstance(row, list) for row in part) for part in lists):
                raise self.fault(start, "`terms` and `sums` must be lists of lists")
            anchors = None if one["anchors"] is None else tuple(self.numbers(start, one["anchors"], "anchors"))
            terms, sums = (tuple(map(tuple, part)) for part in lists)
            demands.append(AreaDemand(terms, sums, anchors, one["waived"]))
        always = tuple(self.numbers(start, entry["always"], "`always`"))
        return Areas(places, edges, tuple(demands), always, cuts, entry.get("name", ""))

    def numbers(self, start: int, values: Any, what: str, most: int | None = LARGEST) -> list[int]:
        """A list of whole numbers, which is checked. most: the largest size allowed; None for any."""
        if not isinstance(values, list) or not all(type(v) is int for v in values):
            raise self.fault(start, f"{what} must be whole numbers")
        for value in values:
            if most is not None and abs(value) >= most:
                raise self.fault(start, f"{what} must be below {most}, and not {value}")
        return values

    def check(self) -> None:
        """The checks that are possible only when everything has been read."""
        draft = self.draft
        for start, option in zip(self.options_at, draft.rows(), strict=True):
            for i, colour in option:
                if not 0 <= i < len(draft.names):
                    raise self.fault(start, f"there is no item {i}: there are {len(draft.names)}, from 0")
                if colour < 0 or (colour and (draft.low[i], draft.high[i]) != (0, 1)):
                    raise self.fault(start, f"the item {i} has bounds other than 0, 1 and can't show a colour")
        if any(not 0 <= o < draft.options for o in self.given) or len(set(self.given)) < len(self.given):
            raise self.fault(self.given_at, "a given option is not there, or given twice")
        draft.given = self.given
        projection = self.projection or []
        if any(not 0 <= o < draft.options for o in projection) or len(set(projection)) < len(projection):
            raise self.fault(self.projection_at, "an option that tells answers apart is not there, or told twice")
        for start, side in zip(self.sides_at, self.sides, strict=True):
            try:
                validate_sides([side], draft.options)
            except ValueError as wrong:
                raise self.fault(start, str(wrong)) from None
