"""Manages the questions of all pages: a limited number run at once, a new one replaces an older one of its kind, and
those of a page that is gone are ended."""

from __future__ import annotations

import asyncio
import secrets
from collections import Counter
from collections.abc import Mapping
from typing import Any

from covr.studio.asking import LIVE, asked_of, known_kind, question
from covr.studio.body import Bad, Body
from covr.studio.drawn import DrawnPictures
from covr.studio.folder import StudioFolder
from covr.studio.job import AHEAD, UNREAD, Event, Job
from covr.studio.limits import StudioLimits
from covr.studio.pool import Pool

OWN_SECONDS = 60.0  # how long a question may take that no page has asked
KEPT = 60.0  # seconds for which a question that has ended can still be read
GONE = 3.0  # seconds after which a page that was open, and is not any more, is gone

WAITING = 4  # times as many questions may be open as may work: the others wait until their pages want more

Outbox = asyncio.Queue[Event]


class Desk:
    """The questions that are open. pool: their processes."""

    def __init__(self, folder: StudioFolder, limits: StudioLimits) -> None:
        self.folder, self.limits = folder, limits
        self.pool = Pool()
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
        await asyncio.sleep(KEPT)
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
        await self.pool.close()
