"""A question of a page as whoever answers it is given it: checked, with the limits of the studio."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder
from covr.studio.limits import StudioLimits
from covr.studio.texts import normal

LIVE = ("puzzle", "candidates", "hand")  # asked at each keystroke
# How many answers are told before the page must ask for more, if not as many as the limits allow.
WINDOWS = {"solve": 1, "hint": 1}
KINDS = (
    "puzzle", "solve", "all", "best", "unique", "count", "candidates", "why", "spare", "hint", "matrix", "places",
    "dance", "test", "each", "proof", "drawn", "hand", "check", "clash", "as link",
    "from link",
)  # fmt: skip


def known_kind(body: Body) -> str:
    """What a page asks. Raises Bad for anything that can't be asked."""
    kind = body.text("kind")
    if kind not in KINDS:
        raise Bad(f"there is no question `{kind}`")
    return kind


def asked_of(body: Body, folder: StudioFolder, limits: StudioLimits) -> dict[str, Any]:
    """A question as its page has sent it. Raises Bad for one that can't be asked."""
    kind = known_kind(body)
    name, text, data = body.text("name", "model.cover"), normal(body.text("text")), body.texts("data")
    if len(text) > limits.text:
        raise Bad(f"a model has at most {limits.text:,} letters here", 413)
    options = body.object("options")
    seconds, wanted = limits.live_seconds if kind in LIVE else limits.seconds, options.get("seconds")
    if isinstance(wanted, int | float) and not isinstance(wanted, bool) and 0 < wanted < seconds:
        seconds = float(wanted)
    return {**question(folder, limits, kind, name, text, data, options, seconds), "foreign": body.flag("foreign")}


def question(
    folder: StudioFolder, limits: StudioLimits, kind: str, name: str, text: str,
    data: Mapping[str, str], options: Mapping[str, Any], seconds: float,
) -> dict[str, Any]:  # fmt: skip
    """The fields of a question, as work/asked.py has them."""
    window = options.get("window")
    most = WINDOWS.get(kind, limits.window)
    whole = isinstance(window, int) and not isinstance(window, bool)
    return {
        "kind": kind,
        "name": name,
        "path": folder.source_path(name),
        "within": str(folder.root),
        "foreign": False,
        "text": text,
        "data": data,
        "options": options,
        "seconds": seconds,
        "memory": limits.memory,
        "window": min(max(window, 1), limits.window) if whole and window is not None else most,
        "nodes": limits.nodes,
        "items": limits.items,
        "most_options": limits.options,
    }
