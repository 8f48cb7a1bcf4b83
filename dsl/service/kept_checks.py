"""The results of checking the names of each statement, kept from edit to edit, so that after an edit only statements
that it may concern are checked again.

What the checker says of a statement in which it finds no fault depends on nothing but the statement and what the names
in it are: definitions, families, declared indices, and which of them may be used there already. So a statement is
checked again if one of its names has become something else. If it only stands elsewhere or has another value, the
statement is not checked again; the names that it means are put in the place of the old ones.

A test compares the outcome with that of a fresh check after every one of thousands of edits.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from functools import cached_property

from attrs import evolve

from covr.dsl import syntax as s
from covr.dsl.bound_names import NameChecker
from covr.dsl.scope import MAX_FAULTS, Definition, Meaning
from covr.dsl.walk import walk
from covr.frozen import frozen

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
