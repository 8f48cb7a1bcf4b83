"""What is known about a text after each edit: its faults, its statements, and what its names mean.

The whole text is read again after an edit, by the code that `covr check` uses; only libraries are kept. An editor asks
once nothing was typed for a moment.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

from covr.dsl import syntax as s
from covr.dsl.bound_names import NameChecker, unused
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, merge_repeated, without_echoes
from covr.dsl.format import allowances
from covr.dsl.grammar import load
from covr.dsl.load import Library, Loader, in_order
from covr.dsl.parser import Parser, gc_paused, parse, unreadable
from covr.dsl.scope import MAX_FAULTS, Meaning
from covr.frozen import frozen


@frozen(slots=False)
class Analysis:
    """What is known about a text.

    - source: the whole text; statements: those that could be read, in order
    - faults: all errors, those of libraries first, each file in source order; without errors, the warnings that need no
      data
    - meanings: every name that means something, with the names that bind it; libraries: what was read by `use`
    - readable: whether the text can be a model at all; complete: whether it has no fault of syntax
    """

    source: Source
    faults: tuple[Diagnostic, ...]
    statements: tuple[s.Statement, ...] = ()
    meanings: tuple[Meaning, ...] = ()
    libraries: tuple[s.Module, ...] = ()
    readable: bool = False
    complete: bool = False

    @cached_property
    def broken(self) -> bool:
        """Whether a fault keeps the model from being compiled."""
        return any(fault.is_error for fault in self.faults)

    @cached_property
    def parts(self) -> tuple[range, ...]:
        """The text as pieces of one statement each, broken ones included; none if the text is not readable. A piece
        begins with the first line, or with a line that begins with the word of a statement, except within a statement
        that could be read."""
        if not self.readable:
            return ()
        text = self.source.text
        begins = [statement.span.start for statement in self.statements]
        starts = [0]
        for word in load().lexer.statements(text, 0):
            at = bisect_right(begins, word) - 1
            if at < 0 or begins[at] == word or self.statements[at].span.end <= word:
                starts.append(text.rfind("\n", 0, word) + 1)
        starts = sorted({*starts, len(text)})
        return tuple(map(range, starts, starts[1:])) or (range(0),)

    def part_at(self, offset: int) -> range:
        """The piece of the text around an offset; of two that meet there, the later one. For readable texts."""
        at = bisect_right([part.start for part in self.parts], offset) - 1
        return self.parts[max(0, at)]


def unchecked(source: Source) -> Analysis:
    """The statements of a model that ships with covr, which was checked before: no faults, meanings or libraries.
    Half the time of `Document.change`."""
    return Analysis(source, (), parse(source).statements, readable=True, complete=True)


class Document:
    """A text that is being edited. libraries: for a text, the library that finds what its `use` statements name (see
    `load_model`)."""

    def __init__(self, name: str, libraries: Callable[[Source], Library], path: str = "") -> None:
        self.name = name
        self.path = path
        self.libraries = libraries
        self._modules: dict[tuple[str, str], s.Module] = {}  # libraries that were read: by path and text

    def change(self, text: str, wanted: Callable[[], None] = lambda: None) -> Analysis:
        """What is known about a new text. Time O(length of the text). wanted: called now and then; it may raise an
        exception to end the analysis."""
        source = Source(self.name, text, self.path)
        fault = unreadable(source)
        if fault is not None:
            return Analysis(source, (fault,))
        wanted()
        with gc_paused():
            parser = Parser(source)
            try:
                statements = tuple(parser.statements())
            except ModelErrors as errors:
                return Analysis(source, errors.diagnostics)
            wanted()
            return self._checked(source, statements, parser.faults)

    def _checked(self, source: Source, statements: tuple[s.Statement, ...], wrong: Sequence[Diagnostic]) -> Analysis:
        """A text with its names checked. wrong: its faults of syntax."""
        module = s.Module(source, statements)
        loader = CachingLoader(self.libraries(source), self._modules)
        loader.enter(module, ())
        self._modules = loader.kept
        meanings: list[Meaning] = []
        checker = NameChecker(loader.libraries, module, meanings)
        try:
            checker.model()
            faults = checker.faults
        except ModelErrors as errors:
            faults = [*errors.diagnostics]
        if wrong:
            faults = without_echoes(sorted(wrong, key=Diagnostic.order))
        elif loader.faults:
            faults = loader.faults
        elif faults:
            faults = merge_repeated(in_order([*(m.source for m in loader.libraries), source], faults))
        else:
            faults = warnings(source, statements)
        found = faults if faults is loader.faults else faults[:MAX_FAULTS]
        return Analysis(
            source,
            tuple(found),
            statements,
            tuple(meanings),
            tuple(loader.libraries),
            readable=True,
            complete=not wrong,
        )


def warnings(source: Source, statements: Sequence[s.Statement]) -> list[Diagnostic]:
    """What `covr check` remarks without data, except what comments allow."""
    found = list(unused(statements))
    if "covr:" in source.text.casefold():
        allowed, _ = allowances(source, [st for st in statements if not isinstance(st, s.Title)])
        found = [d for d in found if not any(a.covers(d) for a in allowed)]
    return sorted(found, key=Diagnostic.order)


class CachingLoader(Loader):
    """Reads libraries, but none a second time that has not changed. kept: those read so far."""

    def __init__(self, library: Library, known: Mapping[tuple[str, str], s.Module]) -> None:
        super().__init__(library)
        self.known = known
        self.kept: dict[tuple[str, str], s.Module] = {}

    def parse(self, source: Source) -> s.Module:
        key = (source.path or source.name, source.text)
        module = self.known.get(key) or parse(source)
        self.kept[key] = module
        return module


def common_start(old: str, new: str) -> int:
    """How many characters at the beginning of two texts are the same."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if old[low:middle] == new[low:middle] else (low, middle - 1)
    return low


def common_end(old: str, new: str, before: int) -> int:
    """How many characters at the end of two texts are the same. before: how many at their beginnings, which do not
    count twice."""
    low, high = 0, min(len(old), len(new)) - before
    while low < high:
        middle = (low + high + 1) // 2
        same = old[len(old) - middle : len(old) - low] == new[len(new) - middle : len(new) - low]
        low, high = (middle, high) if same else (low, middle - 1)
    return low
