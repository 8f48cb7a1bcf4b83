"""What a page may ask for: one table, so that no page can wear out the machine."""

from __future__ import annotations

from attrs import asdict

from covr.frozen import frozen


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
