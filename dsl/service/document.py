"""What is known about a text after each edit: its faults, its statements, and what its names mean.

Only statements that the edit touched are parsed again, and only those in which a name has become something else are
checked again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.comments import allowances
from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.echoes import without_echoes
from covr.dsl.gc_paused import gc_paused
from covr.dsl.load import Library, Loader, in_order
from covr.dsl.merge_repeated import merge_repeated
from covr.dsl.parser import MAX_TOKENS, Parser, parse, unreadable
from covr.dsl.scope import Meaning
from covr.dsl.service.fragments import Fragment, Fragments, FragmentSource, statements_of
from covr.dsl.service.kept_checks import Memory, RememberingChecker
from covr.dsl.source import Source, Span
from covr.dsl.tree import MAX_FAULTS
from covr.dsl.unused import mentions, unused
from covr.frozen import frozen


@frozen(slots=False)
class Analysis:
    """What is known about a text. It holds until the document changes again: then places in it move.

    source: the whole text. faults: all errors, those of libraries first, and in each file in source order; if there are
    none, the warnings that need no data.
    statements: those that could be read, in order; their spans lie in fragments of the source (see `span`).
    meanings: every name that means something, with the names that bind it. libraries: what was read by `use`.
    fragments: what the source is made of.
    """

    source: Source
    faults: tuple[Diagnostic, ...]
    statements: tuple[s.Statement, ...]
    meanings: tuple[Meaning, ...]
    libraries: tuple[s.Module, ...]
    fragments: tuple[Fragment, ...] = ()

    def span(self, span: Span) -> Span:
        """A span of a statement, as a span of the whole source; one of another file as it is."""
        return _whole(span, self.source)

    @cached_property
    def broken(self) -> bool:
        """Whether a fault keeps the model from being compiled."""
        return any(fault.is_error for fault in self.faults)


def unchecked(source: Source) -> Analysis:
    """The statements of a model that ships with covr, which was checked before: no faults, meanings or libraries.
    Half the time of `Document.change`."""
    fragments = Fragments(source.name, source.path).change(source.text)
    return Analysis(source, (), tuple(statements_of(fragments)), (), (), tuple(fragments))


class Document:
    """A text that is being edited.

    libraries: for a text, the library that finds what its `use` statements name (see `load_model`).
    """

    def __init__(self, name: str, libraries: Callable[[Source], Library], path: str = "") -> None:
        self.name = name
        self.path = path
        self.libraries = libraries
        self._fragments = Fragments(name, path)
        self._mentions = Mentions()
        self.memory = Memory()
        self._modules: dict[tuple[str, str], s.Module] = {}  # libraries that were read: by path and text

    def change(self, text: str, wanted: Callable[[], None] = lambda: None) -> Analysis:
        """What is known about a new text. Time: parsing the statements that changed, checking those that this
        concerns, and a few steps for each of the others.

        wanted: called now and then; it may raise, if nobody wants to know any more.
        """
        source = Source(self.name, text, self.path)
        fault = unreadable(source)
        if fault is None:
            fragments = self._fragments.change(text, wanted)
            if sum(fragment.tokens for fragment in fragments) > MAX_TOKENS:
                return Analysis(source, (Parser(source).too_long(),), (), (), ())  # the fragments are kept
        if fault is not None:
            self._fragments = Fragments(self.name, self.path)
            return Analysis(source, (fault,), (), (), ())
        statements = tuple(statements_of(fragments))
        wrong = [fault for fragment in fragments for fault in fragment.faults]
        meanings: list[Meaning] = []
        with gc_paused():
            libraries, faults = self._check(source, statements, meanings, wrong)
        return Analysis(source, tuple(faults), statements, tuple(meanings), libraries, tuple(fragments))

    @contextmanager
    def trying(self) -> Iterator[None]:
        """Changes made in this context are taken back at its end, which takes a step for each fragment. What was known
        before holds again then, but not meanwhile: places in it have moved."""
        fragments, mentioned, memory, modules = self._fragments, self._mentions, self.memory, self._modules
        self._mentions, self.memory = mentioned.copy(), copy(memory)
        try:
            with fragments.trying():
                yield
        finally:
            self._fragments, self._mentions, self.memory, self._modules = fragments, mentioned, memory, modules

    def _check(
        self, source: Source, statements: tuple[s.Statement, ...], meanings: list[Meaning], wrong: list[Diagnostic]
    ) -> tuple[tuple[s.Module, ...], list[Diagnostic]]:
        """The libraries, and the faults. meanings: to which what names mean is added. wrong: the faults of syntax."""
        module = s.Module(source, statements)
        loader = CachingLoader(LibraryOfWhole(self.libraries(source), source), self._modules)
        loader.enter(module, ())
        self._modules = loader.kept
        checker = RememberingChecker(loader.libraries, module, meanings, self.memory)
        try:
            checker.model()
        except ModelErrors as errors:
            checker.faults = [*errors.diagnostics]
        libraries = tuple(loader.libraries)
        if wrong:
            return libraries, without_echoes(sorted((_placed(d, source) for d in wrong), key=Diagnostic.order))[
                :MAX_FAULTS
            ]
        if loader.faults:
            return libraries, [_placed(d, source) for d in loader.faults]
        if checker.faults:
            placed = [_placed(d, source) for d in checker.faults]
            ordered = in_order([*(m.source for m in libraries), source], placed)
            return libraries, merge_repeated(ordered)[:MAX_FAULTS]
        return libraries, self._warnings(source, statements)

    def _warnings(self, source: Source, statements: Sequence[s.Statement]) -> list[Diagnostic]:
        """What `covr check` remarks without data, except what comments allow."""
        self._mentions.change(statements)
        found = [_placed(d, source) for d in unused(statements, self._mentions.of, self._mentions.all)]
        if "covr:" in source.text.casefold():
            spoken = [evolve(st, span=_whole(st.span, source)) for st in statements if not isinstance(st, s.Title)]
            allowed, _ = allowances(source, spoken)
            found = [d for d in found if not any(a.covers(d) for a in allowed)]
        return sorted(found, key=Diagnostic.order)[:MAX_FAULTS]


class Mentions:
    """How often every name is mentioned in each statement of a text, and in all of them together. all: the latter."""

    def __init__(self) -> None:
        self.all: Counter[str] = Counter()
        self._each: dict[int, tuple[s.Statement, Counter[str]]] = {}  # by the statement's identity

    def change(self, statements: Sequence[s.Statement]) -> None:
        """Take over the statements of a new text. Time O(new and lost ones), and one step for each of the others."""
        old, self._each = self._each, {}
        for statement in statements:
            known = old.pop(id(statement), None)
            if known is None:
                known = statement, mentions(statement)
                self.all.update(known[1])
            self._each[id(statement)] = known
        for _, lost in old.values():
            for name, times in lost.items():
                self.all[name] -= times
                if not self.all[name]:
                    del self.all[name]

    def copy(self) -> Mentions:
        """Another one, which changes by itself."""
        other = Mentions()
        other.all, other._each = self.all.copy(), self._each.copy()
        return other

    def of(self, statement: s.Statement) -> Counter[str]:
        """The mentions in one of the statements."""
        return self._each[id(statement)][1]


class LibraryOfWhole:
    """Finds what is named in a fragment of a text as if the whole text named it. library: finds that."""

    def __init__(self, library: Library, source: Source) -> None:
        self.library = library
        self.source = source

    def __call__(self, path: str, user: Source) -> Source | None:
        return self.library(path, self._whole(user))

    def known(self, path: str, user: Source) -> list[str]:
        """The names that such a `use` could mean."""
        known: Callable[[str, Source], list[str]] | None = getattr(self.library, "known", None)
        return [] if known is None else known(path, self._whole(user))

    def _whole(self, user: Source) -> Source:
        return self.source if isinstance(user, FragmentSource) else user


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


def _placed(fault: Diagnostic, source: Source) -> Diagnostic:
    """A fault whose span lies in a fragment, with its place in the whole source."""
    return fault if fault.span is None else evolve(fault, span=_whole(fault.span, source))


def _whole(span: Span, source: Source) -> Span:
    if not isinstance(span.source, FragmentSource):
        return span
    by = span.source.where.offset
    return Span(source, span.start + by, span.end + by)
