"""One question of a page, from start to end: its process, its events on their way to the page, and its limits.

The process itself keeps the limits of a search. What it can't keep, such as when a model explodes while it is compiled,
is kept from here: a process that takes too much time or memory is killed, and the page is told so. Events are read from
the process only as fast as the page takes them, so that neither grows without end.
"""

from __future__ import annotations

import asyncio
import os
import traceback
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from time import monotonic
from typing import Any

from covr.engine.base.memory import resident_of
from covr.live.job_process import JobProcess
from covr.studio.pool import Pool

Event = tuple[str, Mapping[str, Any]]

LOOK = 0.1  # seconds between two looks at the memory that a process takes
GRACE = 0.7  # seconds in which a process may tell what it has found after it was asked to stop
OVER = 2.0  # seconds that a process may take beyond its limit, which it keeps by itself if it can
AHEAD = 32  # events that are read before the page takes them
STOPPED: Mapping[str, Any] = {"status": "stopped", "words": "stopped", "figures": {}}
UNREAD = 15.0  # seconds after which a question is ended whose events nobody reads


class Job:
    """A question. id: which the page knows it by. page, kind: whose it is, and what it is about."""

    def __init__(
        self, id: str, page: str, question: Mapping[str, Any], pool: Pool, noted: Callable[[Mapping[str, Any]], None]
    ) -> None:
        """noted: called with the data of each event before the page has it."""
        self.id, self.page, self.question = id, page, question
        self._noted = noted
        self.kind: str = question["kind"]
        self.done = asyncio.Event()
        self.read = False
        self._told = False
        self._pool = pool
        self._events: asyncio.Queue[Event] = asyncio.Queue(AHEAD)
        self._process: JobProcess | None = None
        self._killed: Mapping[str, Any] | None = None  # how it ended, if it was killed
        self._stopping: asyncio.Task[None] | None = None
        self._spent, self._since = 0.0, monotonic()  # seconds before the last pause; since when it works, 0 in a pause
        self._task = asyncio.create_task(self._run())

    # --- what the page does ---

    async def events(self) -> AsyncIterator[Event]:
        """Its events, the last of which is `end`. Can be read once."""
        self.read = True
        while True:
            event = await self._events.get()
            yield event
            if event[0] == "end":
                return

    async def more(self, number: int) -> None:
        """The page takes so many more answers."""
        if self._process is not None and not self.done.is_set():
            self._resume()
            await self._process.send({"to": "more", "number": number})

    async def stop(self) -> None:
        """The page wants no more. What is found until then is still told; then the process is killed."""
        if self._stopping is None and not self.done.is_set():
            self._stopping = asyncio.create_task(self._stop())

    async def _stop(self) -> None:
        if self._process is not None:
            await self._process.send({"to": "stop"})
            with suppress(asyncio.TimeoutError):
                await asyncio.wait_for(self.done.wait(), GRACE)
        self.kill("stopped", "stopped")

    def drop(self) -> None:
        """Nobody wants it any more: end it at once. Whoever still reads its events is told the end."""
        self.kill("stopped", "stopped")
        self._task.cancel()
        self.done.set()
        while not self._events.empty():
            self._events.get_nowait()
        self._events.put_nowait(("end", self._killed or STOPPED))

    async def ended(self) -> None:
        """Wait until nothing of it is left."""
        await asyncio.gather(self._task, return_exceptions=True)

    def kill(self, status: str, words: str) -> None:
        """End its process, and say how it ended."""
        if self.done.is_set() or self._killed is not None:
            return
        self._killed = {"status": status, "words": words, "figures": {}}
        if self._process is not None:
            self._process.kill()

    # --- its process ---

    async def _run(self) -> None:
        watch = asyncio.create_task(self._watch())
        finished = False
        try:
            self._process = await self._pool.take()
            if self._killed is None:
                finished = await self._work(self._process)
            if not finished and self._killed is None and not self._told:
                self._process.kill()  # it had ended before it could begin: that was nobody's question
                self._process = await self._pool.fresh()
                finished = await self._work(self._process)
            if not finished:
                await self._events.put(("end", self._killed or await self._lost(self._process)))
        except Exception as error:  # a mistake of covr's own: whoever reads the events must not wait for ever
            if os.environ.get("COVR_TRACEBACK"):
                traceback.print_exc()
            words = f"a mistake in covr itself: {type(error).__name__}: {str(error)[:200]}"
            await self._events.put(("end", {"status": "failed", "words": words, "figures": {}}))
        finally:
            watch.cancel()
            self.done.set()
            process = self._process
            if process is not None:
                if finished and self._killed is None:
                    self._pool.give_back(process, resident_of(process.pid))
                else:
                    process.kill()
            self._pool.warm()

    async def _work(self, process: JobProcess) -> bool:
        """Give the question to a process, and pass on what it tells. Whether it told the end."""
        return await process.send(self.question) and await self._listen(process)

    async def _listen(self, process: JobProcess) -> bool:
        """Pass on what the process tells. Whether it told the end."""
        while True:
            message = await process.hear()
            if message is None:
                return False
            self._told = True
            if "failed" in message:
                words = f"a mistake in covr itself: {message['failed']}"
                await self._events.put(("end", {"status": "failed", "words": words, "figures": {}}))
                return True
            name, data = message["event"], message["data"]
            if name == "pause":
                self._pause()
            if name == "end":
                self.done.set()
            self._noted(data)
            await self._events.put((name, data))
            if name == "end":
                return True

    async def _lost(self, process: JobProcess) -> Mapping[str, Any]:
        """What is told when the process has ended by itself, or was killed by another."""
        process.kill()
        code = await process.ended()
        how = f"was ended by signal {-code}" if code < 0 else f"ended with {code}"
        return {"status": "failed", "words": f"the process of this question {how}; ask again", "figures": {}}

    async def _watch(self) -> None:
        """Kill the process if it takes too much time or memory, or if nobody reads what it tells."""
        seconds, memory, began = self.question["seconds"], self.question["memory"], monotonic()
        while True:
            await asyncio.sleep(LOOK)
            if not self.read and monotonic() - began > UNREAD:
                self.drop()
            elif self.spent > seconds + OVER:
                self.kill("limit", f"stopped after {seconds:g} s")
            elif self._process is not None and (resident_of(self._process.pid) or 0) > memory:
                self.kill("limit", f"stopped: it needs more than {memory // 2**20:,} MB of memory")

    @property
    def spent(self) -> float:
        """The seconds that it has worked, without its pauses."""
        return self._spent + (monotonic() - self._since if self._since else 0.0)

    @property
    def working(self) -> bool:
        """Whether it works, and does not wait for the page to want more."""
        return not self.done.is_set() and self._since > 0

    def _pause(self) -> None:
        self._spent, self._since = self.spent, 0.0

    def _resume(self) -> None:
        if not self._since:
            self._since = monotonic()
