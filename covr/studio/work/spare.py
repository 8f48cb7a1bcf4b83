"""The question what could be left out of the model without a change to its answers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events, exact
from covr.studio.work.reasons import member

if TYPE_CHECKING:
    from covr.compiler import Compiled

LISTED = 2000  # givens and rules that are listed, at most, each time


def spare(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """Which givens and labelled rules could be left out, each by itself, and a set of them together. The option `only`
    (`givens` or `rules`) says that nothing else is looked at."""
    from covr.explain.spare import KINDS, SpareInquiry
    from covr.explain.spare_text import as_text, grouped, head, needed, together

    only = asked.options.get("only")
    inquiry = SpareInquiry(compiled, asked.limits, only if only in KINDS else "all")
    with events.stoppable(inquiry):
        found = inquiry.find()
    lists = {
        "alone": grouped(found.alone, found.rules, whole=True),
        "together": grouped(found.together, found.rules),
        "open": grouped(found.open, found.rules),
    }
    events.tell(
        "spare",
        head=head(found),
        needed=needed(found) if found.alone else "",
        words=together(found),
        minimal=found.minimal,
        text=as_text(found),
        **{name: [member(m, asked) for m in members[:LISTED]] for name, members in lists.items()},
    )
    figures = {"searches": inquiry.budget.searches, "nodes": exact(inquiry.budget.nodes)}
    if events.stopped:
        return {"status": "stopped", "words": "stopped", "figures": figures}
    return {"status": "done" if found.minimal else "limit", "words": head(found), "figures": figures}
