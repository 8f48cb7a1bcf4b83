"""Links of other puzzle programs: a link as a model, and a model as a link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.studio.work.asked import StudioQuestion
from covr.studio.work.events import Events

if TYPE_CHECKING:
    from covr.compiler import Compiled


def from_link(asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """The model of the puzzle in a link, or in a puzzle's file, with the board drawn in it. The option `as` names its
    kind, for links that do not say it. Raises ModelErrors E606 for what can't be read."""
    from covr.inputs.library import checked, linked_in, open_model, unreadable_link
    from covr.links.board import LinkFault
    from covr.links.opened import called, model_of

    kind = asked.options.get("as")
    linked = linked_in(asked.text.strip(), None, kind if isinstance(kind, str) and kind else None)
    try:
        source = model_of(linked, open_model(linked.kind.model), called(asked.text))
    except LinkFault as fault:
        raise unreadable_link(called(asked.text), fault) from None
    checked(source)
    events.tell("model", name=f"{linked.kind.model}.cover", text=source.text)
    return {"status": "done", "words": linked.kind.name, "figures": {}}


def as_link(compiled: Compiled, _: Any, asked: StudioQuestion, events: Events) -> dict[str, Any]:
    """A model with its data as an address of puzz.link or f-puzzles. Raises ModelErrors E603 if it is no puzzle that
    one of these can hold."""
    from covr.inputs.as_link import linked_from, usual_form, written

    linked = linked_from(compiled)
    events.tell("link", link=written(linked, usual_form(linked)).strip())
    return {"status": "done", "words": linked.kind.name, "figures": {}}
