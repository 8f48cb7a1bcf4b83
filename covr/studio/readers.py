"""The processes that read the texts of pages: one for each page, so that no text makes the server or another page wait.

What is asked about a text is answered within milliseconds, since only the statement that was typed is parsed again. A
text that takes too long or too much memory all the same, whatever is in it, ends with its process.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from covr.live.job_process import JobProcess, Pool
from covr.studio.asking import StudioLimits
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder

MODULE = "covr.studio.about_texts"
LOOK = 0.1  # seconds between two looks at the memory that a process takes
WORN = 300 * 2**20  # bytes of memory above which a process is not used again


class PageReader:
    """The process of a page, which is asked one question at a time."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.process: JobProcess | None = None
        self.reading: tuple[str, int] | None = None  # the text and the version that it is asked about
        self.latest: dict[str, int] = {}  # of each text the version of the last edit

    def end(self) -> None:
        """End the process."""
        if self.process is not None:
            self.process.kill()
            self.process = None


class Readers:
    """The processes of all pages. The one that was asked longest ago is ended if there are too many."""

    def __init__(self, folder: StudioFolder, limits: StudioLimits) -> None:
        self._folder, self._limits = folder, limits
        self._pages: OrderedDict[str, PageReader] = OrderedDict()
        self._closed = False
        self.pool = Pool(MODULE)

    async def ask(self, about: str, page: str, body: Body) -> str | None:
        """The answer about a text, as JSON; None if a later version of it has come meanwhile. Raises Bad."""
        name, version, text = body.text("name", "model.cover"), body.number("version", 0), body.text("text")
        if len(text) > self._limits.text:
            raise Bad(f"a model has at most {self._limits.text:,} letters here", 413)
        reader = self._reader(page)
        reader.latest[name] = max(reader.latest.get(name, 0), version)
        if reader.process is not None and reader.reading is not None and reader.reading[0] == name:
            await reader.process.send({"to": "later", "name": name, "version": version})
        async with reader.lock:
            if version < reader.latest[name]:
                return None
            reader.reading = name, version
            try:
                found = await self._answer(reader, {"about": about, "fields": dict(body.fields)})
            finally:
                reader.reading = None
        if "refused" in found:
            raise Bad(found["refused"], found["status"])
        if "failed" in found:
            raise Bad(f"a mistake in covr itself: {found['failed']}", 500)
        return None if "stale" in found or version < reader.latest[name] else found["answer"]

    def _reader(self, page: str) -> PageReader:
        found = self._pages.setdefault(page, PageReader())
        self._pages.move_to_end(page)
        idle = [one for one in self._pages.values() if one.process is not None and not one.lock.locked()]
        for one in idle[: max(len(idle) - self._limits.readers, 0)]:
            one.end()
        for old in list(self._pages)[: max(len(self._pages) - self._limits.pages, 0)]:
            self.forget(old)
        return found

    async def _answer(self, reader: PageReader, job: Mapping[str, Any]) -> dict[str, Any]:
        """What the process of a page tells. Raises Bad if it takes too much, and is ended."""
        for _ in range(0 if self._closed else 2):  # one that has ended meanwhile, whatever ended it, is begun again
            if reader.process is None or not reader.process.alive:
                reader.process = await self.pool.take()
                self.pool.warm()
            process = reader.process
            if not await process.send({**job, "folder": str(self._folder.root)}):
                reader.end()
                continue
            try:
                found = await self._heard(process)
            except BaseException:
                reader.end()
                raise
            if found is not None:
                if process.memory > WORN:
                    reader.end()
                return found
            reader.end()
        raise Bad("the process that reads this text was ended; it is asked again", 503)

    async def _heard(self, process: JobProcess) -> dict[str, Any] | None:
        """What a process tells; None if it has ended. Raises Bad."""
        limits, loop = self._limits, asyncio.get_running_loop()
        hearing = asyncio.ensure_future(process.hear())
        until = loop.time() + limits.reading
        try:
            while True:
                await asyncio.wait({hearing}, timeout=LOOK)
                if hearing.done():
                    return hearing.result()
                if loop.time() > until:
                    raise Bad(f"reading this text takes more than {limits.reading:g} seconds", 413)
                if process.memory > limits.read_memory:
                    raise Bad(f"reading this text takes more than {limits.read_memory >> 20:,} MB of memory", 413)
        finally:
            if not hearing.done():
                process.kill()
                with suppress(asyncio.CancelledError):
                    await hearing

    def forget(self, page: str) -> None:
        """A page is gone."""
        if page in self._pages:
            self._pages.pop(page).end()

    def close(self) -> None:
        """End all processes; `all_gone` waits for them."""
        self._closed = True
        for page in list(self._pages):
            self.forget(page)
        self.pool.close()
