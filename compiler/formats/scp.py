"""The OR-Library's set covering problems: rows to be covered at least once, columns that cost.

Whole numbers separated by white space: how many rows and columns; the cost of every column; then for every
row how many columns cover it, and their numbers from 1. A row is an item with low = 1 and no upper bound, a
column an option.

Source: J. E. Beasley, OR-Library, "scpinfo" (files scp41 … scpe5); the railway files have another layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from covr.compiler.formats.fault import FormatFault
from covr.engine import Problem, validate


def read_scp(text: str) -> Problem:
    """The problem that an OR-Library set covering file holds; items and options are named by their numbers
    from 1.

    Raises FormatFault, a ValueError, with the number of the first wrong line. Time linear in the text.
    """
    numbers = _numbers(text)
    rows, columns = _next(numbers), _next(numbers)
    costs = tuple(_next(numbers) for _ in range(_sensible(columns, text)))
    options: list[list[int]] = [[] for _ in range(columns)]
    for row in range(_sensible(rows, text)):
        for _ in range(_sensible(_next(numbers), text)):
            column = _next(numbers)
            if not 1 <= column <= columns:
                raise FormatFault(_lines(text), f"row {row + 1} names a column {column} of {columns}")
            if not options[column - 1] or options[column - 1][-1] != row:
                options[column - 1].append(row)
    if next(numbers, None) is not None:
        raise FormatFault(_lines(text), "there are more numbers than the first two announce")
    starts, members = [0], []
    for option in options:
        members += option
        starts.append(len(members))
    problem = Problem(
        low=(1,) * rows,
        high=(max(columns, 1),) * rows,
        primary=rows,
        starts=starts,
        members=members,
        costs=costs,
        item_names=tuple(f"row {i + 1}" for i in range(rows)),
        option_names=tuple(f"column {o + 1}" for o in range(columns)),
    )
    validate(problem)
    return problem


def _numbers(text: str) -> Iterator[int]:
    for line, words in enumerate(text.splitlines(), 1):
        for word in words.split():
            if not (word.isascii() and word.isdigit() and len(word) <= 18):
                raise FormatFault(line, f"`{word}` is not a whole number")
            yield int(word)


def _next(numbers: Iterator[int]) -> int:
    number = next(numbers, None)
    if number is None:
        raise FormatFault(1, "the file ends before all that its first two numbers announce")
    return number


def _sensible(size: int, text: str) -> int:
    """No size is larger than the text has room for: a broken file must not exhaust memory."""
    if size > len(text):
        raise FormatFault(1, f"{size} rows or columns are more than the file has room for")
    return size


def _lines(text: str) -> int:
    return max(len(text.splitlines()), 1)
