"""A model as a link, the gallery by kind, and a model to start from."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import evolve

from covr.compiler.evaluate.values import Map, Record, Seq
from covr.dsl.syntax import CheckedModel, Clue, Expect, Let, Param, Print, Show
from covr.faults import usage_error
from covr.inputs.library import checked, find_linked, gallery, gallery_files, gallery_names, read_source

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.dsl.diagnostics import ModelErrors
    from covr.links.file import Linked
    from covr.links.places import Board
    from covr.links.table import Kind

# --- A model as the link or file of another puzzle program: the way back of `library.unlinked` ------------------------
# Which kind of puzzle a model is, is told by its rules: they must be, word for word, those of the gallery's model for
# that kind. What it shows, what it expects and its title may be anything.


PUZZ_LINK, PZPRV3, FPUZZLES, PENPA = "puzz.link", "pzprv3", "f-puzzles", "penpa"
FORMS = {
    PUZZ_LINK: "an address of puzz.link", PZPRV3: "a file of pzpr", FPUZZLES: "an address of f-puzzles",
    PENPA: "a drawing of penpa-edit",
}  # fmt: skip
_NAMES = {**dict(zip(FORMS, FORMS, strict=True)), "puzzlink": PUZZ_LINK, "fpuzzles": FPUZZLES, "penpa-edit": PENPA}


def link_form(name: str) -> str | None:
    """The form of links with this name; None if it is none of them."""
    return _NAMES.get(name.lower().lstrip("."))


def usual_form(linked: Linked) -> str:
    """The form in which puzzles of a kind are shared: that of puzz.link where there is one."""
    return PUZZ_LINK if linked.kind.address else FPUZZLES


def linked_as(name: str, kind: str | None, ignore: bool) -> Linked:
    """The puzzle in a link or a file. kind, ignore: see `find_linked`. Raises ModelErrors E606."""
    linked = find_linked(name, kind, ignore)
    if linked is None:
        said = f"--as {kind}" if kind is not None else "--ignore drawings"
        raise usage_error("E606", f"`{name[:60]}` is no link to a puzzle, so `{said}` says nothing of it")
    return linked


def written(linked: Linked, form: str) -> str:
    """A puzzle in a form of links; a file has what is drawn, too. Raises ModelErrors E603."""
    from covr.links.file import write_address, write_file
    from covr.links.penpa import write_penpa
    from covr.links.places import LinkFault

    board, kind = linked.board, linked.kind
    try:
        if form == FPUZZLES:
            return _for_fpuzzles(linked)
        if form == PENPA and not kind.address:
            raise LinkFault(f"it does not say enough for the kind `{kind.name}`")
        if not (kind.file if form == PZPRV3 else kind.address):
            raise LinkFault(f"there are none of the kind `{kind.name}`")
        if form == PZPRV3:
            return write_file(board, kind)
        return (write_penpa(board, kind) if form == PENPA else write_address(board, kind)) + "\n"
    except LinkFault as fault:
        raise _unsaid(form, str(fault)) from None


def _for_fpuzzles(linked: Linked) -> str:
    """A sudoku as an address of f-puzzles. Raises LinkFault for any other puzzle."""
    from covr.links.fpuzzles import write_fpuzzles
    from covr.links.fpuzzles_parts import SUDOKU, usual_region
    from covr.links.places import Board, LinkFault

    board, side = linked.board, linked.board.height
    if linked.kind.name == "sudoku":
        boxes = {(r, c): usual_region(side, (r, c)) for r in range(1, side + 1) for c in range(1, side + 1)}
        layers = {"clue": board.layer("clue"), "region": boxes, "said": board.layer("said")}
        board = Board(SUDOKU.name, side, side, "", {name: layer for name, layer in layers.items() if layer})
    elif linked.kind is not SUDOKU:
        raise LinkFault(f"it holds sudokus, and this is `{linked.kind.name}`")
    return write_fpuzzles(board) + "\n"


def linked_from(compiled: Compiled, form: str = PUZZ_LINK) -> Linked:
    """The puzzle that a model is, with its params. Raises ModelErrors E603 if links can't hold it.

    Time: that of reading the gallery, and of making a board for each place and value (links/inverse.py).
    """
    from covr.links.file import Linked
    from covr.links.places import LinkFault

    if compiled.is_matrix:
        raise _unsaid(form, "it is a matrix, which does not say what puzzle it is")
    params = {name: in_rows(value) for name, _, _, value in compiled.parameters}
    sudoku = _sudoku(compiled.model, params)
    if sudoku is not None:
        return _with_words(sudoku, compiled.model)
    refused = ""
    for kind in kinds_of(compiled.model):
        try:
            found = Linked(kind, _board(kind, params))
            return _with_words(found, compiled.model) if form == FPUZZLES else found
        except LinkFault as fault:
            refused = refused or f"{fault} (`{kind.name}`)"
    if refused:
        raise _unsaid(form, refused)
    help = "`covr convert LINK my.cover` writes the model of a kind; its data may be changed, its rules may not"
    raise _unsaid(form, "its rules are not those of any kind of puzzle that links can hold", help)


def _sudoku(model: CheckedModel, params: dict[str, object]) -> Linked | None:
    """The sudoku with all that setters add which a model is; None if it has other rules."""
    from covr.links.file import Linked
    from covr.links.fpuzzles_parts import SUDOKU, board_of

    source = read_source(gallery_files()[SUDOKU.model], SUDOKU.model)
    return Linked(SUDOKU, board_of(params)) if _rules(checked(source)) == _rules(model) else None


def _with_words(linked: Linked, model: CheckedModel) -> Linked:
    """The puzzle with the title, the author and the rules that the comments above its model say."""
    from covr.links.file import Linked, words_in

    said = words_in(model.source.text)
    return Linked(linked.kind, evolve(linked.board, layers={**linked.board.layers, "said": said})) if said else linked


def in_rows(value: object) -> object:
    """A model's value as a row of the table makes it: a grid as rows, lists as lists, records as dicts."""
    if isinstance(value, Map) and value.shape is not None:
        high, wide = value.shape
        return [[value.entries.get((r, c)) for c in range(1, wide + 1)] for r in range(1, high + 1)]
    if isinstance(value, Map):
        return {key: in_rows(x) for key, x in value.entries.items()}
    if isinstance(value, Record):
        return {name: in_rows(x) for name, x in zip(value.names, value.items, strict=True)}
    if isinstance(value, tuple | Seq):
        return [in_rows(x) for x in value]
    return value


