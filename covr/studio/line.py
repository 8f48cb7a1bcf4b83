"""One stream of events for many pages: all tabs of a browser, since it opens six connections to a server and no more.

A page may be alone on its line, too. What is on a line is told as a whole list each time, so that a message that was
lost, or came twice, does no harm.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from covr.studio.body import Bad
from covr.studio.desk import Desk, Outbox
from covr.studio.job import AHEAD, Event


class SharedLine:
    """A stream, and the pages that are told on it. events: what it tells, each with the page that it is for."""

    def __init__(self, desk: Desk, gone: Callable[[str], None]) -> None:
        """gone: called with each page that leaves."""
        self.events: asyncio.Queue[Event] = asyncio.Queue(AHEAD)
        self._desk, self._gone = desk, gone
        self._pages: dict[str, asyncio.Task[None]] = {}

    @property
    def pages(self) -> list[str]:
        """The pages that are on the line."""
        return list(self._pages)

    def hold(self, pages: Sequence[str]) -> list[str]:
        """From now on these pages are on the line, and no others. Those for which there is no room are returned."""
        for page in set(self._pages) - set(pages):
            self._leave(page)
        refused = []
        for page in dict.fromkeys(pages):
            if page in self._pages:
                continue
            try:
                self._desk.may_open(page)
            except Bad:
                refused.append(page)
            else:
                self._pages[page] = asyncio.create_task(self._pass_on(page, self._desk.open_page(page)))
        return refused

    async def _pass_on(self, page: str, outbox: Outbox) -> None:
        while True:
            name, data = await outbox.get()
            await self.events.put((name, {**data, "page": page}))

    def _leave(self, page: str) -> None:
        self._pages.pop(page).cancel()
        self._desk.close_page(page)
        self._gone(page)

    def close(self) -> None:
        """The stream has ended: all of its pages leave."""
        for page in self.pages:
            self._leave(page)
