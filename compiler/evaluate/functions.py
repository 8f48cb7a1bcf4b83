"""The built-in functions and readers, by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date, timedelta
from functools import partial
from itertools import combinations, permutations, product
from math import comb, factorial
from typing import Any, Final

from covr.compiler.evaluate import geometry
from covr.compiler.evaluate.blocks import DataBlock, scalar, section_of
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.files import read_beside
from covr.compiler.evaluate.geometry import regions
from covr.compiler.evaluate.limits import EvalFault, did_you_mean
from covr.compiler.evaluate.members import no_field
from covr.compiler.evaluate.operators import not_after
from covr.compiler.evaluate.scope import READERS
from covr.compiler.evaluate.values import (
    WORD,
    FileText,
    Map,
    Piece,
    Record,
    Rng,
    Seq,
    Set,
    Truth,
    Value,
    abbreviate,
    alike,
    in_documented_order,
    kind_of,
    measure,
    order_key,
    size_of,
    truth,
)
from covr.frozen import frozen

# --- days ------------------------------------------------------------------------------------------------------------
# `days("2026-12-01", 31)`, `weekday(day)`: the days of a calendar.
#
# A date is a text as ISO 8601 writes it, which sorts as the days follow each other and is what a spreadsheet's table
# holds. `date.fromisoformat` reads other forms, too, which would be second names of the same day, so the form is
# checked first.


_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WRITTEN: Final = 'a date is written as "2026-12-01": year, month and day'


def days(site: Site, first: Value, count: Value) -> Seq:
    """`days("2026-12-01", 31)`: that day and those after it, `count` in all, as a list of ISO texts in order. Values
    O(count). Raises EvalFault E206 for what is no date or no number of days, and for days after the year 9999."""
    day = _date(site, first)
    if not isinstance(count, int):
        raise site.fault(1, f"the number of days is a whole number, not {kind_of(count)}")
    if count < 0:
        raise site.fault(1, f"the number of days is 0 or more, not {abbreviate(count)}")
    left = (date.max - day).days + 1
    if count > left:
        message = f"there are only {left:,} days from {day} to the end of the year 9999, not {abbreviate(count)}"
        raise site.fault(1, message)
    site.budget.count_values(count, site.span)
    return Seq([(day + timedelta(n)).isoformat() for n in range(count)])


def weekday(site: Site, day: Value) -> int:
    """`weekday("2026-12-01")`: 1 for Monday to 7 for Sunday, as ISO 8601 counts. Raises EvalFault E206 for no date."""
    return _date(site, day).isoweekday()


def _date(site: Site, value: Value) -> date:
    """The date that the first argument is."""
    if not isinstance(value, str):
        raise site.fault(0, f"a date is text, not {kind_of(value)}", _WRITTEN)
    text = str(value)
    if not _ISO.fullmatch(text):
        raise site.fault(0, f"{abbreviate(value)} is no date", _WRITTEN)
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise site.fault(0, f"{abbreviate(value)} is no day of the calendar", _help(text)) from None


def _help(text: str) -> str:
    """What is wrong with a date whose form is right."""
    year, month, day = (int(part) for part in text.split("-"))
    if not year:
        return "years count from 0001"
    if not 1 <= month <= 12:
        return f"there are 12 months, and no month {month}"
    if not day:
        return "days count from 01"
    first_of_next = date(year + month // 12, month % 12 + 1, 1) if (year, month) != (9999, 12) else None
    last = (first_of_next - timedelta(1)).day if first_of_next else 31
    return f"{text[:7]} has {last} days"


# --- functions -------------------------------------------------------------------------------------------------------
# The built-in functions, by name. Each checks its arguments and reports a wrong one at that argument's place.
#
# What a function builds is counted before it is built, so that `subsets(1..100, 50)` stops at once.


@frozen
class BuiltIn:
    """A built-in function. apply takes the Site of the call and the arguments, of which there are `least` to `most`."""

    name: str
    apply: Callable[..., Any]
    least: int
    most: int | None

    def check_count(self, count: int, site: Site) -> None:
        """Raises EvalFault E208 for a call with too few or too many arguments."""
        if count >= self.least and (self.most is None or count <= self.most):
            return
        if self.most is None:
            wanted = f"{self.least} or more values"
        elif self.most == self.least:
            wanted = f"{self.least} value" + "s" * (self.least != 1)
        else:
            wanted = f"{self.least} {'or' if self.most == self.least + 1 else 'to'} {self.most} values"
        raise EvalFault.at(site.span, "E208", f"`{self.name}` takes {wanted}, not {count}")


# --- arguments --------------------------------------------------------------------------------------------


def _members(site: Site, position: int, value: Value) -> Set | Seq | tuple[Any, ...]:
    """A set, a list, a tuple, or the keys of a grid."""
    if isinstance(value, Map):
        return value.keys
    if isinstance(value, Set | Seq | tuple):
        return value
    raise site.fault(position, f"`{_called(site)}` wants a set or list, not {kind_of(value)}")


def _called(site: Site) -> str:
    return site.span.text.partition("(")[0].strip()


def _number(site: Site, position: int, value: Value, what: str) -> int:
    if isinstance(value, int):
        return value
    raise site.fault(position, f"{what} is a whole number, not {kind_of(value)}")


def meets(site: Site, one: Value, other: Value) -> Truth:
    """`meets(a, b)`: whether two sets or lists have a member in common. Nothing is built. Time O(the smaller one), and
    to look through the other one if that is a list."""
    few, many = sorted((_members(site, 0, one), _members(site, 1, other)), key=len)
    site.budget.step(1 + len(few) + (0 if isinstance(many, Set | Rng) else len(many)), site.span)
    known = many if isinstance(many, Set | Rng) else frozenset(many)
    return truth(any(member in known for member in few))


# --- numbers and sizes ------------------------------------------------------------------------------------


def absolute(site: Site, x: Value) -> int:
    """`abs(x)`."""
    return abs(_number(site, 0, x, "what `abs` takes"))


def least(site: Site, *args: Value) -> Value:
    """`min(a, b, …)`, `min(S)`: the least of some values of one kind; for sets, the first in documented order."""
    return _extreme(site, args, greatest=False)


def greatest(site: Site, *args: Value) -> Value:
    """`max(a, b, …)`, `max(S)`: the greatest of some values of one kind; for sets, the last in documented order."""
    return _extreme(site, args, greatest=True)


def _extreme(site: Site, args: tuple[Value, ...], *, greatest: bool) -> Value:
    members = _members(site, 0, args[0]) if len(args) == 1 else args
    name = "max" if greatest else "min"
    if size_of(members) == 0:
        raise site.fault(0, f"`{name}` of nothing")
    if isinstance(members, Rng):
        return members.high if greatest else members.low
    site.budget.step(len(members), site.span)
    walk = iter(members)
    best = next(walk)
    for value in walk:
        if not alike(best, value):
            raise site.fault(
                0, f"`{name}` wants values of one kind, not {kind_of(best)} and {kind_of(value)}", code="E201"
            )
        if isinstance(value, tuple | Seq):
            first = not_after(value, best, name, site.of(0), site.budget)
        elif isinstance(value, int | str):
            first = value <= best  # type: ignore[operator]
        else:
            first = not order_key(best) < order_key(value)
        if first is not greatest:
            best = value
    return best


def total(site: Site, values: Value) -> int:
    """`sum(S)`: of a set or list of numbers; 0 when it is empty."""
    members = _members(site, 0, values)
    if isinstance(members, Rng):
        return (members.low + members.high) * members.size // 2
    site.budget.step(len(members), site.span)
    found = 0
    for value in members:
        found += _number(site, 0, value, "what `sum` adds")
    site.budget.number(found.bit_length(), site.span)
    return found


def size(site: Site, value: Value) -> int:
    """`size(x)`: members of a set, list or tuple, keys of a grid, cells of a piece, characters of a text."""
    if isinstance(value, Piece):
        return len(value.cells)
    if isinstance(value, Set | Seq | Map | tuple | str):
        return size_of(value)
    raise site.fault(0, f"{kind_of(value)} has no size")


def ordered(site: Site, values: Value) -> Seq:
    """`sorted(S)`: the members as a list in documented order; repeats in a list are kept."""
    members = _members(site, 0, values)
    site.budget.count_values(size_of(members), site.span)
    return Seq(in_documented_order(members))


def position(site: Site, value: Value, of: Value) -> int:
    """`position(x, S)`: the place of a value in a list, tuple or text, counted from 1: the first, if it stands there
    several times; of a set, and of the keys of a grid, in documented order."""
    at, near, what = 0, "", kind_of(of).removeprefix("a ")
    if isinstance(of, str):
        site.budget.step(len(of) // WORD + 1, site.span)
        at = str(of).find(str(value)) + 1 if isinstance(value, str) else 0
    else:
        members = _members(site, 1, of)
        site.budget.step(1 if isinstance(members, Rng) else len(members) * (1 + measure(value)[2]) + 1, site.span)
        if isinstance(members, Rng):
            at = value - members.low + 1 if isinstance(value, int) and value in members else 0
        elif value in members:
            at = next(at for at, member in enumerate(members, 1) if member == value)
        elif isinstance(value, str):
            near = did_you_mean(str(value), [str(member) for member in members if isinstance(member, str)])
    if not at:
        raise site.fault(0, f"{abbreviate(value)} stands nowhere in this {what}", near or "ask first, with `in`")
    return at


# --- combinations -----------------------------------------------------------------------------------------


def subsets(site: Site, values: Value, count: Value) -> Set:
    """`subsets(S, k)`: the sets of k members of S."""
    members = _distinct(site, 0, values)
    n, k = size_of(members), _count(site, count)
    if k > n:
        return Set()
    site.budget.count_values(n, site.span)  # the members are listed first, however few are taken
    site.budget.count_values(_allowed(site, n, lambda: comb(n, k) * max(k, 1), min(k, n - k)), site.span)
    # Combinations and products of a sorted sequence come in documented order already.
    return Set.in_order(tuple(Set.in_order(c) for c in combinations(members, k)))


def tuples(site: Site, values: Value, count: Value) -> Set:
    """`tuples(S, k)`: the lists of k members of S, in every order and with repeats. They are lists and not tuples, so
    that they can equal lists that a model makes (`[t[i] for i in 1..4]`)."""
    members = _distinct(site, 0, values)
    n, k = size_of(members), _count(site, count)
    site.budget.count_values(n, site.span)
    site.budget.count_values(k * _heaviest(members), site.span)
    site.budget.count_values(_allowed(site, n, lambda: n**k * max(k, 1), k if n > 1 else 0), site.span)
    return Set.in_order(tuple(Seq(t) for t in product(members, repeat=k)))


def arrangements(site: Site, values: Value) -> Set:
    """`permutations(S)`: the lists of all members of S, in every order. If S has repeats, each order comes once."""
    members = values if isinstance(values, Seq) else _distinct(site, 0, values)
    n = size_of(members)
    site.budget.count_values(_allowed(site, n, lambda: factorial(n) * max(n, 1), n), site.span)
    return Set(Seq(t) for t in permutations(members))


def _heaviest(members: Set | Seq) -> int:
    """The number of parts of the largest member: hashing a copy takes that many steps."""
    return 1 if isinstance(members, Rng) else max((measure(v)[0] for v in members), default=1)


def _distinct(site: Site, position: int, values: Value) -> Set:
    members = _members(site, position, values)
    if isinstance(members, Set):
        return members
    site.budget.apart(members.items if isinstance(members, Seq) else members)
    return Set(members)


def _count(site: Site, value: Value) -> int:
    k = _number(site, 1, value, "how many are taken")
    if k < 0:
        raise site.fault(1, f"how many are taken is 0 or more, not {abbreviate(k)}")
    return k


def _allowed(site: Site, n: int, values: Callable[[], int], effort: int) -> int:
    """How many values a function builds. effort: bounds the logarithm of that number, so that it is safe to compute."""
    most = site.budget.limits.values
    if effort > most.bit_length() and n > 1:
        return most + 1
    return min(values(), most + 1)


def _cell(name: str, site: Site, *coordinates: Value) -> Value:
    """`hex(r, c)` and its like."""
    return geometry.cell(site, name, *coordinates)


# --- data -------------------------------------------------------------------------------------------------


def cells(site: Site, value: Value) -> Set:
    """`cells(grid)`: the places where something stands. `cells(p)`: the cells of a piece."""
    if isinstance(value, Map):
        return value.keys
    if isinstance(value, Piece):
        return value.cells
    if isinstance(value, Set):
        return value
    raise site.fault(0, f"`cells` wants a grid or a piece, not {kind_of(value)}")


def mapping(site: Site, records: Value, key: Value, value: Value) -> Map:
    """`map(records, "cage", "total")`: the map from one field of each record to another. A key that stands in several
    records must have the same value in all of them."""
    members = _members(site, 0, records)
    for position, name in ((1, key), (2, value)):
        if not isinstance(name, str):
            raise site.fault(position, f"the name of a column is text, not {kind_of(name)}")
    site.budget.count_values(size_of(members), site.span)
    entries: dict[Value, Value] = {}
    for record in members:
        for position, name in ((1, key), (2, value)):
            if not isinstance(record, Record) or name not in record.names:
                raise no_field(record, str(name), site.of(position if isinstance(record, Record) else 0))
        assert isinstance(record, Record)
        one, other = (record.items[record.names.index(str(name))] for name in (key, value))
        if entries.setdefault(one, other) != other:
            both = f"{abbreviate(entries[one])} and {abbreviate(other)}"
            raise site.fault(1, f"two records have the `{key}` {abbreviate(one)}, with the `{value}` {both}")
    return Map(entries)


def columns(site: Site, of: Value) -> Seq:
    """`columns(t)`: the names of the fields of a record, or of all records of a table, in order. No names for a table
    without records."""
    records = (of,) if isinstance(of, Record) else _members(site, 0, of)
    found: tuple[str, ...] = ()
    for at, record in enumerate(records):
        if not isinstance(record, Record):
            raise site.fault(0, f"`columns` wants a record or a list of records, and one of these is {kind_of(record)}")
        if at and record.names != found:
            raise site.fault(0, "these records do not have the same fields")
        found = record.names
    site.budget.count_values(len(found), site.span)
    return Seq(found)


def split(site: Site, value: Value, at: Value = "") -> Seq:
    """`split(field)`: the words of a text as a list; digits become numbers. A number is a list of itself. `split(field,
    ";")`: the parts between the separators, without the spaces around them. With `"\\n"`, which ends lines, nothing
    stands behind the last one."""
    if not isinstance(at, str):
        raise site.fault(1, f"a separator is text, not {kind_of(at)}")
    if isinstance(value, int):
        return Seq((value,))
    if isinstance(value, Seq):
        return value
    if not isinstance(value, str):
        help = "name one of its fields" if isinstance(value, Record) else ""
        raise site.fault(0, f"`split` wants text, not {kind_of(value)}", help)
    words = [w.strip() for w in str(value).split(at)] if at else str(value).split()
    if at == "\n" and not words[-1]:
        words.pop()
    site.budget.count_values(len(words), site.span)
    return Seq([scalar(word) for word in words])


def file(site: Site, path: Value) -> FileText:
    """`file("path")`: the text of a file. The path is relative to the file that contains the call, and stays within
    its folder."""
    if not isinstance(path, str):
        raise site.fault(0, f"the name of a file is text, not {kind_of(path)}")
    source = read_beside(str(path), site.of(0), site.budget)
    site.budget.count_values(len(source.text) // 64, site.span)
    return FileText(source)


def section(site: Site, text: Value, name: Value) -> Value:
    """`section(text, "NAME")`: the part of a text under that name."""
    if not isinstance(text, str):
        raise site.fault(0, f'`section` wants a text, such as `file("name")`, not {kind_of(text)}')
    if not isinstance(name, str):
        raise site.fault(1, f"the name of a section is text, not {kind_of(name)}")
    site.budget.step(len(text) // WORD + 4 * text.count("\n") + 1, site.span)
    return section_of(DataBlock.of_value(text, site.of(0)), str(name), site.of(1))


FUNCTIONS: Mapping[str, BuiltIn] = {
    f.name: f
    for f in (
        BuiltIn("abs", absolute, 1, 1),
        BuiltIn("min", least, 1, None),
        BuiltIn("max", greatest, 1, None),
        BuiltIn("sum", total, 1, 1),
        BuiltIn("size", size, 1, 1),
        BuiltIn("sorted", ordered, 1, 1),
        BuiltIn("position", position, 2, 2),
        BuiltIn("subsets", subsets, 2, 2),
        BuiltIn("tuples", tuples, 2, 2),
        BuiltIn("permutations", arrangements, 1, 1),
        BuiltIn("box", geometry.box, 2, 3),
        BuiltIn("cells", cells, 1, 1),
        BuiltIn("hex", partial(_cell, "hex"), 2, 2),
        BuiltIn("triangle", partial(_cell, "triangle"), 2, 2),
        BuiltIn("sticks", partial(_cell, "sticks"), 2, 2),
        BuiltIn("balls", partial(_cell, "balls"), 3, 3),
        BuiltIn("hexagon", geometry.hexagon, 1, 2),
        BuiltIn("neighbours", geometry.neighbours, 1, 1),
        BuiltIn("rotate", geometry.rotate, 1, 2),
        BuiltIn("reflect", geometry.reflect, 1, 2),
        BuiltIn("translate", geometry.translate, 2, 2),
        BuiltIn("orientations", geometry.orientations, 1, 2),
        BuiltIn("shape", geometry.shape, 1, 2),
        BuiltIn("placements", geometry.placements, 2, 3),
        BuiltIn("symmetries", geometry.symmetries, 1, 1),
        BuiltIn("rotations", geometry.rotations, 1, 1),
        BuiltIn("frame", geometry.frame, 1, 1),
        BuiltIn("runs", geometry.runs, 1, 1),
        BuiltIn("edges", geometry.edges, 1, 1),
        BuiltIn("windows", geometry.windows, 3, 4),
        BuiltIn("regions", regions, 2, 2),
        BuiltIn("rectangles", geometry.rectangles, 1, 2),
        BuiltIn("border", geometry.border, 1, 1),
        BuiltIn("parts", geometry.parts, 1, 1),
        BuiltIn("between", geometry.between, 2, 2),
        BuiltIn("touches", geometry.touches, 2, 2),
        BuiltIn("meets", meets, 2, 2),
        BuiltIn("map", mapping, 3, 3),
        BuiltIn("columns", columns, 1, 1),
        BuiltIn("split", split, 1, 2),
        BuiltIn("days", days, 2, 2),
        BuiltIn("weekday", weekday, 1, 1),
        BuiltIn("file", file, 1, 1),
        BuiltIn("section", section, 2, 2),
        *(BuiltIn(reader.name, reader.call, 0, None) for reader in READERS.values()),
    )
}
