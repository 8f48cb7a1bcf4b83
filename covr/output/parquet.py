"""Parquet, written through a journal, because a Parquet file can be read only when it is complete.

While covr searches, rows go to the journal `FILE.part`, each as a JSON list on a line of its own, after a line with the
names of the columns. When the search ends, whether by itself, at a limit or by Ctrl-C, the rows are written to FILE and
the journal is removed. After a kill, the journal remains and holds every answer that was reported; covr does not
overwrite it.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from covr.faults import usage_error
from covr.output.answer_rows import Rows
from covr.output.file_faults import cannot
from covr.output.lines import LineFile
from covr.output.writers import Numbered
from covr.whole_file import whole_file

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.ending import Ending

GROUP = 50_000  # rows in a row group of the Parquet file


class ParquetWriter(Numbered):
    """Writes a Parquet file with the rows of answer_rows.py: whole numbers as int64, everything else as text."""

    def __init__(self, compiled: Compiled, file: str) -> None:
        super().__init__(compiled)
        self._file, self._journal = file, f"{file}.part"
        self._rows = Rows(compiled)
        self._lines = LineFile(self._journal)

    def begin(self) -> None:
        """Open the journal."""
        try:
            import pyarrow  # type: ignore[import-untyped, import-not-found, unused-ignore]
        except ImportError:
            what = f"`{self._file}` needs pyarrow, which is not installed"
            raise usage_error("E605", what, help="pip install 'covr[parquet]'") from None
        if os.path.exists(self._journal):
            what = f"`{self._journal}` is there already: the answers of a run that was killed"
            raise usage_error("E605", what, help="move it away, or remove it")
        rows = self._rows
        whole = dict(zip(rows.indices, rows.whole_numbers(), strict=True))
        whole |= {"answer": True, "cost": True, "choice": False}
        kinds = {True: pyarrow.int64(), False: pyarrow.string()}
        fields = [(n, pyarrow.bool_() if n == "proved" else kinds[whole[n]]) for n in rows.columns]
        self._schema: Any = pyarrow.schema(fields)
        self._lines.open()
        self._lines.add(json.dumps(rows.columns) + "\n")

    def put(self, answer: Answer, number: int) -> None:
        rows = self._rows.of(answer, number)
        self._lines.add("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), 1)

    def end(self, run: Ending, code: int, shown: int) -> None:
        """Write the Parquet file from the journal, and remove the journal."""
        import pyarrow
        from pyarrow import parquet

        self._lines.close()
        try:
            with whole_file(self._file) as file, parquet.ParquetWriter(file, self._schema) as writer:
                for rows in self._groups():
                    columns = zip(*rows, strict=True)
                    arrays = [_array(pyarrow, c, f.type) for c, f in zip(columns, self._schema, strict=True)]
                    writer.write_table(pyarrow.Table.from_arrays(arrays, schema=self._schema))
            os.unlink(self._journal)
        except (OSError, pyarrow.ArrowException) as error:
            help = f"`{self._journal}` holds all {self._lines.answers} answers"
            raise cannot(self._file, "be written", error, help) from None

    def _groups(self) -> Iterator[list[list[Any]]]:
        with Path(self._journal).open(encoding="utf-8") as file:
            next(file)
            while group := [json.loads(line) for line in islice(file, GROUP)]:
                yield group


def _array(pyarrow: Any, column: tuple[Any, ...], kind: Any) -> Any:
    if kind == pyarrow.string():
        return pyarrow.array([None if v is None else str(v) for v in column], kind)
    if kind == pyarrow.bool_():
        return pyarrow.array([bool(v) for v in column], kind)
    return pyarrow.array(column, kind)
