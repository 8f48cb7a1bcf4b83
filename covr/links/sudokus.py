"""The sudokus of sites that know nothing else: which text is one of theirs, and the board in it."""

from __future__ import annotations

import re

from covr.links.board import Board, Place, Value
from covr.links.fpuzzles import drawings, is_fpuzzles, read_fpuzzles
from covr.links.kind import Kind
from covr.links.sudoku_board import SUDOKU
from covr.links.sudokupad import is_sudokupad, read_sudokupad
from covr.links.sudokuwiki import is_candidates, is_sudokuwiki, read_candidates, read_sudokuwiki
from covr.links.table import find_kind

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
    """What the setter says of the puzzle, as comments above its model, which `words_in` reads again; nothing if there
    are no words. A line that is too long goes on in the next, which begins with more spaces."""
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
