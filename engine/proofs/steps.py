"""The steps of a search that is shown: one kind of value for all of them."""

from __future__ import annotations

from attrs import field

from covr.frozen import frozen

Answer = tuple[int, ...]

CHOOSE = "choose"  # an item is chosen to branch on
FREE = "free"  # no item is unmet; options that no item needs may be taken or left
TAKE = "take"  # an option is taken: the next node
BACK = "back"  # everything below a taken option has been searched
FAIL = "fail"  # an unmet item has too few options left
DEAR = "dear"  # nothing below can be cheaper than the best answer
CLASH = "clash"  # given options exclude each other
GIVEN = "given"  # an option is taken because it is given
ANSWER = "answer"
LEAVE = "leave"  # with sides: an option is left out: the next node
FOLLOWS = "follows"  # with sides: what follows before anything is tried
BROKEN = "broken"  # with sides: an item or a side can't be kept any more


@frozen
class TraceStep:
    """A step. kind: one of the constants above.  depth: how many options were taken before it, not counting given ones.

    item: for choose and fail.  live, need: how many live options hold it, and how many it needs.  others: how many
    other unmet items have as few ways.
    option: for take, leave, back, given and clash.  at, of: the position of the option (with sides: of the decision)
    among those tried at this node, from 1, and their number.
    covers: the items that can hold no more options once this one is taken, or that show its colour from then on.
    removes: the options that can't be taken any more because of it.  takes: with sides, those that must be taken
    because of it, in the order in which that was found.
    side: for broken, the number of the side; if it is None, the item can't be met, or, without one, two of its
    consequences contradict each other.
    answer: for answer, the options, increasing.  cost: the sum of the costs so far; None without costs.
    """

    kind: str
    depth: int
    item: int | None = None
    live: int = 0
    need: int = 0
    others: int = 0
    option: int | None = None
    at: int = 0
    of: int = 0
    covers: tuple[int, ...] = field(default=(), repr=False)
    removes: tuple[int, ...] = field(default=(), repr=False)
    takes: tuple[int, ...] = field(default=(), repr=False)
    side: int | None = None
    answer: Answer = ()
    cost: int | None = None
