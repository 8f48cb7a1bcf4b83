"""Sudokus of sites that know nothing else."""

from __future__ import annotations

import re

from covr.links.codes import shortened
from covr.links.fpuzzles import drawings, is_fpuzzles, is_sudokupad, read_fpuzzles, read_sudokupad
from covr.links.fpuzzles_parts import SUDOKU, table_layer, usual_region
from covr.links.places import Board, LinkFault, Place, Value
from covr.links.table import Kind, find_kind

# --- sudokuwiki ------------------------------------------------------------------------------------------------------
# SudokuWiki: `https://www.sudokuwiki.org/sudoku.htm?bd=` and 81 characters, which also stand alone in many lists.
#
# So do 81 groups of digits, row by row, perhaps with rulings between them: what may still stand in each square. They
# are the sudoku of which that is known, and no other site's link.


SIDE = 9
SITE = "https://www.sudokuwiki.org/sudoku.htm?bd="
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
