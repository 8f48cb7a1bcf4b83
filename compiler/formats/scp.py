"""The OR-Library's set covering problems: rows to be covered at least once, by columns with costs.

The files consist of whole numbers separated by white space. In scp41 … scpe5 these are: the numbers of rows and of
columns; the cost of every column; then, for every row, how many columns cover it, and their numbers from 1. In the
railway files rail507 … they are: the numbers of rows and of columns; then, for every column, its cost, how many rows it
covers, and their numbers from 1. In both, a row is an item with low = 1 and no upper bound, and a column is an option.
A number that is given twice counts once.

Source: J. E. Beasley, OR-Library, "scpinfo".
"""

from __future__ import annotations

from covr.compiler.formats.draft import Draft
from covr.compiler.formats.placed_words import Numbers
from covr.engine import Problem


def read_scp(text: str) -> Problem:
    """The problem that an OR-Library set covering file holds; items and options are named by their numbers
    from 1.

    Raises FormatFault, a ValueError, with the place of the first wrong number. Time linear in the text.
    """
    numbers = Numbers(text)
    rows, columns = numbers.size(), numbers.size()
    costs = [numbers.next() for _ in range(columns)]
    held: list[dict[int, int]] = [{} for _ in range(columns)]
    for row in range(rows):
        for _ in range(numbers.size()):
            held[numbers.index(columns, "column")][row] = 0
    numbers.end()
    return _problem(rows, held, costs)


def read_rail(text: str) -> Problem:
    """The problem that a railway file holds; otherwise as `read_scp`."""
    numbers = Numbers(text)
    rows, columns = numbers.size(), numbers.size()
    costs, held = [], []
    for _ in range(columns):
        costs.append(numbers.next())
        held.append({numbers.index(rows, "row"): 0 for _ in range(numbers.size())})
    numbers.end()
    return _problem(rows, held, costs)


def _problem(rows: int, held: list[dict[int, int]], costs: list[int]) -> Problem:
    draft = Draft(goal=True)
    for row in range(rows):
        draft.item(f"row {row + 1}", 1, max(len(held), 1))
    for column, (members, cost) in enumerate(zip(held, costs, strict=True), 1):
        draft.option(f"column {column}", members.items(), cost)
    return draft.problem()
