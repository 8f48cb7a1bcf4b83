"""`days` and `weekday` agree with Python's calendar, and what is no date is refused at its place."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from covr.compiler.evaluate import CompileLimits
from covr.dsl.diagnostics import ModelErrors
from tests.compiler.evaluation import scope, told, value


@given(st.dates(), st.integers(0, 40))
@example(date(2024, 2, 28), 3)
@example(date(9999, 12, 31), 1)
@example(date(1, 1, 1), 0)
def test_days_follow_each_other(first: date, count: int) -> None:
    count = min(count, (date.max - first).days + 1)
    found = list(value(f'days("{first}", {count})'))  # type: ignore[arg-type]
    assert found == [str(first + timedelta(n)) for n in range(count)]
    assert found == sorted(found)


@given(st.dates())
def test_the_days_of_the_week_are_those_of_the_calendar(day: date) -> None:
    assert value(f'weekday("{day}")') == day.isoweekday()


digits = st.text("0123456789", min_size=1, max_size=5)
nearly = st.builds("{}-{}-{}".format, digits | st.just("2024"), digits | st.just("02"), digits | st.just("29"))


@given(nearly | st.dates().map("{:%Y%m%d}".format) | st.text("0123456789-W٣", max_size=11))
@example("2100-02-29")
@example("2026-W49-2")
@example("9999-12-32")
def test_what_is_no_date_is_refused(text: str) -> None:
    try:
        known = str(date.fromisoformat(text)) == text
    except ValueError:
        known = False
    for call in (f'weekday("{text}")', f'days("{text}", 1)'):
        refused = told(lambda call=call: scope(f"let it = {call}"))
        assert bool(refused) is not known
        assert all(fault.startswith(f'E206 at ""{text}"": ') for fault in refused)


FAULTS = [
    ("weekday(7)", 'E206 at "7": a date is text, not a whole number'),
    ("weekday([])", 'E206 at "[]": a date is text, not a list'),
    ('days("2026-02-29", 1)', 'E206 at ""2026-02-29"": "2026-02-29" is no day of the calendar'),
    ('days("2026-02-01", "x")', 'E206 at ""x"": the number of days is a whole number, not text'),
    ('days("2026-02-01", 1 = 1)', 'E206 at "1 = 1": the number of days is a whole number, not true or false'),
    ('days("2026-02-01", 0 - 1)', 'E206 at "0 - 1": the number of days is 0 or more, not -1'),
    (
        'days("9999-12-30", 3)',
        'E206 at "3": there are only 2 days from 9999-12-30 to the end of the year 9999, not 3',
    ),
    ('days("2026-02-01")', 'E208 at "days("2026-02-01")": `days` takes 2 values, not 1'),
]


@pytest.mark.parametrize(("call", "fault"), FAULTS)
def test_faults_stand_at_the_value_that_is_wrong(call: str, fault: str) -> None:
    assert told(lambda: scope(f"let it = {call}")) == [fault]


HELP = [
    ("2026-04-31", "2026-04 has 30 days"),
    ("2024-02-30", "2024-02 has 29 days"),
    ("2026-12-32", "2026-12 has 31 days"),
    ("9999-12-32", "9999-12 has 31 days"),
    ("2026-00-01", "there are 12 months, and no month 0"),
    ("2026-01-00", "days count from 01"),
    ("0000-01-01", "years count from 0001"),
    ("1 Dec 2026", 'a date is written as "2026-12-01": year, month and day'),
]


@pytest.mark.parametrize(("text", "help"), HELP)
def test_the_help_says_what_is_wrong_with_a_date(text: str, help: str) -> None:
    with pytest.raises(ModelErrors) as found:
        scope(f'let it = weekday("{text}")')
    assert [fault.help for fault in found.value.diagnostics] == [help]


def test_days_are_counted_before_they_are_made() -> None:
    limits = CompileLimits(values=1000)
    assert [told(lambda: scope('let it = days("2026-01-01", 2000000)', limits=limits))[0][:4]] == ["E210"]
