"""What a page may ask for, and a question of a page, checked for the process that answers it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import asdict

from covr.frozen import frozen
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder
from covr.studio.texts import normal

# --- What a page may ask for: one table, so that no page can wear out the machine -------------------------------------


@frozen
class StudioLimits:
    """body: bytes of a request.  text: letters of a model.
    answer: bytes of what is said of a text; tokens: how many of its words are coloured.
    reading: seconds in which a text must be read; read_memory: bytes that the process which reads the texts of a page
    may take; readers: how many of these processes are kept.
    requests: how many requests a second, for minutes; burst: how many at once.
    jobs: how many questions run at the same time, of one page; all_jobs: of all pages.
    seconds: how long a question may take, whatever the page asks; live_seconds: one that is asked at each keystroke.
    memory: bytes that the process of a question may take.
    window: how many answers are sent before the page must ask for more.
    nodes: steps of the search that are shown.  items, options: how much of a matrix is shown.
    pages: how many pages may be open.  texts: how many texts of a page are kept.  halves: how many connections may be
    open of which no whole request has come yet; head: seconds in which one must come.
    picture: bytes of an SVG that is sent; a larger one is not drawn.
    """

    body: int = 2 * 2**20
    text: int = 1_000_000
    answer: int = 8 * 2**20
    tokens: int = 200_000
    reading: float = 10.0
    read_memory: int = 2**30
    readers: int = 6
    requests: float = 100.0
    burst: int = 400
    jobs: int = 6
    all_jobs: int = 12
    seconds: float = 3600.0
    live_seconds: float = 10.0
    memory: int = 2 * 2**30
    window: int = 50
    nodes: int = 2000
    items: int = 400
    options: int = 2000
    pages: int = 32
    texts: int = 4
    halves: int = 64
    head: float = 10.0
    picture: int = 16 * 2**20

    def as_dict(self) -> dict[str, float]:
        """The table as a JSON object, for the page."""
        return asdict(self)


# --- A question of a page, checked for the process that answers it, with the limits of the studio ---------------------


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
