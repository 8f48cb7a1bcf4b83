"""Readers of lists and tables."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from covr.compiler.evaluate.blocks import DataBlock, scalar
from covr.compiler.evaluate.calls import Site
from covr.compiler.evaluate.files import names_book, read_beside
from covr.compiler.evaluate.limits import EvalFault
from covr.compiler.evaluate.values import Record, Seq, Value, kind_of

# --- cells -----------------------------------------------------------------------------------------------------------
# Cells of tables that a spreadsheet would take for formulas.
#
# A program such as Excel runs a cell that begins with `=`, `+`, `-` or `@`, also in the wide forms of East Asia, or
# with blanks or line ends before one of these; and a formula may send the cells beside it to a stranger. Some programs
# cut lines at `;` or tabs, so a part of a cell counts as a cell. Such a text is written with an apostrophe before what
# would run, which means "this is text" to these programs, and read without it; a text with apostrophes gets one more.
# Numbers stay as they are, with their signs.


_SIGNS = "=+\\-@＝＋－＠"
_CUTS = ";\\t\\r\\n"  # where a program may begin another cell
_NUMBER = rf"[+-]?\d+(?:\.\d+)?(?=[{_CUTS}]|\Z)"
# Where an apostrophe goes, and where one was put: at the beginning of a cell, and behind what may begin another.
_RUNS = re.compile(rf"\A(?='*[{_SIGNS}{_CUTS[1:]}])(?!{_NUMBER})|(?<=[{_CUTS}])(?='*[{_SIGNS}])(?!{_NUMBER})")
_GUARDS = re.compile(rf"\A'(?='*[{_SIGNS}{_CUTS[1:]}])|(?<=[{_CUTS}])'(?='*[{_SIGNS}])")


def guarded(text: str) -> str:
    """A text as a cell that no spreadsheet takes for a formula, as a whole or in part."""
    return _RUNS.sub("'", text)


def unguarded(cell: str) -> str:
    """The text of a cell that `guarded` made; other cells as they are."""
    return _GUARDS.sub("", cell)


# --- table readers ---------------------------------------------------------------------------------------------------
# Readers of lists and tables: `table`, `csv`, `list`, `text`.


CSV = (".csv", ".csv.gz", ".csv.xz")  # ends of names of files that are always read by `csv`
COMMENT = re.compile(r"\s*#(\s|$)")  # a line of a csv that is no row
REST = ("…", "...")  # ends of the name of a column that takes the rest of the line


def read_table(site: Site, block: DataBlock, args: list[Value]) -> Seq:
    """`table(column, …)`: a list of records, one for each line.

    Fields are separated by spaces; digits become numbers. A last column whose name ends in `…` (or `...`) is a list:
    the rest of the line. Blank lines are skipped. Without columns the first line names them, and if it has a comma, the
    text is read by `csv`. A text of one line that is no block and no file, `table("people.csv")`, names the file, which
    may be a book of sheets (sheets.py). Raises EvalFault E310 for a line with too few or too many fields, E206 for
    column names that are not all different, and what a file raises (files.py).
    """
    if not args:
        return _headed(site, block)
    return _table(site, block, block.written(), *_columns(site, args))


def _headed(site: Site, block: DataBlock) -> Seq:
    """A table whose first line names its columns."""
    is_csv = False
    if block.starts is None and len(block.lines) == 1:
        name = block.lines[0]
        if names_book(name):
            from covr.compiler.evaluate.sheets import read_sheet  # unpacks zips: 20 ms

            return read_sheet(site, name, site.of(0))
        block = DataBlock.of_source(read_beside(name, site.of(0), site.budget))
        is_csv = name.lower().endswith(CSV)
    elif block.starts is not None:
        source = block.whole.source  # a record of a collection in a csv has a name and no path: it is as it was written
        is_csv = bool(source.path) and source.name.lower().endswith(CSV)
    written = block.written()
    first = next(written, None)
    if first is None:
        raise block.fault(block.whole, "E310", "this has no line that names the columns")
    line, text = first
    if is_csv or "," in text:
        return read_csv(site, block, [])
    names: list[Value] = [word for word, _ in block.tokens(line)]
    try:
        columns = _columns(site, names)
    except EvalFault as fault:
        raise block.fault(block.row(line), "E310", fault.diagnostic.message) from None
    return _table(site, block, written, *columns)


def _table(site: Site, block: DataBlock, written: Iterator[tuple[int, str]], names: tuple[str, ...], rest: bool) -> Seq:
    """The records of the lines that are left. rest: whether the last column takes the rest of the line."""
    single = len(names) - rest
    rows = []
    for line, _ in written:
        words = block.tokens(line)
        if len(words) > len(names) and not rest:
            _, column = words[len(names)]
            raise block.fault(
                block.at(line, column, len(block.lines[line].rstrip()) - column),
                "E310",
                f"this line has {len(words)} fields, and there {'is' if len(names) == 1 else 'are'} {len(names)} "
                f"column{'s' * (len(names) != 1)}",
                help=f'"{names[-1]}…" takes the rest of a line, as a list',
            )
        if len(words) < single:
            missing = names[len(words)]
            raise block.fault(
                block.row(line),
                "E310",
                f"this line has no `{missing}`",
                help="its columns are " + ", ".join(names),
            )
        site.budget.count_values(len(words) + 2, site.span)
        fields = [scalar(word) for word, _ in words]
        rows.append(Record(names, (*fields[:single], Seq(fields[single:])) if rest else tuple(fields)))
    return Seq(rows)


def _columns(site: Site, args: list[Value]) -> tuple[tuple[str, ...], bool]:
    """The names of the columns, and whether the last one takes the rest of the line."""
    names: list[str] = []
    rest = False
    for position, arg in enumerate(args):
        if not isinstance(arg, str):
            raise site.fault(position, f"the name of a column is text, not {kind_of(arg)}")
        name, rest = str(arg), False
        for mark in REST:
            name, rest = name.removesuffix(mark).rstrip(), rest or name.endswith(mark)
        if name in names:
            raise site.fault(position, f"there are two columns `{name}`")
        if rest and position < len(args) - 1:
            raise site.fault(position, "only the last column can take the rest of the line")
        names.append(name)
    return tuple(names), rest


def read_csv(site: Site, block: DataBlock, args: list[Value]) -> Seq:
    """`csv`, `csv(column, …)`: a list of records; without columns the first line names them. Fields of digits become
    numbers; if the name of the last column ends in `…`, it is a list of the fields that are left, perhaps of none.

    Quotes and commas follow RFC 4180. Spaces around a field are not part of it, nor is the apostrophe that keeps a
    spreadsheet from running a cell (table_readers.py). Blank lines are skipped, and so are lines of comment: those that
    begin with `#` and a space, and those of `#` alone. Raises EvalFault E311 for a line with more or fewer fields than
    columns, E312 for text that is not csv, E206 for column names that are not all different.
    """
    rows = _csv_rows(block)
    names, rest = _columns(site, args)
    if not args:
        header = next(rows, None)
        if header is None:
            raise block.fault(block.whole, "E312", "this has no line that names the columns")
        line, named = header
        names = tuple(named)
        if "" in names or len(set(names)) < len(names):
            message = "the columns must have different names, and none of them may be empty"
            raise block.fault(block.row(line), "E312", message)
    single = len(names) - rest
    records = []
    for line, texts in rows:
        if rest and len(texts) == len(names) and not texts[-1]:
            texts.pop()
        if len(texts) < single or (len(texts) > single and not rest):
            raise block.fault(
                block.row(line),
                "E311",
                f"this line has {len(texts)} field{'s' * (len(texts) != 1)}, and there "
                f"{'is 1 column' if len(names) == 1 else f'are {len(names)} columns'}",
                help="its columns are " + ", ".join(names),
            )
        site.budget.count_values(len(texts) + 1 + rest, site.span)
        fields = [scalar(unguarded(text)) for text in texts]
        records.append(Record(names, (*fields[:single], Seq(fields[single:])) if rest else tuple(fields)))
    return Seq(records)


def _csv_rows(block: DataBlock) -> Iterator[tuple[int, list[str]]]:
    """The fields of every row that is neither blank nor a comment, with the number of the line where it begins."""
    read = 0  # lines
    begins: int | None = None  # the line where the row begins that is read now

    def lines() -> Iterator[str]:
        nonlocal read, begins
        for line in block.lines:
            read += 1
            if begins is None:
                if COMMENT.match(line):
                    continue
                begins = read - 1
            yield line

    reader = csv.reader(lines(), strict=True, skipinitialspace=True)
    while True:
        begins = None
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise block.fault(block.row(max(read - 1, 0)), "E312", f"this is not csv: {csv_fault(error)}") from None
        if any(text.strip() for text in fields):
            assert begins is not None
            yield begins, [text.strip() for text in fields]


def csv_fault(error: csv.Error) -> str:
    """What is wrong with comma-separated values, in words that are not Python's. How long a field may be is Python's to
    say, for all readers of a process."""
    text = str(error)
    wanted = re.match(r"'(.)' expected after '\"'", text)
    if wanted is not None:
        sign = {",": "a comma", ";": "a semicolon", "\t": "a tab"}.get(wanted[1], f"`{wanted[1]}`")
        return f"after the quotes that end a field stands {sign}"
    if text.startswith("field larger than"):
        return f"a field has more than {csv.field_size_limit():,} characters"
    if text.startswith("new-line character"):
        return "a line is broken inside of a field without quotes"
    return "a field begins with quotes that never end" if text.startswith("unexpected end") else text


def read_list(site: Site, block: DataBlock, args: list[Value]) -> Seq:
    """`list`: the words of the text, line after line; digits become numbers."""
    _no_args(site, "list", args)
    words = [scalar(word) for line, _ in block.written() for word, _ in block.tokens(line)]
    site.budget.count_values(len(words), site.span)
    return Seq(words)


def read_text(site: Site, block: DataBlock, args: list[Value]) -> str:
    """`text`: the text as it stands, without the blank lines at its ends."""
    _no_args(site, "text", args)
    text = block.text
    site.budget.text(len(text), site.span)
    return text


def _no_args(site: Site, name: str, args: list[Value]) -> None:
    if args:
        raise EvalFault.at(site.span, "E208", f"`{name}` takes nothing but the text to read")
