"""Where models and libraries are found, and how files are read.

A model is named by a path, by the name of a model of the gallery (`sudoku` is `models/latin/sudoku.cover`, wherever
covr is installed), or by `-` for standard input. A path that exists wins over the gallery. `use "std/…"` is the library
that ships with covr; any other `use` is relative to the file that names it. Models of the gallery lie in folders by
genre, which are no part of their names: one uses another by its name alone.

Whatever keeps a file from being read is one error that says which file and why.
"""

from __future__ import annotations

import os
import re
import sys
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, TextIO
from weakref import WeakKeyDictionary

from attrs import evolve

from covr.compiler.evaluate.files import PACKED, decoded, seems, unpacked
from covr.dsl import suggest
from covr.dsl.diagnostics import ModelErrors, Source
from covr.dsl.load import permit, recall, record
from covr.faults import usage_error
from covr.text import reason_of

if TYPE_CHECKING:
    from covr.dsl.syntax import CheckedModel
    from covr.links.file import Linked
    from covr.links.places import LinkFault

SUFFIX = ".cover"  # the ending of a model's file name
STD = "std"  # the folder of the gallery with the library
# Bytes. No model is nearly as long, so a larger file is not a model.
LARGEST_MODEL = 10_000_000
LARGEST_DATA = 100_000_000
STDIN = "-"
PUZZLE_SUFFIX = ".xmpuzzle"
PUZZLE = re.compile(r"\.xmpuzzle(:\d{1,6})?\Z")
MOST_LISTED = 12  # names in a message
MOST_NEAR = 200  # files of a folder that a name is compared with


def gallery() -> Path:
    """The folder of the models that ship with covr: in the package, or beside it in a checkout without links."""
    return _models_of(__file__)


@lru_cache(1)
def _models_of(file: str) -> Path:
    """The gallery of the package in which this file lies."""
    package = Path(file).parents[1]
    folder = package / "models"
    return folder if folder.is_dir() else package.parent / "models"


def gallery_files() -> dict[str, Path]:
    """The models of the gallery by name, sorted: those in its folders, each of which is a genre, and beside them."""
    folder = gallery()
    found = [*folder.glob(f"*{SUFFIX}"), *folder.glob(f"*/*{SUFFIX}")]
    return {path.stem: path for path in sorted(found, key=lambda path: path.stem) if path.parent.name != STD}


def gallery_names() -> list[str]:
    """The names of the gallery's models, sorted."""
    return list(gallery_files())


def shipped(name: str) -> Path | None:
    """The file of a model of the gallery or, for `std/…`, of a library that ships with covr; None if there is none."""
    path = Path(name)
    if path.suffix not in ("", SUFFIX):
        return None
    if path.parent == Path(STD):
        library = gallery() / STD / f"{path.stem}{SUFFIX}"
        return library if is_there(library) else None
    return _in_a_genre(f"{path.stem}{SUFFIX}") if path.parent == Path() else None


def _in_a_genre(file: str) -> Path | None:
    """The model of the gallery with this file name. Only the folders are read, since listing all models is slow."""
    folder = str(gallery())
    try:
        genres = [entry.path for entry in os.scandir(folder) if entry.is_dir() and entry.name != STD]
    except OSError:  # covr was installed without its gallery
        return None
    return next((Path(genre, file) for genre in [folder, *genres] if os.path.isfile(f"{genre}/{file}")), None)


def std_names() -> list[str]:
    """The libraries that ship with covr, as `use` names them, sorted."""
    return sorted(f"{STD}/{path.stem}" for path in (gallery() / STD).glob(f"*{SUFFIX}"))


def open_model(name: str) -> CheckedModel:
    """Read and check a model, by its path, its name in the gallery, or `-`. Raises ModelErrors (E50x if it can't be
    read)."""
    source = find_source(name)
    try:
        return checked(source)
    except ModelErrors as errors:
        if name.endswith(SUFFIX) or not is_there(Path(name)):
            raise
        raise as_seen(errors, source) from None


def as_seen(errors: ModelErrors, source: Source, other: str = "") -> ModelErrors:
    """The faults of a text as a model. If it seems to be something else, only the first, and what it seems to be;
    `other` if that is not known."""
    from covr.compiler.formats.table import is_model

    if is_model(source.text):
        return errors
    first, *rest = errors.diagnostics
    if seen := seen_as(source.text, source.name):
        return ModelErrors([evolve(first, notes=(*first.notes, seen), help="")])
    return ModelErrors([evolve(first, notes=(*first.notes, other)), *rest]) if other else errors


