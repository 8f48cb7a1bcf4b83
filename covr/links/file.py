"""pzprv3 files ↔ a board, with what was drawn on it.

A file begins with `pzprv3` (or `pzprv3.1`, `pzprv3.2`), the kind, the rows and the columns, each on a line; `/` may
stand in place of the line ends. What pzpr appends about the history of the drawing is not read.
"""

from __future__ import annotations

import re

from covr.links.board import LONGEST, Board, BoardDraft, LinkFault, Variant
from covr.links.codes import shortened
from covr.links.file_parts import FileLines, FilePart, whole_number
from covr.links.kind import Kind

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

    Raises LinkFault for a puzzle that files can't say, such as a clue 0 where 0 stands for none: what is written is
    read again and must have the same params.
    """
    version = kind.version or int(bool(kind.older))
    head = [VERSIONS[version], kind.name]
    size = [str(board.height)] if kind.square else [str(board.height), str(board.width)]
    parts = [line for part in kind.file for line in part.write(board)]
    if _told(read_file(version, [*size, *parts], kind), kind) != _told(board, kind):
        raise LinkFault("a file of this kind can't say all of it")
    return "\n".join([*head, *size, *parts, ""])


def _told(board: Board, kind: Kind) -> object:
    """What a board says: its params, or its layers if it is refused. Some files lose borders that part nothing."""
    try:
        return kind.params(board)
    except LinkFault:
        return board.only(kind.question).layers


def _parts(version: int, kind: Kind) -> tuple[FilePart, ...]:
    return kind.older if kind.older and version < (kind.version or 1) else kind.file
