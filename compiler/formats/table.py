"""Every format by name, and which of them a text is in."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import islice
from pathlib import PurePath
from typing import TYPE_CHECKING, cast

from covr.compiler.formats.draft import FormatFault, Unwritable
from covr.compiler.formats.set_lists import MAGIC, is_size, secondary_of
from covr.engine.problem import word_for
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.engine import Problem

# --- table -----------------------------------------------------------------------------------------------------------
# Every format, by name: its title, the endings of its files, and the functions that read and write it.
#
# Readers and writers are imported only when they are used: `covr solve` on a model needs none of them.


@frozen
class Format:
    """A format.

    - title: for users; suffixes: of its files; stems: how the names of its files begin if their suffix says nothing
    - reads, writes: `module:function`, or empty if the format is not read or not written; binary: whether it is not
      text
    - says: the kinds of side conditions that it can express, by the names of their classes
    - tells: whether it can say that only some options tell answers apart
    """

    name: str
    title: str
    suffixes: tuple[str, ...]
    reads: str = ""
    writes: str = ""
    stems: tuple[str, ...] = ()
    binary: bool = False
    says: tuple[str, ...] = ()
    tells: bool = False

    @property
    def reader(self) -> Callable[[str], Problem]:
        """The function from a text (for a binary format, from bytes) to the problem; it raises FormatFault."""
        return cast("Callable[[str], Problem]", _find(self.reads))

    @property
    def writer(self) -> Callable[[Problem], Iterator[str]]:
        """The function from a problem to the lines of a text; it raises Unwritable."""
        write = cast("Callable[[Problem], Iterator[str]]", _find(self.writes))

        def checked(problem: Problem) -> Iterator[str]:
            unsaid = self.unsaid(problem)
            if unsaid is not None:
                raise Unwritable(self.cannot_say(problem, unsaid))
            if problem.projection is not None and not self.tells:
                raise Unwritable(f"the format {self.name} has no words for `answers by`")
            return write(problem)

        return checked

    def unsaid(self, problem: Problem) -> int | None:
        """The number of the first side condition that the format has no words for."""
        kinds = (type(side).__name__ for side in problem.sides)
        return next((at for at, kind in enumerate(kinds) if kind not in self.says), None)

    def cannot_say(self, problem: Problem, side: int) -> str:
        """What is said of such a side condition."""
        kind, name = word_for(problem.sides[side]), problem.sides[side].name
        some = f"an {kind}" if kind.startswith("a") else f"a {kind}"
        return f"the format {self.name} has no words for " + (f'the {kind} "{name}"' if name else some)


SUMS = ("Total",)
EVERYTHING = ("Total", "Connection", "Forest", "Circuit", "Areas")


def _find(place: str) -> Callable[..., object]:
    module, function = place.split(":")
    found: Callable[..., object] = getattr(import_module(f"covr.compiler.formats.{module}"), function)
    return found


FORMATS = {
    f.name: f
    for f in (
        Format("dlx", "Knuth's exact cover", (".dlx", ".mcc"), "dlx:read_dlx", "dlx:write_dlx"),
        Format(
            "json",
            "covr's own, complete",
            (".json",),
            "json_text:read_json",
            "json_text:write_json",
            says=EVERYTHING,
            tells=True,
        ),
        Format("xcc", "exact cover as miniexact reads it", (".xcc", ".xc"), "dlx:read_xcc"),
        Format("csv", "a 0/1 matrix", (".csv", ".tsv"), "set_lists:read_csv"),
        Format("npy", "a 0/1 matrix that numpy saved", (".npy",), "set_lists:read_npy", binary=True),
        Format("sets", "lists of sets to cover with", (".sets",), "set_lists:read_sets"),
        Format("hgr", "hypergraphs to hit", (".hgr",), "set_lists:read_hgr"),
        Format("gr", "a graph to cover or dominate", (".gr",), "set_lists:read_graph"),
        Format("col", "a DIMACS graph, to cover its edges", (".col",), "set_lists:read_graph"),
        Format("vc", "a graph, to cover its edges", (), "set_lists:read_vertex_cover"),
        Format("ds", "a graph, to dominate its vertices", (), "set_lists:read_dominating"),
        Format("scp", "the OR-Library's set covering", (".scp",), "set_lists:read_scp", stems=("scp",)),
        Format("rail", "the OR-Library's railway files", (".rail",), "set_lists:read_rail", stems=("rail",)),
        Format("spp", "the OR-Library's set partitioning", (".spp",), "set_lists:read_spp", stems=("spp",)),
        Format("lp", "linear program", (".lp",), "lp:read_lp", "lp:write_lp", says=SUMS),
        Format("mps", "linear program, MPS", (".mps",), "mps:read_mps", "mps:write_mps", says=SUMS),
        Format("opb", "pseudo-Boolean", (".opb",), writes="linear:write_opb", says=SUMS),
        Format("cnf", "DIMACS, satisfiability", (".cnf", ".dimacs"), writes="linear:write_cnf"),
        Format("wcnf", "MaxSAT", (".wcnf",), writes="linear:write_wcnf"),
        Format("minizinc", "MiniZinc model", (".mzn",), writes="linear:write_minizinc", says=SUMS),
    )
}
PACKED = (".gz", ".xz")  # endings of compressed files, which say nothing about what is in them
READABLE = tuple(name for name, f in FORMATS.items() if f.reads)
WRITABLE = tuple(name for name, f in FORMATS.items() if f.writes)


def format_of(file: str) -> Format | None:
    """The format that a file's name indicates; None if it indicates none."""
    path = PurePath(file)
    if path.suffix.lower() in PACKED and path.stem:
        path = path.with_suffix("")
    suffix = path.suffix.lower()
    for found in FORMATS.values():
        if suffix in found.suffixes or (suffix in ("", ".txt") and found.stems and path.name.startswith(found.stems)):
            return found
    return None


# --- recognise -------------------------------------------------------------------------------------------------------
# Recognises by its content whether a text is a model or a matrix, and in which format.
#
# A model begins with the word of a statement. A matrix is recognised by what only its format has: `p ds`, angle
# brackets, braces, rows of 0 and 1, or a line of items and then lines of those items. Several formats are plain lists
# of numbers; a text of that kind is recognised if exactly one of their readers can read it.


WORDS = "title use param let assert cells values choose exactly at agree given forbid minimize maximize up show expect"
STATEMENTS = frozenset([*WORDS.split(), "answers"])
COMMENT = re.compile(r"\s*(#|//|\||%|c(\s|$))")
XML = re.compile(r"\A\s*<[?!]|</\w|/>")
LOOKED_AT = 50  # how many lines are examined
PROBLEMS = {"ds": "gr", "td": "gr", "vc": "gr", "edge": "col", "col": "col", "hs": "hgr", "xcc": "xcc", "xc": "xcc"}
GOAL = re.compile(r"\s*(min|max)(imi[sz]e|imum)?(\s|$)", re.IGNORECASE)
SUBJECT_TO = re.compile(r"\s*(subject\s+to|such\s+that|st\.?|s\.t\.)(\s|$)", re.IGNORECASE)
NUMBER = re.compile(r"[-+]?\d+")
BIT = re.compile(r"[01]|[01]\.0*(e\+0+)?", re.IGNORECASE)


def recognise_bytes(data: bytes) -> Format | None:
    """The format of a file that is not text; None if it has none of these formats."""
    return FORMATS["npy"] if data.startswith(MAGIC) else None


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
        return None if XML.search(text) else FORMATS["xcc"]
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
