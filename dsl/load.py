"""A model with its libraries: follow `use`, merge the definitions, check the names.

A library is any model: its `param` and `let` statements are read, its `use` followed, everything else in it
ignored. A library that is used by two ways counts once. A `param` of the model takes the place of a library's
param of the same name; any other name defined twice is a fault.
"""

from __future__ import annotations

from collections.abc import Callable

from covr.dsl import syntax as s
from covr.dsl.check import Checker
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.parser import parse
from covr.dsl.source import Source

Library = Callable[[str, Source], Source | None]


def load_model(source: Source, library: Library) -> s.Model:
    """Parse a model, follow its `use` statements, and check its names.

    library(path, source) finds the text that a `use` in `source` names; None where there is none. It may raise
    ModelErrors itself.
    Raises ModelErrors with every fault of every file read: a library's before those of the model that uses it.
    """
    loader = Loader(library)
    module = loader.read(source, ())
    if module is None or loader.faults:
        raise ModelErrors(loader.faults)
    checker = Checker(loader.libraries, module)
    model = checker.model()
    if checker.faults:
        raise ModelErrors(in_order([m.source for m in loader.libraries] + [source], checker.faults))
    return model


def in_order(sources: list[Source], faults: list[Diagnostic]) -> list[Diagnostic]:
    """Faults file by file, and in each by place."""
    rank = {id(source): at for at, source in enumerate(sources)}

    def key(fault: Diagnostic) -> tuple[int, int]:
        return (0, 0) if fault.span is None else (rank.get(id(fault.span.source), 0), fault.span.start)

    return sorted(faults, key=key)


class Loader:
    """libraries: the modules read so far, a library before those that use it."""

    def __init__(self, library: Library) -> None:
        self.library = library
        self.libraries: list[s.Module] = []
        self.seen: set[str] = set()
        self.faults: list[Diagnostic] = []

    def read(self, source: Source, users: tuple[str, ...]) -> s.Module | None:
        """Parse a file and read what it uses. users: the files that led here, the model first."""
        try:
            module = parse(source)
        except ModelErrors as errors:
            self.faults += errors.diagnostics
            return None
        for statement in module.statements:
            if isinstance(statement, s.Use):
                self.follow(statement, (*users, identity(source)))
        return module

    def follow(self, use: s.Use, users: tuple[str, ...]) -> None:
        try:
            found = self.library(use.path, use.span.source)
        except ModelErrors as errors:
            self.faults += (placed(d, use) for d in errors.diagnostics)
            return
        if found is None:
            self.faults.append(Diagnostic("E009", f"there is no library `{use.path}`", use.span, self.advice(use)))
            return
        if identity(found) in users:
            self.faults.append(Diagnostic("E010", f"`{use.path}` uses itself", use.span))
            return
        if identity(found) in self.seen:
            return
        self.seen.add(identity(found))
        module = self.read(found, users)
        if module is not None:
            self.libraries.append(module)

    def advice(self, use: s.Use) -> str:
        if use.path.startswith("std/"):
            return ""
        return "a path is relative to the file that names it; `std/…` is what ships with covr"


def identity(source: Source) -> str:
    return source.path or source.name


def placed(fault: Diagnostic, use: s.Use) -> Diagnostic:
    """A fault without a place of its own, placed at the `use` that led to it."""
    if fault.span is not None:
        return fault
    return Diagnostic(fault.code, fault.message, use.span, fault.help, fault.notes, fault.word)
