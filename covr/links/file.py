"""Addresses and files of pzpr and of sites for sudokus ↔ a board, and any link or file as a model."""

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
from covr.links.fpuzzles import drawings, is_fpuzzles, is_sudokupad, read_fpuzzles, read_sudokupad
from covr.links.fpuzzles_parts import SUDOKU, table_layer, usual_region
from covr.links.penpa import is_penpa, penpa_kind, read_penpa
from covr.links.places import LONGEST, Board, BoardDraft, LinkFault, Place, Value, Variant
from covr.links.table import Kind, find_kind

# --- sudokuwiki ------------------------------------------------------------------------------------------------------
# SudokuWiki: `https://www.sudokuwiki.org/sudoku.htm?bd=` and 81 characters, which also stand alone in many lists.
#
# So do 81 groups of digits, row by row, perhaps with rulings between them: what may still stand in each square. They
# are the sudoku of which that is known, and no other site's link.


SIDE = 9
WIKI = "https://www.sudokuwiki.org/sudoku.htm?bd="
_BEGINNING = re.compile(r"(?:https?://)?(?:www\.)?sudokuwiki\.org/[\w./-]*\?(?:[\w.-]*=[\w.-]*&)*bd=", re.ASCII | re.I)
_DIGITS = re.compile(r"[0-9.*_]{81}", re.ASCII)
LONGEST_GRID = 10_000  # characters of a grid of candidates: five times as many as the widest usual one has
_GRID = re.compile("[\\s1-9|:.'*+=─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╪╫┏┓┗┛┣┫┳┻╋-]*")
_GROUP = re.compile("(?=.)1?2?3?4?5?6?7?8?9?", re.ASCII)


def candidates_in(text: str) -> list[str] | None:
    """The 81 groups of digits of a grid of candidates; None for any other text, such as one with a blank square."""
    text = text.strip()
    if len(text) > LONGEST_GRID or _GRID.fullmatch(text) is None:
        return None
    rows = [found for line in text.splitlines() if (found := re.findall("[1-9]+", line))]
    groups = [group for row in rows for group in row]
    whole = len(groups) == SIDE**2 and len(rows) in (1, SIDE) and all(len(row) * len(rows) == SIDE**2 for row in rows)
    return groups if whole and all(map(_GROUP.fullmatch, groups)) and max(map(len, groups)) > 1 else None


def read_candidates(text: str, _: bool = False) -> Board:
    """The board of a grid of candidates: a single digit is given, of several one must stand there."""
    groups = candidates_in(text)
    assert groups is not None
    cells = [(r, c) for r in range(1, SIDE + 1) for c in range(1, SIDE + 1)]
    clue = {cell: int(group) for cell, group in zip(cells, groups, strict=True) if len(group) == 1}
    few = [(cell, tuple(map(int, group))) for cell, group in zip(cells, groups, strict=True) if len(group) > 1]
    region = {cell: usual_region(SIDE, cell) for cell in cells}
    layers: dict[str, dict[Place, Value]] = {"clue": {**clue}, "region": {**region}, "few": table_layer([*few])}
    return Board(SUDOKU.name, SIDE, SIDE, "", {name: layer for name, layer in layers.items() if layer})


def is_candidates(text: str) -> bool:
    """Whether a text is a grid of candidates."""
    return candidates_in(text) is not None


def is_sudokuwiki(text: str) -> bool:
    """Whether a text is an address of SudokuWiki, or a sudoku of 81 characters."""
    text = text.strip()
    return _BEGINNING.match(text[:200]) is not None or _DIGITS.fullmatch(text) is not None


