"""Recognises by its content whether a text is a model or a matrix, and in which format.

A model begins with the word of a statement. A matrix is recognised by what only its format has: `p ds`, angle brackets,
braces, rows of 0 and 1, or a line of items and then lines of those items. Several formats are plain lists of numbers; a
text of that kind is recognised if exactly one of their readers can read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice

from covr.compiler.formats.fault import FormatFault
from covr.compiler.formats.matrix_csv import is_size, secondary_of
from covr.compiler.formats.npy import MAGIC
from covr.compiler.formats.table import FORMATS, Format

WORDS = "title use param let assert cells values choose exactly at agree given forbid minimize maximize up show expect"
STATEMENTS = frozenset([*WORDS.split(), "answers"])
COMMENT = re.compile(r"\s*(#|//|\||%|c(\s|$))")
# What other files are, by how they begin, in small letters, and what else their first bytes hold.
FOREIGN: dict[str, tuple[tuple[bytes, ...], bytes]] = {
    "a picture (SVG)": ((b"<svg", b"<?xml", b"<!--", b"<!doctype svg"), b"<svg"),
    "a page (HTML)": ((b"<!doctype html", b"<html"), b""),
    "a document (XML)": ((b"<?xml",), b""),
    "a picture (PNG)": ((b"\x89png",), b""),
    "a picture (GIF)": ((b"gif8",), b""),
    "a picture (JPEG)": ((b"\xff\xd8\xff",), b""),
    "a document (PDF)": ((b"%pdf-",), b""),
    "an archive (ZIP), as sheets and documents are": ((b"pk\x03\x04",), b""),
}
LOOKED_INTO = 4_000  # bytes that are searched for what tells a picture from another document
LOOKED_AT = 50  # how many lines are examined
PROBLEMS = {"ds": "gr", "td": "gr", "vc": "gr", "edge": "col", "col": "col", "hs": "hgr", "xcc": "xcc", "xc": "xcc"}
GOAL = re.compile(r"\s*(min|max)(imi[sz]e|imum)?(\s|$)", re.IGNORECASE)
SUBJECT_TO = re.compile(r"\s*(subject\s+to|such\s+that|st\.?|s\.t\.)(\s|$)", re.IGNORECASE)
NUMBER = re.compile(r"[-+]?\d+")
BIT = re.compile(r"[01]|[01]\.0*(e\+0+)?", re.IGNORECASE)


def recognise_bytes(data: bytes) -> Format | None:
    """The format of a file that is not text; None if it has none of these formats."""
    return FORMATS["npy"] if data.startswith(MAGIC) else None


def foreign(data: bytes) -> str | None:
    """What a file is that is neither a model nor a matrix, judging by its first bytes; None if that is not known."""
    begun = data.lstrip(b"\xef\xbb\xbf \t\r\n")
    for name, (signs, part) in FOREIGN.items():
        if begun.lower().startswith(signs) and part in data[:LOOKED_INTO].lower():
            return name
    return None


def recognise(text: str) -> Format | None:
    """The format of a text that is certainly a matrix; None for a model, and for a text that could be anything."""
    lines = [line for line in islice(text.split("\n"), 10 * LOOKED_AT) if line.strip()]
    program = _program(lines)
    if program is not None:
        return FORMATS[program]
    filled = [line.split() for line in lines if not COMMENT.match(line)][:LOOKED_AT]
    if not filled or is_model(text):
        return None
    first = filled[0]
    if first[0] == "p" and len(first) > 1:
        name = PROBLEMS.get(first[1])
        return None if name is None else FORMATS[name]
    if first[0].startswith("<"):
        return FORMATS["xcc"]
    if first[0].startswith("{"):
        return FORMATS["json"] if '"items"' in text and '"options"' in text else None
    if _is_bits(lines):
        return FORMATS["csv"]
    if _is_dlx([line.split() for line in lines if not line.startswith(("|", "//"))][:LOOKED_AT]):
        return FORMATS["dlx"]
    if all(words[0].endswith(":") and len(words[0]) > 1 for words in filled):
        return FORMATS["sets"]
    if all(NUMBER.fullmatch(word) for words in filled for word in words):
        return _of_numbers(text)
    return None


def _program(lines: list[str]) -> str | None:
    """`lp` or `mps` if these are the first lines of a linear program. `minimize` begins a statement of a model, too,
    but no model says `subject to`."""
    text = [line for line in lines if not line.lstrip().startswith(("\\", "*"))]
    if text and text[0].split()[0].upper() in ("NAME", "ROWS", "OBJSENSE"):
        return "mps" if any(line.rstrip().upper() == "ROWS" for line in text) else None
    if text and GOAL.match(text[0]) and any(SUBJECT_TO.match(line) for line in text):
        return "lp"
    return None


def is_model(text: str) -> bool:
    """Whether a text begins as a model does."""
    for line in text.split("\n"):
        bare = line.strip()
        if bare and not bare.startswith("#"):
            word = re.match(r"\w+", bare)
            return word is not None and word[0] in STATEMENTS
    return True


def _is_bits(lines: list[str]) -> bool:
    """Whether the lines are rows of 0 and 1 of equal length, perhaps below a comment or a line with their size."""
    rows = [line for line in lines if not line.lstrip().startswith(("#", "//"))][:LOOKED_AT]
    parts = [re.split(r"[,;\t ]+", row.strip()) for row in rows]
    if len(parts) > 1 and (is_size(parts[0], parts[1]) or secondary_of(parts[0], parts[1]) is not None):
        del parts[0]
    compact = all(len(row) == 1 and not row[0].strip("01") for row in parts)
    if compact:
        return len({len(row[0]) for row in parts}) == 1
    return len({len(row) for row in parts}) == 1 and all(BIT.fullmatch(word) for row in parts for word in row)


def _is_dlx(filled: list[list[str]]) -> bool:
    """Whether the lines are a line of items, options of these items, and comments; an item may be called `#`."""
    while filled and not filled[0][0].strip("#"):
        del filled[0]
    if not filled:
        return False
    names = {re.sub(r"^\d+(:\d+)?[|*]", "", word) for word in filled[0]} - {"|"}
    if len(filled) < 2 or len(names) < len(filled[0]) - 1:
        return False
    options = [words for words in filled[1:] if not words[0].startswith("#") or words[0].partition(":")[0] in names]
    held = (word.partition(":")[0] for words in options for word in words if not word.startswith("|"))
    return bool(options) and all(name in names for name in held)


def _of_numbers(text: str) -> Format | None:
    """The only format made of numbers whose reader accepts this text; None if there are none or several."""
    able = [name for name in ("scp", "rail", "hgr") if _reads(FORMATS[name].reader, text)]
    return FORMATS[able[0]] if len(able) == 1 else None


def _reads(reader: Callable[[str], object], text: str) -> bool:
    try:
        reader(text)
    except FormatFault:
        return False
    return True
