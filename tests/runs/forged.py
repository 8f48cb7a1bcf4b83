"""Run files and folders that covr has not written, with sums that fit what they hold: as a stranger can make them."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from covr.runs import contents as schema


class Idle:
    """Workers (engine/pieces/piece.py) that search nothing, however fast the machine is."""

    size, ahead, name = 1, 1, "nobody"

    def __init__(self, *_: object) -> None:
        pass

    def nothing(self, *_: object) -> list[Any]:
        return []

    start = submit = lower = reports = going = stop = nothing


PARENTS = ("about", "files", "pieces", "best")  # the tables whose rows the seal counts


def forge(file: Path, *changes: str, values: Sequence[Sequence[Any]] = ()) -> Path:
    """Change a run file by statements of SQL, and make its sums and its seal fit. values: of each statement."""
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode = DELETE")
        for k, change in enumerate(changes):
            base.execute(change, values[k] if k < len(values) else ())
        total = rows = 0
        for table in PARENTS:
            columns = [name for _, name, *_ in base.execute(f"PRAGMA table_info({table})")][:-1]
            keys = [name for _, name, _, _, _, key in base.execute(f"PRAGMA table_info({table})") if key]
            for row in base.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall():
                sum = schema.digest(table, *row)
                where = " AND ".join(f"{key} = ?" for key in keys)
                chosen = [row[columns.index(key)] for key in keys]
                base.execute(f"UPDATE {table} SET sum = ? WHERE {where}", (sum, *chosen))
                total, rows = (total + schema.number(sum)) % schema.MODULUS, rows + 1
        seal(base, rows, total)
    return file


def seal(base: sqlite3.Connection, rows: int, total: int) -> None:
    """Make the seal fit the rows."""
    (_, _, _, *rest, _) = base.execute("SELECT * FROM seal").fetchone()
    fields = (rows, total.to_bytes(16, "little"), *rest)
    base.execute(
        "INSERT OR REPLACE INTO seal VALUES (?, ?, ?, ?, ?, ?, ?, ?)", (1, *fields, schema.digest("seal", *fields))
    )
