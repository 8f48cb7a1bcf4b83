"""An explanation: what `covr why` found, as a value. `print` shows it in words (why_text.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from attrs import field

from covr.engine.proofs.certificate import Balance, Counting
from covr.explain.member import Member
from covr.explain.wording import said
from covr.frozen import frozen
from covr.questions.answer import Answer

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.dsl.diagnostics import Diagnostic

IMPOSSIBLE, COUNTED, CONFLICT = "impossible", "counted", "conflict"  # why there is no answer
ANSWERED, UNIQUE, SEVERAL = "answered", "unique", "several"  # nothing is wrong, or the rules allow too much
FORCED, EXCLUDED, FREE, REMOVED = "forced", "excluded", "free", "removed"  # of a choice
UNKNOWN = "unknown"


@frozen
class Proof:
    """A counting argument. found: its numbers. groups: for a Counting, the two statements (`by`, `of`).

    parts: for a Balance, each weight with its members. board: the weights of items that are squares of a board.
    sums: whether some of the members want a total.
    """

    found: Counting | Balance
    groups: tuple[Member, ...] = ()
    parts: tuple[tuple[int, tuple[Member, ...]], ...] = field(default=(), repr=False)
    board: dict[tuple[int, int], int] = field(factory=dict, repr=False)
    sums: bool = False


@frozen(kw_only=True)
class Why:
    """An explanation. `print` shows it in words.

    verdict: one of the words above.  choice: what was asked about, as covr prints it; given: whether it is given.
    members: what contradicts each other, or forces or excludes the choice.  minimal: whether it is proved that none of
    the members can be left out.
    cures: givens (or rules that tell a clue, or whole rules, if there is no such given) of which each one, if it alone
    is left out, leaves an answer.
    diagnostic: for `impossible`.  proof: for `counted`.  removed: for `removed`, the statement that removes the choice.
    answers: one for `answered`; two for `several`; for `free`, one with the choice and one without it.
    stopped: whether a budget ran out, or Ctrl-C was pressed, before everything was tried.
    """

    compiled: Compiled = field(repr=False)
    verdict: str
    choice: str | None = None
    given: bool = False
    members: tuple[Member, ...] = ()
    minimal: bool = True
    cures: tuple[Member, ...] = ()
    diagnostic: Diagnostic | None = None
    proof: Proof | None = None
    removed: Member | None = None
    answers: tuple[Answer, ...] = ()
    stopped: bool = False

    @property
    def told(self) -> tuple[Member, ...]:
        """The members that are put in words: without rules that have no label where others have one, and one for all
        that say the same."""
        return said(self.compiled, self.members)

    def __str__(self) -> str:
        from covr.explain.why_text import as_text

        return as_text(self)
