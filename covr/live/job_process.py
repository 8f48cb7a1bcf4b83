"""A process that works on one job at a time, as the caller sees it: it is started, given a job, listened to, and
killed.

The process leads a group of its own, so that whatever it starts is ended with it, and Ctrl-C at the terminal is left to
the one who asks.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sys
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from covr.engine.base.limits import resident_of

LINE = 64 * 2**20  # bytes that a message may have


class JobProcess:
    """A process of child.py. Made by `start`."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process

    @classmethod
    async def start(cls, module: str) -> JobProcess:
        """Start a process that does the jobs of a module (see child.py). If this is cancelled, the process is ended as
        soon as it has started: asyncio does not return from a start that is cancelled in the middle."""
        making = asyncio.ensure_future(_started(module))
        _making.add(making)
        making.add_done_callback(_making.discard)
        try:
            return cls(await asyncio.shield(making))
        except asyncio.CancelledError:
            making.add_done_callback(_unwanted)
            raise

    @property
    def pid(self) -> int:
        """Its number in the system."""
        return self._process.pid

    @property
    def memory(self) -> int:
        """The bytes of memory that it takes, 0 if that can't be told."""
        return resident_of(self.pid) or 0

    @property
    def alive(self) -> bool:
        return self._process.returncode is None

    async def send(self, message: Mapping[str, Any]) -> bool:
        """Give it a job or, with the key `to`, a message about the one that it works on. False if it has ended."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write((json.dumps(message) + "\n").encode())
            await self._process.stdin.drain()
        except (OSError, RuntimeError):  # RuntimeError: the pipe is closed already
            return False
        return True

    async def receive(self) -> dict[str, Any] | None:
        """What it tells next; None once it has ended, or if what it tells is too long."""
        assert self._process.stdout is not None
        try:
            line = await self._process.stdout.readline()
        except (OSError, ValueError):
            line = b""
        if not line.endswith(b"\n"):
            return None
        message: dict[str, Any] = json.loads(line)
        return message

    def kill(self) -> None:
        """End it at once, with all that it has started. To be called in the event loop that started it, or after that
        has ended, when nobody waits for its pipes any more."""
        if not self.alive:
            return
        if self not in _killed:
            with suppress(RuntimeError):  # there is no event loop
                _killed[self] = asyncio.get_running_loop().create_task(self._gone())
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(self.pid, signal.SIGKILL)
            else:
                self._process.kill()

    async def ended(self) -> int:
        """Wait until it has ended; its exit code, or minus the number of the signal that ended it."""
        return await self._process.wait()

    async def _gone(self) -> None:
        """Wait until asyncio knows that it has ended, and has closed its pipes."""
        try:
            if self._process.stdin is not None:
                self._process.stdin.close()
            await self._process.wait()
            if self._process.stdout is not None:
                with suppress(OSError, ValueError, RuntimeError):  # RuntimeError: it is being heard, up to its end
                    await self._process.stdout.read()
        finally:
            del _killed[self]


class Pool:
    """Processes for the jobs of one module; some wait, because starting one takes longer than most jobs.

    ready: how many are started ahead; kept: how many wait at most; worn: bytes above which one is not used again.
    """

    def __init__(self, module: str, ready: int = 1, kept: int = 1, worn: int = 2**62) -> None:
        self._module, self._count, self._kept, self._worn = module, ready, kept, worn
        self._ready: list[JobProcess] = []
        self._starting: set[asyncio.Task[None]] = set()
        self._closed = False

    def warm(self) -> None:
        """Start processes, unless enough of them wait."""
        if self._closed:
            return
        self._ready = [process for process in self._ready if process.alive]
        for _ in range(self._count - len(self._ready) - len(self._starting)):
            task = asyncio.create_task(self._start())
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self) -> None:
        self._ready.append(await self.fresh())

    async def take(self) -> JobProcess:
        """A process that waits, or a new one."""
        while self._ready:
            process = self._ready.pop()
            if process.alive:
                return process
        return await self.fresh()

    async def fresh(self) -> JobProcess:
        """A new process."""
        return await JobProcess.start(self._module)

    def give_back(self, process: JobProcess) -> None:
        """A process has done its job: it waits for the next, or is killed."""
        if self._closed or not process.alive or len(self._ready) >= self._kept or process.memory > self._worn:
            process.kill()
        else:
            self._ready.append(process)

    def close(self) -> None:
        """Kill all that wait, and those that are being started; `all_gone` waits for them."""
        self._closed = True
        for task in self._starting:
            task.cancel()
        for process in self._ready:
            process.kill()
        self._ready.clear()


_making: set[asyncio.Future[asyncio.subprocess.Process]] = set()  # processes that are being started


_killed: dict[JobProcess, asyncio.Task[None]] = {}  # processes that were killed and are not gone yet
LEAVING = 5.0  # seconds that a killed process is waited for; its pipes may be held by what has left its group


async def all_gone() -> None:
    """Wait until no process is being started, and those that were killed are gone. To be called before the event loop
    ends, which would leave their pipes open, and when nobody waits for what they tell any more."""
    loop = asyncio.get_running_loop()
    await asyncio.gather(*(making for making in _making if making.get_loop() is loop), return_exceptions=True)
    await asyncio.sleep(0)  # what nobody wants of them is killed now
    leaving = [task for task in _killed.values() if task.get_loop() is loop]
    if leaving:
        await asyncio.wait(leaving, timeout=LEAVING)


async def _started(module: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "covr.live.child",
        module,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=None if os.environ.get("COVR_TRACEBACK") else asyncio.subprocess.DEVNULL,
        limit=LINE,
        start_new_session=True,
    )


def _unwanted(making: asyncio.Future[asyncio.subprocess.Process]) -> None:
    if not making.cancelled() and making.exception() is None:
        JobProcess(making.result()).kill()
