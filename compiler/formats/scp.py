"""The OR-Library's set covering and set partitioning problems: rows to be covered by columns with costs.

The files consist of whole numbers separated by white space. In scp41 … scpe5 these are: the numbers of rows and of
columns; the cost of every column; then, for every row, how many columns cover it, and their numbers from 1. In the
railway files rail507 … they are: the numbers of rows and of columns; then, for every column, its cost, how many rows it
covers, and their numbers from 1. In both, a row is an item with low = 1 and no upper bound, and a column is an option.
The crew pairings of airlines (sppaa01 …, sppnw01 …) look like the railway files, but every row is to be covered exactly
once. A number that is given twice counts once.

Source: J. E. Beasley, OR-Library, "scpinfo" and "sppinfo".
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
    return _problem(*_by_columns(text))


def read_spp(text: str) -> Problem:
    """The problem of a file of crew pairings, whose rows are covered exactly once; otherwise as `read_scp`."""
    return _problem(*_by_columns(text), most=1)


def _by_columns(text: str) -> tuple[int, list[dict[int, int]], list[int]]:
    """The number of rows, and the rows and the cost of every column."""
    numbers = Numbers(text)
    rows, columns = numbers.size(), numbers.size()
    costs, held = [], []
    for _ in range(columns):
        costs.append(numbers.next())
        held.append({numbers.index(rows, "row"): 0 for _ in range(numbers.size())})
    numbers.end()
    return rows, held, costs


def _problem(rows: int, held: list[dict[int, int]], costs: list[int], most: int | None = None) -> Problem:
    """most: how often a row may be covered; None: any number of times."""
    draft = Draft(goal=True)
    for row in range(rows):
        draft.item(f"row {row + 1}", 1, max(len(held), 1) if most is None else most)
    for column, (members, cost) in enumerate(zip(held, costs, strict=True), 1):
        draft.option(f"column {column}", members.items(), cost)
    return draft.problem()