def seen_as(content: bytes | str, name: str) -> str:
    """What a file that is no model seems to be, in a sentence, and how a model reads it; empty if that is not known."""
    what, cure = seems(content)
    if name != "<stdin>":
        cure = cure.replace("name.csv", "name").replace("name.xlsx", "name").replace('"name', f'"{Path(name).name}')
    return f"this seems to be {what}" + f": {cure}" * bool(cure) if what else ""


def checked(source: Source, within: Path | None = None) -> CheckedModel:
    """Parse and check a model's text, following `use`. Raises ModelErrors with every fault. within: see `Libraries`."""
    from covr.dsl import load_model

    return load_model(source, Libraries(source, within))


def find_source(name: str) -> Source:
    """The text of the model of that name."""
    if name == STDIN:
        return unlinked(Source("<stdin>", decode(read_stdin(LARGEST_MODEL), "<stdin>", LARGEST_MODEL)))
    if is_link(name):
        return unlinked(Source(name, name))
    path = Path(name)
    _refuse_matrix(name)
    if (end := PUZZLE.search(name)) is not None:
        return _converted(name, name[: end.start()] + PUZZLE_SUFFIX)
    if is_there(path):
        return unlinked(read_source(path, name))
    if name and path.suffix != SUFFIX and is_there(beside := Path(name + SUFFIX)):
        return read_source(beside, name + SUFFIX)
    if (found := shipped(name)) is not None:
        return read_source(found, str(path.parent / found.name))
    raise _unknown(name)


MAY_BE_LINK = re.compile(
    r"\s*(?:https?(?:://|%)|pzprv|[\w.-]+/[^?\s]*\?|(?:[a-z]+\.)?sudokupad\.app/|[0-9.*_]{81}\s*$"
    r"|(?:N4I|fpuz|scl|ctc|scf)[A-Za-z0-9+/%]{37})|[^A-Za-z0#\"\[({;,]{150}",
    re.ASCII,
)


def is_link(name: str) -> bool:
    """Whether a name is a link to a puzzle, or the text of a puzzle's file."""
    if MAY_BE_LINK.match(name[:200]) is None:
        return False
    from covr.links.file import is_linked

    return is_linked(name)


def find_linked(name: str, kind: str | None = None, ignore: bool = False) -> Linked | None:
    """The puzzle in a link, in the text of a puzzle's file, in the file of that name, or in standard input, which can
    be read again afterwards; None for anything else.

    kind: for links that do not say it.  ignore: pass over what the setter of a sudoku drew freely. Raises ModelErrors
    E606 for a link or file that can't be read.
    """
    if is_link(name):
        return linked_in(name, None, kind, ignore)
    path = Path(name)
    if name == STDIN:
        data = read_stdin(LARGEST_MODEL)
        _unread[standard_input()] = data
    elif path.suffix == SUFFIX or not is_there(path) or path.is_dir():
        return None
    shown = "<stdin>" if name == STDIN else name
    try:
        text = decode(data, shown, LARGEST_MODEL) if name == STDIN else read_text(path, name, LARGEST_MODEL)
    except ModelErrors:  # a matrix may be larger, and no text
        return None
    return linked_in(text, shown, kind, ignore) if is_link(text) else None


def linked_in(text: str, shown: str | None = None, kind: str | None = None, ignore: bool = False) -> Linked:
    """The puzzle in the text of a link or file. shown: how messages call it; None for its beginning. Raises ModelErrors
    E606."""
    from covr.links.file import called, read_linked
    from covr.links.places import LinkFault

    try:
        return read_linked(text, kind, ignore)
    except LinkFault as fault:
        raise unreadable_link(shown or called(text), fault) from None


def link_source(linked: Linked, name: str) -> Source:
    """A puzzle that was read from a link as a model. name: as messages call the link. Raises ModelErrors E606."""
    from covr.links.file import model_of
    from covr.links.places import LinkFault

    try:
        return model_of(linked, open_model(linked.kind.model), name)
    except LinkFault as fault:
        raise unreadable_link(name, fault) from None


def unreadable_link(name: str, fault: LinkFault) -> ModelErrors:
    """The error for a link or file that can't be read."""
    return usage_error("E606", f"`{name}` can't be read: {fault}", help=fault.help)


def unlinked(source: Source) -> Source:
    """A link or file of another puzzle program as a model (covr/links); any other text as it is. Raises ModelErrors
    E606."""
    if not is_link(source.text):
        return source
    from covr.links.file import called

    name = called(source.text) if source.name == source.text else source.name
    return link_source(linked_in(source.text, name), name)


