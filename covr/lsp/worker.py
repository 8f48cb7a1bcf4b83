"""Asks a process of `covr.live`, one job at a time, and stops it when nobody wants the result any more.

A process that waits for its first job is always kept ready, since starting one takes longer than most jobs.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

from covr.live.job_process import JobProcess


class JobStopped(Exception):
    """A job was stopped, because its result is no longer wanted, or because its process ended."""


class Worker:
    """A process for jobs. A job that is asked while another runs stops that one."""

    def __init__(self) -> None:
        self._idle: JobProcess | None = None
        self._busy: JobProcess | None = None

    async def ready(self) -> None:
        """Start a process, unless one is waiting."""
        if self._idle is None or not self._idle.alive:
            self._idle = await JobProcess.start("covr.lsp.jobs")

    async def ask(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a job. Raises JobStopped."""
        self.stop()
        await self.ready()
        process, self._idle = self._idle, None
        assert process is not None
        self._busy = process
        try:
            result = await process.hear() if await process.send(job) else None
        except asyncio.CancelledError:
            process.kill()
            raise
        if self._busy is not process or result is None:
            process.kill()
            raise JobStopped
        self._busy = None
        if self._idle is None:
            self._idle = process
        else:
            process.kill()
        return result

    def stop(self) -> None:
        """Stop the job that runs, if there is one."""
        process, self._busy = self._busy, None
        if process is not None:
            process.kill()

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        if self._idle is not None:
            self._idle.kill()
            self._idle = None
