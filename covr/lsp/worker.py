"""Asks the process of child.py, one job at a time, and stops it when nobody wants the result any more.

A process that waits for its first job is always kept ready, since starting one takes longer than most jobs.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

LINE = 64 * 2**20  # bytes that a result may have


class JobStopped(Exception):
    """A job was stopped, because its result is no longer wanted, or because its process ended."""


class Worker:
    """A process for jobs. A job that is asked while another runs stops that one."""

    def __init__(self) -> None:
        self._idle: asyncio.subprocess.Process | None = None
        self._busy: asyncio.subprocess.Process | None = None

    async def ready(self) -> None:
        """Start a process, unless one is waiting."""
        if self._idle is None or self._idle.returncode is not None:
            self._idle = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "covr.lsp.child",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=LINE,
            )

    async def ask(self, job: Mapping[str, Any]) -> dict[str, Any]:
        """The result of a job. Raises JobStopped."""
        self.stop()
        await self.ready()
        process, self._idle = self._idle, None
        assert process is not None and process.stdin is not None and process.stdout is not None
        self._busy = process
        try:
            process.stdin.write((json.dumps(job) + "\n").encode())
            await process.stdin.drain()
            line = await process.stdout.readline()
        except (OSError, ValueError):
            line = b""
        except asyncio.CancelledError:
            _kill(process)
            raise
        if self._busy is not process or not line.endswith(b"\n"):
            _kill(process)
            raise JobStopped
        self._busy = None
        if self._idle is None:
            self._idle = process
        else:
            _kill(process)
        result: dict[str, Any] = json.loads(line)
        return result

    def stop(self) -> None:
        """Stop the job that runs, if there is one."""
        process, self._busy = self._busy, None
        if process is not None:
            _kill(process)

    def close(self) -> None:
        """Stop everything."""
        self.stop()
        if self._idle is not None:
            _kill(self._idle)
            self._idle = None


def _kill(process: asyncio.subprocess.Process) -> None:
    with suppress(ProcessLookupError):
        process.kill()