def _converted(name: str, file: str) -> Source:
    """A BurrTools puzzle as a model; `FILE:2` is its second problem."""
    from covr.compiler.formats.draft import FormatFault
    from covr.compiler.formats.xmpuzzle import model_of, read_xmpuzzle

    number = name[len(file) + 1 :]
    data = unpack(read_bytes(Path(file), file), file, LARGEST_DATA)
    try:
        text = model_of(read_xmpuzzle(data, int(number) if number else 1))
    except FormatFault as fault:
        place = f"line {fault.line}, column {fault.column}"
        raise usage_error("E602", f"`{file}`, a puzzle of BurrTools, can't be read: {place}: {fault.what}") from None
    return Source(name, text, str(Path(file).resolve()))


def _refuse_matrix(name: str) -> None:
    """Raise E604 for a file in another program's format if only a model will do."""
    suffix = Path(name).suffix.lower()
    if suffix in ("", SUFFIX):
        return
    from covr.compiler.formats import format_of

    if (form := format_of(name)) is not None and suffix in form.suffixes:
        help = "`covr solve`, `count`, `show`, `why`, `trace`, `check`, `test` and `convert` take matrices"
        raise usage_error("E604", f"`{name}` is a matrix ({form.title}), not a model", help=help)


def is_there(path: Path) -> bool:
    """Whether there is such a file or folder; False if that can't be found out."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def _unknown(name: str) -> Exception:
    path = Path(name)
    near: list[str] = []
    with suppress(OSError, ValueError):
        near = [str(p) for p in sorted(path.parent.glob(f"*{SUFFIX}"))[:MOST_NEAR]]
    models = gallery_names() if path.parent == Path() else std_names() if path.parent == Path("std") else []
    names = {Path(known).stem: known for known in [*models, *near]}
    stem = path.stem if path.stem in names else suggest(path.stem, names)
    close = None if stem is None else names[stem]
    if close:
        help = f"did you mean `{close}`?"
    elif models and path.parent == Path():
        help = "a path, or a model of the gallery: `covr gallery` lists them"
    elif models:
        help = f"there are {', '.join(f'`{name}`' for name in models)}"
    elif near:
        help = f"there are {', '.join(f'`{n}`' for n in near[:MOST_LISTED])}{', …' if len(near) > MOST_LISTED else ''}"
    else:
        help = ""
    return usage_error("E501", f"there is no model `{name}`", help=help)


def read_source(path: Path, name: str, largest: int = LARGEST_MODEL) -> Source:
    """A file as a Source of that name. Raises ModelErrors E502 if it can't be read, E503 if it is not text."""
    return Source(name, read_text(path, name, largest), str(path.resolve()))


def read_text(path: Path, name: str, largest: int = LARGEST_DATA) -> str:
    """The text of a file, newlines normalised, a byte order mark left out."""
    return decode(read_bytes(path, name, largest), name, largest)


def read_bytes(path: Path, name: str, largest: int = LARGEST_DATA) -> bytes:
    """The contents of a file. Reading stops soon after `largest` bytes, because a device may have no end.

    A pipe that the shell made (`<(…)`, `/dev/stdin`) is read; a named pipe in a folder is not opened, because opening
    it could block for ever.
    """
    try:
        if path.is_dir():
            raise usage_error("E502", f"`{name}` is a folder", help=_models_in(path))
        if path.is_fifo() and not path.is_relative_to("/dev") and not path.is_relative_to("/proc"):
            raise usage_error("E502", f"`{name}` is a pipe, not a file")
        with path.open("rb") as file:
            return file.read(largest + 1)
    except (OSError, ValueError) as error:
        raise usage_error("E502", f"`{name}` can't be read: {reason_of(error)}") from None


def read_stdin(largest: int) -> bytes:
    """The bytes of standard input; reading stops soon after `largest` bytes. Raises ModelErrors E502 if it fails."""
    stdin = standard_input()
    before = _unread.pop(stdin, b"")
    try:
        return before + stdin.buffer.read(max(0, largest + 1 - len(before)))
    except OSError as error:
        raise usage_error("E502", f"standard input can't be read: {reason_of(error)}") from None


_unread: WeakKeyDictionary[TextIO, bytes] = WeakKeyDictionary()  # what was looked at and is to be read again


def standard_input() -> TextIO:
    """Standard input. Raises ModelErrors E502 if it is closed."""
    if sys.stdin is None:
        raise usage_error("E502", "standard input can't be read: it is closed")
    return sys.stdin


def _models_in(folder: Path) -> str:
    found = sorted(folder.glob(f"*{SUFFIX}"))
    return f"a model is a file, such as `{found[0]}`" if found else ""


