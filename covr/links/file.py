"""pzpr's addresses and files ↔ a board, and any link or file as a model."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import unquote

from covr.dsl.diagnostics import Source
from covr.dsl.syntax import CheckedModel, Expect, Param, ReaderBlock
from covr.frozen import frozen
from covr.links.codes import Letters, shortened
from covr.links.file_parts import FileLines, FilePart, whole_number
from covr.links.penpa import is_penpa, penpa_kind, read_penpa
from covr.links.places import LONGEST, Board, BoardDraft, LinkFault, Variant
from covr.links.sudokus import is_sudoku_link, read_sudoku_link, words_of
from covr.links.table import Kind, find_kind

# --- pzpr's addresses: `https://puzz.link/p?slither/5/5/cbcbcddad` ↔ a board ------------------------------------------
# After the `?` stand the kind, letters that say more about it (not always), the columns, the rows, and the clues.


SITE = "https://puzz.link/p?"
# The sites whose addresses have this form: they, and copies of pzpr's pages under any name.
SITES = ("puzz.link", "pzv.jp", "pzprxs.vercel.app", "pzplus.tck.mn", "pedros.works", "indi.s58.xrea.com")
_PAGE = re.compile(r"(?:https?://)?[\w.-]+(?:/[\w./-]*)?\?(?:p=|type=[a-z]+&)?", re.ASCII)
LONGEST_FLAG = 10  # letters before the size: no kind has as many
_SIZE = re.compile(r"[0-9]{1,20}", re.ASCII)


def is_address(text: str) -> bool:
    """Whether a text is an address of a puzzle in this form, judging by its beginning."""
    start = text.strip()[:200]
    if any(f"{site}/" in start for site in SITES) and "?" in start:
        return True
    found = _PAGE.match(start)
    return found is not None and re.match(r"[a-z0-9_-]+/(?:[^/]*/){0,2}[0-9]+/[0-9]+", start[found.end() :]) is not None


def kind_name(text: str) -> tuple[str, str]:
    """The kind that an address names, and what stands after it. Raises LinkFault."""
    text = text.strip()
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} letters")
    page = _PAGE.match(text)
    if page is None:
        raise LinkFault("no puzzle stands after a `?`")
    name, slash, rest = text[page.end() :].partition("/")
    if not slash or not re.fullmatch(r"[a-z0-9_-]{1,40}", name):
        raise LinkFault(f"`{shortened(text[page.end() :])}` is not a puzzle as puzz.link writes it")
    if "%" in rest and re.search("%2[fF]|%25", rest):
        raise LinkFault("it is encoded twice: it has `%2F` in place of `/`")
    return name.removesuffix("_edit").removesuffix("_play"), rest


def read_address(rest: str, kind: Kind) -> Board:
    """The board in an address. rest: what stands after the kind. Raises LinkFault.

    As in pzpr, what an address lacks is blank, and what it has too much is ignored; the board's remark says so.
    """
    fields = rest.split("/")
    if fields and fields[0].startswith("v:"):
        raise Variant(f"it is a variant with rules of its own (`{shortened(fields[0])}`), which no model has")
    flag = fields.pop(0) if fields and not _SIZE.fullmatch(fields[0]) else ""
    if len(flag) > LONGEST_FLAG:
        raise LinkFault(f"`{shortened(flag)}` is not the size of a board")
    kind.check_flag(flag)
    if len(fields) < 2 or not (_SIZE.fullmatch(fields[0]) and _SIZE.fullmatch(fields[1])):
        raise LinkFault("it does not say how many columns and rows the board has")
    wide, high = int(fields[0]), int(fields[1])
    draft = BoardDraft(kind.name, high, wide, flag)
    body = "/".join(fields[2:])
    letters = Letters(body)
    for part in kind.address:
        part.read(letters, draft)
    left = body[letters.at :].strip("/")
    if letters.short:
        draft.remark = "ends too early: what is missing is read as blank"
    elif left or letters.long:
        more = f"`{shortened(left)}`" if left else "what is left over"
        draft.remark = f"has more than its board: {more} is passed over"
    return draft.board()


def write_address(board: Board, kind: Kind) -> str:
    """The address of a board, of its question alone. Raises LinkFault for a value that addresses can't say."""
    body = "".join([part.write(board) for part in kind.address])
    flag = f"{board.flag}/" if board.flag else ""
    # Some programs leave out a sign at the end of an address when they make a link of it; a slash after it helps.
    end = "/" if body and not body[-1].isalnum() and not body.endswith("/") else ""
    return f"{SITE}{kind.name}/{flag}{board.width}/{board.height}/{body}{end}"


