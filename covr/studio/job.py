"""The processes that answer pages: questions about models, from start to end, and those about texts."""

from __future__ import annotations

import asyncio
import hashlib
import os
import secrets
import traceback
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import suppress
from time import monotonic
from typing import Any

from covr.live.job_process import JobProcess, Pool, all_gone
from covr.studio.asking import LIVE, StudioLimits, asked_of, known_kind, question
from covr.studio.body import Bad, Body
from covr.studio.folder import StudioFolder

# --- One question of a page, from start to end: its process, its events on their way to the page, and its limits ------
# The process itself keeps the limits of a search. What it can't keep, such as when a model explodes while it is
# compiled, is kept from here: a process that takes too much time or memory is killed, and the page is told so. Events
# are read from the process only as fast as the page takes them, so that neither grows without end.


Event = tuple[str, Mapping[str, Any]]

MODULE = "covr.studio.work.kinds"
READY = 2  # processes that are started ahead
KEPT = 4  # processes that are kept after they have answered: as many questions as a keystroke may bring
WORN = 400 * 2**20  # bytes of memory above which a process is not used again
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
                    self._pool.give_back(process)
                else:
                    process.kill()
            self._pool.warm()

    async def _work(self, process: JobProcess) -> bool:
        """Give the question to a process, and pass on what it tells. Whether it told the end."""
        return await process.send(self.question) and await self._listen(process)

    async def _listen(self, process: JobProcess) -> bool:
        """Pass on what the process tells. Whether it told the end."""
        while True:
            message = await process.receive()
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
            elif self._process is not None and self._process.memory > memory:
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


# --- Which pictures were drawn for a page: only these are turned into files of other formats --------------------------
# An SVG may name other files and addresses, so one that a page brings is not to be trusted; one that covr has drawn is.


MOST = 20_000  # pictures that are remembered