def decode(data: bytes, name: str, largest: int) -> str:
    """Bytes as text. Raises ModelErrors E503 if they are no UTF-8, nor UTF-16 with a mark, or exceed `largest`."""
    data = unpack(data, name, largest)
    try:
        text = decoded(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise usage_error("E503", f"`{name}` is not UTF-8 text (line {line})", help=seen_as(data, name)) from None
    if "\0" in text:
        raise usage_error("E503", f"`{name}` is not a text file", help=seen_as(data, name))
    return text.replace("\r\n", "\n").replace("\r", "\n")


def unpack(data: bytes, name: str, largest: int) -> bytes:
    """The contents of a file, unpacked if compressed. Raises ModelErrors E503 if they are damaged, or more than
    `largest` bytes."""
    try:
        data = unpacked(data, largest) if data.startswith(PACKED) and len(data) <= largest else data
    except ValueError as error:
        raise usage_error("E503", f"`{name}` can't be unpacked: {error}") from None
    if len(data) > largest:
        raise usage_error("E503", f"`{name}` is larger than {largest // 1_000_000} MB")
    return data


class Libraries:
    """Finds the libraries that `use` names. Called by `dsl` with the path as written and the source that it is in.

    model: the source of the model itself, which may use any file relative to itself. A library that it uses may come
    from other people, and may use only files in its own folder or below, whatever `../` or symbolic links say.
    `std/…` is the library that ships with covr.
    """

    def __init__(self, model: Source, within: Path | None = None) -> None:
        """within: the folder in which libraries must lie that do not ship with covr; None for no such folder."""
        self.model = model
        self.within = within

    def __call__(self, path: str, user: Source) -> Source | None:
        """The library's source, or None if there is none. Raises ModelErrors if it can't be read."""
        key = f"use {path} in {user.path or user.name}"
        old = recall(key)
        if old is not None:
            import json

            return Source(*json.loads(old))
        found = self._find(path, user)
        if found is not None:
            import json

            record(key, json.dumps([found.name, found.text, found.path]).encode("utf-8", "surrogatepass"))
        return found

    def known(self, path: str, user: Source) -> list[str]:
        """What a `use` could name: the libraries that ship with covr and, unless it begins with `std/`, the models
        beside its file, within the folder where libraries must lie."""
        shipped = std_names()
        if path.startswith("std/"):
            return shipped
        folder = Path(user.path).parent if user.path else Path.cwd()
        near: list[str] = []
        with suppress(OSError, ValueError):
            inside = (folder / path).parent
            around = self._around(user, folder)
            if around is not None and not inside.resolve().is_relative_to(around.resolve()):
                return shipped
            at = path.rpartition("/")[0]
            found = sorted(p for p in inside.glob(f"*{SUFFIX}") if not p.name.startswith("."))[:MOST_NEAR]
            ending = SUFFIX if path.endswith(SUFFIX) else ""
            near = [f"{at}/{p.stem}{ending}" if at else f"{p.stem}{ending}" for p in found if str(p) != user.path]
        return [*near, *shipped]

    def _around(self, user: Source, folder: Path) -> Path | None:
        """The folder in which what a file in `folder` uses must lie; None for anywhere."""
        return self.within if user == self.model and user.path == self.model.path else folder

    def _find(self, path: str, user: Source) -> Source | None:
        name = path if path.endswith(SUFFIX) else path + SUFFIX
        if path.startswith("std/"):
            folder = gallery().resolve()
            around: Path | None = folder / "std"
        else:
            folder = Path(user.path).parent if user.path else Path.cwd()
            around = self._around(user, folder)
        if Path(name).is_absolute():
            return None
        try:
            found = (folder / name).resolve()
            if not found.is_file() and folder.is_relative_to(gallery().resolve()) and "/" not in path:
                found = gallery_files().get(found.stem, found).resolve()
                around = gallery().resolve()
            if not found.is_file() or (around is not None and not found.is_relative_to(around.resolve())):
                return None
        except (OSError, ValueError):
            return None
        shown = self._name(found, path)
        try:
            permit(str(found))
        except PermissionError as error:
            raise usage_error("E502", f"`{shown}` can't be read: {error.strerror}") from None
        return read_source(found, shown)

    def _name(self, found: Path, path: str) -> str:
        """How messages name a library: relative to the current folder, or as `std/…` if it ships with covr."""
        if path.startswith("std/"):
            return path if path.endswith(SUFFIX) else path + SUFFIX
        try:
            return str(found.relative_to(Path.cwd()))
        except ValueError:
            return str(found)