# --- pzprv3 files ↔ a board, with what was drawn on it ----------------------------------------------------------------
# A file begins with `pzprv3` (or `pzprv3.1`, `pzprv3.2`), the kind, the rows and the columns, each on a line; `/` may
# stand in place of the line ends. What pzpr appends about the history of the drawing is not read.


VERSIONS = ("pzprv3", "pzprv3.1", "pzprv3.2")
_APPENDED = re.compile(r"info:\{|history:\{|__HISTORY__|TrialData|https?://")


def is_file(text: str) -> bool:
    """Whether a text is such a file, judging by its beginning."""
    return text.lstrip()[:100].startswith("pzprv")


def file_kind(text: str) -> tuple[str, int, list[str]]:
    """The kind that a file names, its version (0 to 2), and the lines after that. Raises LinkFault."""
    if len(text) > LONGEST:
        raise LinkFault(f"it has more than {LONGEST:,} characters")
    text = text.strip()
    lines = [line.strip() for line in (text if "\n" in text else text.replace("/", "\n")).splitlines()]
    if lines and lines[0].startswith("v:"):
        raise Variant(f"it is a variant with rules of its own (`{shortened(lines[0])}`), which no model has")
    if len(lines) < 2 or lines[0] not in VERSIONS:
        raise LinkFault("it does not begin as a file of pzpr, with `pzprv3` or `pzprv3.1` and a kind")
    return lines[1], VERSIONS.index(lines[0]), lines[2:]


def read_file(version: int, after: list[str], kind: Kind) -> Board:
    """The board in a file. after: its lines after the kind. Raises LinkFault."""
    end = next((at for at, line in enumerate(after) if _APPENDED.match(line)), len(after))
    lines = FileLines(after[:end])
    sizes = [whole_number(lines.take()) for _ in range(1 if kind.square else 2)]
    high, wide = sizes[0], sizes[-1]
    if high is None or wide is None:
        raise LinkFault("it does not say how many rows and columns the board has")
    draft = BoardDraft(kind.name, high, wide)
    empty = lines.over  # a board on which nothing stands may be written so
    for part in _parts(version, kind):
        if empty or (lines.over and not kind.question.intersection(part.layers)):
            break
        part.read(lines, draft)
        kind.check_flag(draft.flag)
    if not lines.over:
        raise LinkFault(f"`{shortened(lines.peek())}` is left over at its end")
    return draft.board()


def write_file(board: Board, kind: Kind) -> str:
    """The file of a board, its question and what is drawn on it, lines ended by newlines.

    Raises LinkFault for a puzzle that files can't say: what is written is read again and must have the same params.
    """
    version = kind.version or int(bool(kind.older))
    head = [VERSIONS[version], kind.name]
    size = [str(board.height)] if kind.square else [str(board.height), str(board.width)]
    parts = [line for part in kind.file for line in part.write(board)]
    if _content(read_file(version, [*size, *parts], kind), kind) != _content(board, kind):
        raise LinkFault("a file of this kind can't say all of it")
    return "\n".join([*head, *size, *parts, ""])


def _content(board: Board, kind: Kind) -> object:
    """What a board says: its params, or its layers if it is refused. Some files lose borders that part nothing."""
    try:
        return kind.params(board)
    except LinkFault:
        return board.only(kind.question).layers


def _parts(version: int, kind: Kind) -> tuple[FilePart, ...]:
    return kind.older if kind.older and version < (kind.version or 1) else kind.file


# --- A link or file as a model: the text of the gallery's model with the board drawn in its params --------------------
# A text, and not a model with values, so that everything works on it: messages show the board as it is drawn, `-D`
# changes it, `covr convert LINK my.cover` writes it down. `use` would not do, because it takes no rules over.
#
# Of the model's promises only `expect unique` stays: the others are about its own board.


# The beginning of a link of which all is encoded, or all behind the `?`.
ENCODED = re.compile(r"\s*(?:https?%(?:25)*3A|[\w.:/-]{1,100}\?[a-z0-9_]{1,100}%(?:25)*2F)", re.IGNORECASE)
MOST_ENCODED = 3  # addresses that a link may have been written into, one into the other