def read_sudokuwiki(text: str, _: bool = False) -> Board:
    """The board in such an address or text. Raises LinkFault."""
    text = text.strip()
    found = _BEGINNING.match(text[:200])
    digits = (text[found.end() :] if found else text).partition("&")[0]
    if not _DIGITS.fullmatch(digits):
        if re.fullmatch("[0-9.*_]*", digits, re.ASCII):
            raise LinkFault(f"it has {len(digits)} characters in place of {SIDE**2}")
        raise LinkFault(f"`{shortened(digits)}` are not the {SIDE**2} digits and dots of a sudoku")
    clue = {(k // SIDE + 1, k % SIDE + 1): int(d) for k, d in enumerate(digits) if d in "123456789"}
    return Board("sudoku", SIDE, SIDE, "", {"clue": clue} if clue else {})


# --- The sudokus of sites that know nothing else: which text is one of theirs, and the board in it --------------------


_SITES = (
    (is_fpuzzles, read_fpuzzles), (is_sudokupad, read_sudokupad), (is_sudokuwiki, read_sudokuwiki),
    (is_candidates, read_candidates),
)  # fmt: skip
WIDTH = 110  # characters of a comment's line
MOST_WORDS = 50_000  # characters of a setter's words that are kept: ten times as many as the longest rules have
LONG = "ruleset"  # the words that may have several lines
LABELS = {"title": "title", "author": "author", LONG: "rules"}  # how a comment begins that says it
_NAMES = {label: name for name, label in LABELS.items()}
GOES_ON = "  "  # the beginning of a line that goes on with the one before
_LINE_END = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACES = "\u00a0\u3000\u200d"  # signs that can't be printed, but are part of texts
_ONE_SPACE = re.compile(r"(?<=\S) (?=\S)")


def is_sudoku_link(text: str) -> bool:
    """Whether a text is a link to a sudoku, judging by its beginning."""
    return any(is_one(text) for is_one, _ in _SITES)


def read_sudoku_link(text: str, ignore: bool = False) -> tuple[Kind, Board]:
    """The kind and the board of a link to a sudoku. ignore: pass over what is drawn freely. Raises LinkFault."""
    board = next(read for is_one, read in _SITES if is_one(text))(text, ignore)
    return (SUDOKU if board.kind == SUDOKU.name else find_kind(board.kind)), board


def words_of(board: Board) -> str:
    """What the setter says of the puzzle, as comments above its model, which `words_in` reads again. A long line goes
    on in the next, after more spaces."""
    passed = {str(place[0]): int(str(many)) for place, many in board.layer("passed").items()}
    found = [f"passed over, which may have a meaning: {drawings(passed)}"] if passed else []
    for name, label in LABELS.items():
        text = str(board.layer("said").get((name,), ""))[:MOST_WORDS]
        lines = [_plain(line).strip() for line in _LINE_END.split(text)]
        lines = lines if name == LONG else [" ".join(filter(None, lines))]
        if any(lines):
            first, *others = _wrapped(f"{label}: {lines[0]}".rstrip())
            found += [first, *others, *(part for line in lines[1:] for part in _wrapped(line))]
    return "".join(f"# {line}".rstrip() + "\n" for line in found)


def words_in(text: str) -> dict[Place, Value]:
    """What the comments above a model say of its puzzle, as a layer of its board."""
    said: dict[Place, Value] = {}
    lines: dict[str, list[str]] = {}
    last = ""
    for comment in text.split("\n"):
        if not comment.startswith("#"):
            break
        label, colon, rest = comment[2:].partition(":")
        name = _NAMES.get(label, "") if colon and last != LONG else ""
        if name and name not in lines:
            last, lines[name] = name, [rest.strip()]
        elif last and comment.startswith("# " + GOES_ON):
            lines[last][-1] = f"{lines[last][-1]} {comment[1:].strip()}".strip()
        elif last == LONG:
            lines[last].append(comment[1:].strip())
        else:
            last = ""
    for name, parts in lines.items():
        if words := "\n".join(parts)[:MOST_WORDS].strip("\n"):
            said[name,] = words
    return said


def _plain(line: str) -> str:
    """A line without signs that can't be printed, which a terminal might obey."""
    return "".join([sign if sign.isprintable() or sign in _SPACES else " " for sign in line])


def _wrapped(line: str) -> list[str]:
    """A line cut at single spaces into lines of WIDTH, as far as it has any; all but the first begin with spaces."""
    made, now = [], ""
    for part in _ONE_SPACE.split(line):
        if now and len(now) + 1 + len(part) > WIDTH:
            made.append(now)
            now = GOES_ON + part
        else:
            now = f"{now} {part}" if now else part
    return [*made, now]


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
    letters = board.flag or kind.always
    flag = f"{letters}/" if letters else ""
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
