"""Processes for questions: some wait for their first, because starting one takes longer than most questions."""

from __future__ import annotations

import asyncio

from covr.live.job_process import JobProcess, all_gone

MODULE = "covr.studio.work.kinds"
READY = 2  # processes that are started ahead
KEPT = 4  # processes that are kept after they have answered: as many questions as a keystroke may bring
WORN = 400 * 2**20  # bytes of memory above which a process is not used again


class Pool:
    """Processes that wait for questions."""

    def __init__(self) -> None:
        self._ready: list[JobProcess] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._closed = False

    def warm(self) -> None:
        """See to it that enough processes wait."""
        if self._closed:
            return
        self._ready = [process for process in self._ready if process.alive]
        for _ in range(READY - len(self._ready) - len(self._starting)):
            task = asyncio.create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        process = await JobProcess.start(MODULE)
        if self._closed:
            process.kill()
        else:
            self._ready.append(process)

    async def take(self) -> JobProcess:
        """A process for a question."""
        while self._ready:
            process = self._ready.pop()
            if process.alive:
                return process
        return await self.fresh()

    async def fresh(self) -> JobProcess:
        """A process that was just started."""
        return await JobProcess.start(MODULE)

    def give_back(self, process: JobProcess, memory: int | None) -> None:
        """A process has answered; memory: what it takes, in bytes, if that is known."""
        if self._closed or not process.alive or len(self._ready) >= KEPT or (memory or 0) > WORN:
            process.kill()
        else:
            self._ready.append(process)

    async def close(self) -> None:
        """End all that wait, and those that are being started. Returns when all are gone."""
        self._closed = True
        await asyncio.gather(*self._starting, return_exceptions=True)
        for process in self._ready:
            process.kill()
        self._ready.clear()
        await all_gone()
