"""A model with its libraries, and snapshots of the files that it was made from.

Any model can be a library: its `param` and `let` statements are read, its `use` statements are followed, and everything
else in it is ignored. A library that is reached in two ways counts once. A `param` of the model takes the place of a
library's param of the same name; any other name defined twice is a fault.

Code that reads a file for a model asks `recall` first, and passes what it has read to `record`, under a name of its
own: a path as it was given, `use std/… in …` for a library. Outside `recording` and `replaying` both do nothing, so
that a model can be made again without its files. Before a file is opened, `permit` is asked about its path: the studio,
for one, may not read every file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from errno import EACCES

from covr.dsl import syntax as s
from covr.dsl.bound_names import NameChecker
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, merge_repeated, suggest
from covr.dsl.parser import MAX_TEXT, gc_paused, parse
from covr.dsl.scope import MAX_FAULTS

_replayed: ContextVar[Mapping[str, bytes] | None] = ContextVar("replayed", default=None)
_recorded: ContextVar[dict[str, bytes] | None] = ContextVar("recorded", default=None)


@contextmanager
def recording() -> Iterator[dict[str, bytes]]:
    """A context in which every file that is read for a model is also put into the dict that is yielded."""
    files: dict[str, bytes] = {}
    token = _recorded.set(files)
    try:
        yield files
    finally:
        _recorded.reset(token)


@contextmanager
def replaying(files: Mapping[str, bytes]) -> Iterator[None]:
    """A context in which only these files exist: no other file is read."""
    token = _replayed.set(files)
    try:
        yield
    finally:
        _replayed.reset(token)


def recall(name: str) -> bytes | None:
    """A file of the snapshot that is replayed; None if none is replayed and files are read as usual. Raises
    FileNotFoundError if a snapshot is replayed and the file is not in it."""
    files = _replayed.get()
    if files is None:
        return None
    if name not in files:
        raise FileNotFoundError(2, "it was not kept", name)
    return files[name]


def record(name: str, data: bytes) -> bytes:
    """Put data that was read into the snapshot that is being recorded, if there is one. Returns the data."""
    files = _recorded.get()
    if files is not None:
        files[name] = data
    return data


_refused: Callable[[str], str | None] | None = None  # of the whole process: a search has threads


@contextmanager
def refusing(why: Callable[[str], str | None]) -> Iterator[None]:
    """A context in which files may not be read for which `why` says, in words, why not; for all threads."""
    global _refused
    before, _refused = _refused, why
    try:
        yield
    finally:
        _refused = before


def permit(path: str) -> None:
    """Raises PermissionError for a file that may not be read here."""
    words = None if _refused is None else _refused(path)
    if words is not None:
        raise PermissionError(EACCES, words, path)


Library = Callable[[str, Source], Source | None]

MAX_LIBRARIES = 100  # how many libraries a model may have, including the libraries of its libraries


def load_model(source: Source, library: Library) -> s.CheckedModel:
    """Parse a model, follow its `use` statements, and check its names. Raises ModelErrors with every fault of every
    file read, a library's before those of the model that uses it.

    library(path, source) finds the text that a `use` in `source` names; None if there is none. It may raise
    ModelErrors. If it has a method `known` with the same arguments, its names are used for "did you mean".
    """
    with gc_paused():
        return load_module(parse(source), library)


def load_module(module: s.Module, library: Library) -> s.CheckedModel:
    """The same as `load_model`, for a text that has already been parsed. Raises ModelErrors."""
    loader = Loader(library)
    loader.enter(module, ())
    if loader.faults:
        raise ModelErrors(loader.faults)
    checker = NameChecker(loader.libraries, module)
    with gc_paused():
        model = checker.model()
    if checker.faults:
        faults = merge_repeated(in_order([m.source for m in loader.libraries] + [module.source], checker.faults))
        raise ModelErrors(faults[:MAX_FAULTS])
    return model


def in_order(sources: list[Source], faults: list[Diagnostic]) -> list[Diagnostic]:
    """The faults, file by file in the order of `sources`, and in each file by place."""
    rank = {id(source): at for at, source in enumerate(sources)}

    def key(fault: Diagnostic) -> tuple[int, int]:
        return (0, 0) if fault.span is None else (rank.get(id(fault.span.source), 0), fault.span.start)

    return sorted(faults, key=key)


class Loader:
    """Reads a model's libraries. libraries: the modules read so far, each before those that use it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.libraries: list[s.Module] = []
        self.seen: set[str] = set()
        self.characters = 0
        self.faults: list[Diagnostic] = []

    def read(self, source: Source, users: tuple[Source, ...]) -> s.Module | None:
        """Parse a file and read what it uses. users: the files that led here, the model first."""
        try:
            module = self.parse(source)
        except ModelErrors as errors:
            self.faults += errors.diagnostics
            return None
        self.enter(module, users)
        return module

    def parse(self, source: Source) -> s.Module:
        """The tree of a library. Raises ModelErrors."""
        return parse(source)

    def enter(self, module: s.Module, users: tuple[Source, ...]) -> None:
        """Read what a module uses."""
        for statement in module.statements:
            if isinstance(statement, s.Use) and not self.full():
                self.follow(statement, (*users, module.source))

    def full(self) -> bool:
        """Whether there were too many libraries, or too much text in them, which has been reported as a fault."""
        return any(fault.code == "E011" for fault in self.faults)

    def follow(self, use: s.Use, users: tuple[Source, ...]) -> None:
        """Load what a `use` names, and what that uses in turn. users: the sources that led here."""
        try:
            found = self.library(use.path, use.span.source)
        except ModelErrors as errors:
            self.faults += (placed(d, use) for d in errors.diagnostics)
            return
        if found is None:
            message = f"there is no library `{use.path}`"
            self.faults.append(Diagnostic("E009", message, use.span, self.advice(use, by_library=len(users) > 1)))
            return
        circle = [user for user in users if identity(user) == identity(found)]
        if circle:
            chain = [*users[users.index(circle[0]) :], found]
            note = (" → ".join(f"`{user.name}`" for user in chain),) if len(chain) > 2 else ()
            self.faults.append(Diagnostic("E010", f"`{use.path}` uses itself", use.span, notes=note))
            return
        if identity(found) in self.seen:
            return
        self.seen.add(identity(found))
        self.characters += len(found.text)
        if len(self.seen) > MAX_LIBRARIES or self.characters > MAX_TEXT:
            much = f"{MAX_LIBRARIES} libraries" if len(self.seen) > MAX_LIBRARIES else f"{MAX_TEXT:,} characters"
            self.faults.append(Diagnostic("E011", f"this model uses more than {much} in all", use.span))
            return
        module = self.read(found, users)
        if module is not None:
            self.libraries.append(module)

    def advice(self, use: s.Use, by_library: bool) -> str:
        """A help text for a library that is not found. by_library: whether another library asks for it."""
        known: Callable[[str, Source], list[str]] | None = getattr(self.library, "known", None)
        names = [] if known is None else known(use.path, use.span.source)
        close = suggest(use.path, names)
        if close is not None:
            return f"did you mean `{close}`?"
        if use.path.startswith("std/"):
            return f"there are {', '.join(f'`{name}`' for name in names)}" if names else ""
        if by_library and (".." in use.path.split("/") or use.path.startswith("/")):
            return "a library uses only what lies in its own folder or below"
        return "a path is relative to the file that names it; `std/…` is what ships with covr"


def identity(source: Source) -> str:
    """What identifies a source: its path, or its name if it has none."""
    return source.path or source.name


def placed(fault: Diagnostic, use: s.Use) -> Diagnostic:
    """A fault without a place of its own, placed at the `use` that led to it."""
    if fault.span is not None:
        return fault
    return Diagnostic(fault.code, fault.message, use.span, fault.help, fault.notes, fault.word)
