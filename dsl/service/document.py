"""What is known about a text after each edit: its faults, its statements, and what its names mean."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import cached_property

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.bound_names import NameChecker, mentions, unused
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span, merge_repeated, without_echoes
from covr.dsl.format import allowances
from covr.dsl.load import Library, Loader, in_order
from covr.dsl.parser import MAX_TOKENS, Parser, gc_paused, parse, unreadable
from covr.dsl.scope import MAX_FAULTS, Definition, Meaning, walk
from covr.dsl.service.fragments import Fragment, Fragments, FragmentSource, statements_of
from covr.frozen import frozen

# --- kept checks -----------------------------------------------------------------------------------------------------
# The results of checking the names of each statement, kept from edit to edit, so that after an edit only statements
# that it may concern are checked again.
#
# What the checker says of a statement in which it finds no fault depends on nothing but the statement and what the
# names in it are: definitions, families, declared indices, and which of them may be used there already. So a statement
# is checked again if one of its names has become something else. If it only stands elsewhere or has another value, the
# statement is not checked again; the names that it means are put in the place of the old ones.
#
# A test compares the outcome with that of a fresh check after every one of thousands of edits.


# Statements whose check concerns other statements, too: those that declare names, or that a model may have only once.
OTHERS_MATTER = frozenset((s.Declare, s.Optimize, s.Prefer, s.AnswersBy, s.Outline, s.Expect))


@frozen(eq=False)
class Known:
    """What a name is all over a model: a definition, a family, a declared index, or several of these."""

    definition: Definition | None
    family: s.Choose | None
    index: s.Name | None

    @property
    def kind(self) -> tuple[object, ...]:
        """What it is, as far as uses of the name depend on that."""
        definition, family = self.definition, self.family
        parameters = None if definition is None or isinstance(definition, s.Param) else definition.parameters
        return (
            type(definition),
            None if parameters is None else len(parameters),
            None if family is None else tuple([name.id for name in family.indices]),
            self.index is not None,
        )

    @property
    def names(self) -> list[s.Name]:
        """Where it is bound, and, for a family, its indices: as many for each name of the same kind."""
        found = [] if self.definition is None else [self.definition.name]
        found += [] if self.family is None else [self.family.name, *self.family.indices]
        return found if self.index is None else [*found, self.index]


@frozen(eq=False)
class Checked:
    """What a check of a statement brought.

    names: every name in it; known: what each of them is; usable: those that may be used there (or not yet, for a
    definition); None if that is told by `known` alone.
    meanings: what its names mean; None if it has a fault, so that it is always checked again. used: the definitions
    that it uses, if it is one itself.
    """

    statement: s.Statement
    names: tuple[str, ...]
    known: list[Known | None]
    usable: list[str] | None
    meanings: tuple[Meaning, ...] | None
    used: frozenset[str]


class Memory:
    """What is kept from one check to the next. again: how many statements the last one had to look at."""

    def __init__(self) -> None:
        self.checked: dict[int, Checked] = {}  # by the identity of the statement
        self.known: dict[str, Known] = {}
        self.again = 0


class RememberingChecker(NameChecker):
    """Checks the names of a model, but of no statement for which the outcome is known from the last time."""

    def __init__(
        self, libraries: Sequence[s.Module], module: s.Module, meanings: list[Meaning], memory: Memory
    ) -> None:
        super().__init__(libraries, module, meanings)
        self.found = meanings
        self.memory = memory
        self.checked: dict[int, Checked] = {}

    def model(self) -> s.CheckedModel:
        self.memory.again = 0
        checked = super().model()
        self.memory.checked, self.memory.known = self.checked, self.known
        return checked

    def definition(self, definition: Definition, later: dict[str, Definition], used: set[str]) -> None:
        if not self._is_known(definition, later, used):
            before = len(self.faults), len(self.found)
            super().definition(definition, later, used)
            self._note(definition, later, used, *before)

    def statement(self, statement: s.Statement) -> None:
        if type(statement) in OTHERS_MATTER:
            super().statement(statement)
            return
        usable = None if len(self.declared) == len(self.scope.indices) else self.declared
        if not self._is_known(statement, usable, set()):
            before = len(self.faults), len(self.found)
            super().statement(statement)
            self._note(statement, usable, set(), *before)

    @cached_property
    def known(self) -> dict[str, Known]:
        """What every name is that the model defines; the same object as the last time, if nothing has changed."""
        definitions, families, indices = self.scope.definitions, self.scope.families, self.scope.indices
        old, found = self.memory.known, dict[str, Known]()
        for name in dict.fromkeys((*definitions, *families, *indices)):
            definition, family, index = definitions.get(name), families.get(name), indices.get(name)
            known = old.get(name)
            if (
                known is None
                or known.definition is not definition
                or known.family is not family
                or known.index is not index
            ):
                known = Known(definition, family, index)
            found[name] = known
        return found

    @cached_property
    def changed(self) -> set[str]:
        """The names that are not what they were the last time."""
        old, new = self.memory.known, self.known
        return {name for name in old.keys() | new.keys() if old.get(name) is not new.get(name)}

    def _is_known(self, statement: s.Statement, usable: Container[str] | None, used: set[str]) -> bool:
        """Whether the outcome for a statement is known; it is then taken over.

        usable: the names that may be used there; used: to which the definitions that it uses are added.
        """
        old = self.memory.checked.get(id(statement))
        if old is None or old.meanings is None or old.usable != _here(old.names, usable):
            return False
        if not self.changed.isdisjoint(old.names):
            now = [self.known.get(name) for name in old.names]
            if not _alike(old.known, now):
                return False
            old = evolve(old, known=now, meanings=renewed(old.meanings, old.known, now))
        self.found += old.meanings or ()
        used |= old.used
        self.checked[id(statement)] = old
        return True

    def _note(
        self, statement: s.Statement, usable: Container[str] | None, used: set[str], faults: int, meanings: int
    ) -> None:
        """Note the outcome for a statement that has just been checked. faults, meanings: how many there were before."""
        self.memory.again += 1
        old = self.memory.checked.get(id(statement))
        names = all_names(statement) if old is None else old.names
        now = [self.known.get(name) for name in names]
        clean = len(self.faults) == faults < MAX_FAULTS
        found = tuple(self.found[meanings:]) if clean else None
        self.checked[id(statement)] = Checked(statement, names, now, _here(names, usable), found, frozenset(used))


def _here(names: Iterable[str], usable: Container[str] | None) -> list[str] | None:
    return None if usable is None else [name for name in names if name in usable]


def all_names(statement: s.Statement) -> tuple[str, ...]:
    """Every name in a statement, used or bound, each once."""
    return tuple(dict.fromkeys(node.id for node in walk(statement) if isinstance(node, s.Name)))


def renewed(
    meanings: Iterable[Meaning], old: Iterable[Known | None], now: Iterable[Known | None]
) -> tuple[Meaning, ...]:
    """The meanings in a statement, now that its names, which were `old`, are bound elsewhere."""
    to: dict[int, s.Name] = {}
    for before, after in zip(old, now, strict=True):
        if before is not None and after is not None and before is not after:
            to |= {id(name): new for name, new in zip(before.names, after.names, strict=True)}
    return tuple([(name, tuple([to.get(id(by), by) for by in bound])) for name, bound in meanings])


def _alike(before: list[Known | None], after: list[Known | None]) -> bool:
    """Whether names are what they were, wherever they are bound."""
    return all(
        one is other or (one is not None and other is not None and one.kind == other.kind)
        for one, other in zip(before, after, strict=True)
    )


# --- document --------------------------------------------------------------------------------------------------------
# What is known about a text after each edit: its faults, its statements, and what its names mean.
#
# Only statements that the edit touched are parsed again, and only those in which a name has become something else are
# checked again.


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
