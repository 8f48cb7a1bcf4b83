"""`days("2026-12-01", 31)`, `weekday(day)`: the days of a calendar.

A date is a text as ISO 8601 writes it, "2026-12-01". Such texts sort as the days follow each other, read well in labels
and answers, and are what a table from a spreadsheet holds. So a date needs no kind of value of its own.

`date.fromisoformat` of Python reads more than that ("20261201", "2026-W49-2"), which would be a second name of the same
day, so the form is checked first.
"""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.values import Seq, Value, abbreviate, kind_of

_ISO: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_WRITTEN: Final = 'a date is written as "2026-12-01": year, month and day'


def days(site: Site, first: Value, count: Value) -> Seq:
    """`days("2026-12-01", 31)`: that day and those after it, `count` in all, as a list of ISO texts in order.

    Values O(count). Raises EvalFault E206 for what is no date or no number of days, and for days after the year 9999.
    """
    day = _date(site, first)
    if not isinstance(count, int):
        raise site.fault(1, f"the number of days is a whole number, not {kind_of(count)}")
    if count < 0:
        raise site.fault(1, f"the number of days is 0 or more, not {abbreviate(count)}")
    left = (date.max - day).days + 1
    if count > left:
        message = f"there are only {left:,} days from {day} to the end of the year 9999, not {abbreviate(count)}"
        raise site.fault(1, message)
    site.budget.spend(count, site.span)
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


__all__ = ["days", "weekday"]