class DrawnPictures:
    """The last pictures that were sent to pages, as hashes."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def note(self, data: Mapping[str, Any]) -> None:
        """Remember the pictures of an event."""
        answers = data.get("answers")  # a number in some events
        for fields in (data, data.get("answer"), *(answers if isinstance(answers, list) else ())):
            svg = fields.get("svg") if isinstance(fields, Mapping) else None
            if svg:
                self._known[_digest(svg)] = None
        while len(self._known) > MOST:
            self._known.popitem(last=False)

    def knows(self, svg: str) -> bool:
        """Whether covr has drawn this."""
        return _digest(svg) in self._known


def _digest(svg: str) -> bytes:
    return hashlib.sha256(svg.encode("utf-8", "surrogatepass")).digest()


# --- desk ------------------------------------------------------------------------------------------------------------
# Manages the questions of all pages: a limited number run at once, a new one replaces an older one of its kind, and
# those of a page that is gone are ended.


OWN_SECONDS = 60.0  # how long a question may take that no page has asked
KEPT_SECONDS = 60.0  # seconds for which a question that has ended can still be read
GONE = 3.0  # seconds after which a page that was open, and is not any more, is gone

WAITING = 4  # times as many questions may be open as may work: the others wait until their pages want more

Outbox = asyncio.Queue[Event]


class Desk:
    """The questions that are open. pool: their processes."""

    def __init__(self, folder: StudioFolder, limits: StudioLimits) -> None:
        self.folder, self.limits = folder, limits
        self.pool = Pool(MODULE, READY, KEPT, WORN)
        self.jobs: dict[str, Job] = {}
        self.drawn = DrawnPictures()
        self._pages: Counter[str] = Counter()  # how many streams of each page are open
        self._outboxes: dict[str, Outbox] = {}  # what each page is to be told on its stream
        self._pumps: dict[str, asyncio.Task[None]] = {}  # by question: passes its events to the page's stream
        self._tasks: set[asyncio.Task[None]] = set()

    # --- questions ---

    def ask(self, body: Body) -> Job:
        """Start a question of a page. Raises Bad for one that can't be asked."""
        page, kind = body.text("page", ""), known_kind(body)
        self._make_room(page, kind, body.maybe("replaces"))
        tag = body.maybe("tag")
        job = self._start(page, asked_of(body, self.folder, self.limits))
        if tag is not None:
            self._outboxes.setdefault(page, asyncio.Queue(AHEAD))
            self._pumps[job.id] = asyncio.create_task(self._pump(job, tag))
            if page not in self._pages:
                self._later(self._leave(page, UNREAD))
        return job

    async def _pump(self, job: Job, tag: str) -> None:
        """Pass the events of a question to its page's stream, as fast as the page takes them."""
        async for name, data in job.events():
            if job.page not in self._outboxes:
                return
            await self._outboxes[job.page].put(("job", {"tag": tag, "event": name, "data": data}))

    def own(self, kind: str, name: str, text: str, options: Mapping[str, Any]) -> Job:
        """Start a question of the server itself. Whoever asks must read its events."""
        return self._start("", question(self.folder, self.limits, kind, name, text, {}, options, OWN_SECONDS))

    def _start(self, page: str, question: Mapping[str, Any]) -> Job:
        job = Job(secrets.token_urlsafe(12), page, question, self.pool, self.drawn.note)
        self.jobs[job.id] = job
        self._later(self._forget(job))
        return job

    def _make_room(self, page: str, kind: str, replaces: str | None) -> None:
        """End what this question replaces. Raises Bad if there are too many questions even so."""
        running = [job for job in self.jobs.values() if not job.done.is_set()]
        for job in running:
            if job.page == page and (job.id == replaces or (kind in LIVE and job.kind == kind)):
                job.drop()
        left = [job for job in running if not job.done.is_set()]
        if sum(job.page == page for job in left) >= self.limits.jobs:
            raise Bad("this page has asked too many questions at once: stop one", 429)
        if sum(job.working for job in left) >= self.limits.all_jobs or len(left) >= WAITING * self.limits.all_jobs:
            raise Bad("too many questions are being answered: stop one", 429)

    def find(self, id: str) -> Job:
        """The question of that id. Raises Bad if there is none any more."""
        if id not in self.jobs:
            raise Bad("there is no such question any more", 404)
        return self.jobs[id]

    async def _forget(self, job: Job) -> None:
        await job.done.wait()
        await asyncio.sleep(KEPT_SECONDS)
        self.jobs.pop(job.id, None)
        self._pumps.pop(job.id, None)

    # --- pages ---

    def may_open(self, page: str) -> None:
        """Raise Bad if there are too many pages for this one."""
        if page not in self._pages and len(self._pages) >= self.limits.pages:
            raise Bad("too many pages are open", 429)

    def open_page(self, page: str) -> Outbox:
        """A stream of a page is open. What it is to tell comes in the result; an earlier stream tells nothing more."""
        if page in self._pages or page not in self._outboxes:
            self._outboxes[page] = asyncio.Queue(AHEAD)
        self._pages[page] += 1
        return self._outboxes[page]

    def close_page(self, page: str) -> None:
        """A stream of a page is closed. The page is gone unless it opens another at once."""
        self._pages[page] -= 1
        if not self._pages[page]:
            del self._pages[page]
            self._later(self._leave(page, GONE))

    async def _leave(self, page: str, seconds: float) -> None:
        """End the questions of a page that is not there after so many seconds."""
        await asyncio.sleep(seconds)
        if page in self._pages:
            return
        self._outboxes.pop(page, None)
        for job in self.jobs.values():
            if job.page == page:
                job.drop()
                if job.id in self._pumps:
                    self._pumps[job.id].cancel()

    def _later(self, what: Any) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End everything."""
        for job in self.jobs.values():
            job.drop()
        for task in (*self._tasks, *self._pumps.values()):
            task.cancel()
        await asyncio.gather(*(job.ended() for job in self.jobs.values()))
        self.pool.close()
        await all_gone()


# --- line ------------------------------------------------------------------------------------------------------------
# One stream of events for many pages: all tabs of a browser, since it opens six connections to a server and no more.
#
# A page may be alone on its line, too. What is on a line is told as a whole list each time, so that a message that was
# lost, or came twice, does no harm.


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


# --- The processes that read the texts of pages ----------------------------------------------------------------------
# One process for each page, so that no text makes the server or another page wait. What is asked about a text is
# answered within milliseconds; one that takes too long or too much memory all the same ends with its process.

READER = "covr.studio.about_texts"
READER_WORN = 300 * 2**20  # bytes of memory above which a process is not used again


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
        self.pool = Pool(READER)

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
                if process.memory > READER_WORN:
                    reader.end()
                return found
            reader.end()
        raise Bad("the process that reads this text was ended; it is asked again", 503)

    async def _heard(self, process: JobProcess) -> dict[str, Any] | None:
        """What a process tells; None if it has ended. Raises Bad."""
        limits, loop = self._limits, asyncio.get_running_loop()
        hearing = asyncio.ensure_future(process.receive())
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