def _board(kind: Kind, params: dict[str, object]) -> Board:
    """The board with these params, if its address is that of this board and no other. Raises LinkFault."""
    from covr.links.file import kind_name, read_address, write_address
    from covr.links.inverse import board_of
    from covr.links.places import LinkFault

    board = board_of(kind, params)
    if read_address(kind_name(write_address(board, kind))[1], kind) != board:
        raise LinkFault("an address can't hold its board")
    return board


def kinds_of(model: CheckedModel) -> Iterator[Kind]:
    """The kinds of puzzles that have the rules of a model; the one of its own name first."""
    from covr.links.table import kinds

    rules = _rules(model)
    first = next((rule for rule in rules if rule.startswith("choose")), "")
    files = gallery_files()
    same: dict[str, bool] = {}
    for kind in sorted(kinds().values(), key=lambda kind: kind.name not in model.source.name):
        if kind.model not in same:
            source = read_source(files[kind.model], kind.model)
            same[kind.model] = first in " ".join(source.text.split()) and _rules(checked(source)) == rules
        if same[kind.model]:
            yield kind


def _rules(model: CheckedModel) -> list[str]:
    found = []
    for part in model.definitions:
        if part.span.source != model.source:
            continue
        text = part.span.text
        if isinstance(part, Param):
            start = part.value.span.start - part.span.start
            text = text[:start] + text[start + len(part.value.span.text) :]
        assert isinstance(part, Param | Let)
        found.append(text)
    found += [part.span.text for part in model.statements if not isinstance(part, Show | Print | Clue | Expect)]
    return [" ".join(text.split()) for text in found]


def _unsaid(form: str, why: str, help: str = "") -> ModelErrors:
    return usage_error("E603", f"the puzzle can't be written as {FORMS[form]}: {why}", help=help)


# --- kinds -----------------------------------------------------------------------------------------------------------
# The gallery sorted by kind, as `models/index.toml` says: a table for each kind, with a line about each of its models.
#
# The index concerns only the models that ship with covr; a model that somebody writes needs no kind.


INDEX = "index.toml"
OTHER = "Others"  # the kind of the models that the index does not name


def kinds() -> Mapping[str, Mapping[str, str]]:
    """Kind → name of a model → what it asks, in the order of the index. Models that the index leaves out come last,
    under `Others`."""
    names = set(gallery_names())
    index = tomllib.loads((gallery() / INDEX).read_text(encoding="utf-8"))
    found = {kind: {n: line for n, line in lines.items() if n in names} for kind, lines in index.items()}
    rest = sorted(names - {name for lines in found.values() for name in lines})
    return {**found, **({OTHER: dict.fromkeys(rest, "")} if rest else {})}


# --- A small model to start from, with a word about each of its statements --------------------------------------------


STARTER = """\
title "{title}"

# What may be chosen from outside: `covr solve {file} -D n=6`
param n = 8

# Where something stands, and what may be chosen: a rook on each square of a board
cells r, c in 1..n
choose rook(r, c)

# What an answer must obey; a label says it in words
exactly one rook per r      "one rook in row {{r}}"
exactly one rook per c      "one rook in column {{c}}"

# How an answer is drawn
show "R" of rook at r, c

# What this model promises; `covr test {file}` holds it to that
expect 6 solutions with n = 3
expect 24 solutions with n = 4
"""


def starter(file: Path, title: str = "") -> str:
    """The text of the model. file: where it is going to stand.  title: if it is not to be made of the file's name."""
    words = file.stem.replace("_", " ").replace('"', "").replace("{", "").replace("}", "").capitalize()
    return STARTER.format(title=title or words or "My model", file=file)