@frozen
class Linked:
    """A puzzle that was read. kind: its row of the table.  board: the puzzle, and what was drawn on it."""

    kind: Kind
    board: Board


def is_linked(text: str) -> bool:
    """Whether a text is a link or file of a puzzle, judging by its beginning."""
    text = _decoded(text)
    return is_file(text) or is_sudoku_link(text) or is_penpa(text) or is_address(text)


def read_linked(text: str, name: str | None = None, ignore: bool = False) -> Linked:
    """The puzzle in a link or file. name: its kind, for links that do not say it. ignore: pass over free drawings.
    Raises LinkFault."""
    text = _decoded(text)
    linked = _read(text, name, ignore)
    if name is not None and find_kind(name) is not linked.kind:
        raise LinkFault(f"it is a puzzle of the kind `{linked.kind.name}`, not `{name}`")
    return linked


def _decoded(text: str) -> str:
    """A link without percent-encoding, if the whole link was encoded (`%3A` for its colon, `%2F` for its slashes)."""
    for _ in range(MOST_ENCODED):
        text = unquote(text) if ENCODED.match(text) else text
    return text


def _read(text: str, name: str | None, ignore: bool) -> Linked:
    if is_sudoku_link(text):
        return Linked(*read_sudoku_link(text, ignore))
    if is_penpa(text):
        kind = penpa_kind(text) if name is None else find_kind(name)
        return Linked(kind, read_penpa(text, kind))
    if is_file(text):
        name, version, after = file_kind(text)
        kind = find_kind(name)
        return Linked(kind, read_file(version, after, kind))
    name, rest = kind_name(text)
    kind = find_kind(name)
    return Linked(kind, read_address(rest, kind))


def model_of(linked: Linked, model: CheckedModel, name: str) -> Source:
    """The gallery's model of the kind with the board of the puzzle. name: how messages call it. Raises LinkFault."""
    params = linked.kind.params(linked.board)
    source = model.source
    edits = [
        (param.value.span.start, param.value.span.end, _drawn(param, params[param.name.id]))
        for param in model.definitions
        if isinstance(param, Param) and param.name.id in params and param.span.source == source
    ]
    assert len(edits) == len(params), "a param that the model has not"
    for promise in model.statements:
        if not isinstance(promise, Expect):
            continue
        if promise.kind != "unique" or promise.settings:
            edits.append((promise.span.start, promise.span.end, ""))
    text = source.text
    for start, end, new in sorted(edits, reverse=True):
        text = text[:start] + new + text[end:]
    text = words_of(linked.board) + text.rstrip() + "\n"
    return Source(name, text, source.path, linked=True, remark=linked.board.remark)


def _drawn(param: Param, value: Any) -> str:
    """A param's value as it is written in a model, in the way of its default."""
    if not isinstance(param.value, ReaderBlock):
        return _written(value)
    head, quotes, _ = param.value.span.text.partition('"""')
    reader: Callable[[Any], list[str]] = _table if param.value.name.id == "table" else _picture
    lines = value.split("\n") if isinstance(value, str) else reader(value)
    return "\n".join([head + quotes, *("  " + line for line in lines), quotes])


def _picture(rows: Sequence[Sequence[Any]]) -> list[str]:
    words = [["." if value is None else str(value) for value in row] for row in rows]
    wide = max((len(word) for row in words for word in row), default=1)
    if wide == 1:
        return ["".join(row) for row in words]
    if len(words[0]) == 1:
        raise LinkFault("its board is one column wide, in which words of two letters can't be drawn")
    return [" ".join(word.rjust(wide) for word in row).rstrip() for row in words]


def _table(records: Sequence[Any]) -> list[str]:
    rows = [
        [str(word) for field in record.values() for word in (field if isinstance(field, list) else [field])]
        for record in records
    ]
    wide = max((len(row[0]) for row in rows), default=0)
    return [" ".join([row[0].ljust(wide), *row[1:]]) for row in rows]


def _written(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_written, value))}]"
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    assert isinstance(value, int)
    return str(value)


def called(text: str) -> str:
    """How messages call a link: by its beginning."""
    return shortened(text.strip().split("\n")[0])
