"""What a studio survives: questions that explode, killed processes, pages that go away, ports in use, Ctrl-C."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

pytest.importorskip("starlette", reason="needs covr[studio]")
pytest.importorskip("uvicorn", reason="needs covr[studio]")
pytest.importorskip("httpx", reason="needs httpx")
if not Path("/proc/self/statm").exists():
    pytest.skip("looks for processes in /proc", allow_module_level=True)

from covr.cli.group import cli
from tests.studio.client import PATIENCE, StudioPage, run_by, studio

pytestmark = pytest.mark.long

ENDLESS = """\
cells r, c in 1..24
choose a(r, c)
exactly one a per r
exactly one a per c
at most one a per r + c
at most one a per r - c
"""
SMALL = 'cells r, c in 1..3\nchoose a(r, c)\nexactly one a per r\nexactly one a per c\nshow "a" of a at r, c\n'
# Compiling this would build 2.4 million options: too large for the memory that tests allow.
LARGE = "cells a, b, c in 1..140\nchoose x(a, b, c)\nexactly one x per a, b\nexactly one x per b, c\n"


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StudioPage]:
    """A studio for all tests that do not end it: to start one takes longer than most of them."""
    folder = tmp_path_factory.mktemp("studio")
    with studio(str(folder), folder=folder) as found:
        yield found


@pytest.fixture
def page(lasting: StudioPage, request: pytest.FixtureRequest) -> StudioPage:
    """A page of that studio that no other test has had."""
    lasting.name = request.node.name
    return lasting


@pytest.fixture
def own(tmp_path: Path) -> Iterator[StudioPage]:
    """A page of a studio that the test may end."""
    with studio(str(tmp_path), folder=tmp_path) as found:
        yield found


def until(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    """Wait until something holds; whether it does."""
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


def working(page: StudioPage) -> set[int]:
    """The processes that take up the processor: those whose question is being searched."""

    def ticks(pid: int) -> int:
        try:
            parts = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            return 0
        return int(parts[11]) + int(parts[12])

    before = {pid: ticks(pid) for pid in page.children()}
    time.sleep(0.3)
    return {pid for pid, spent in before.items() if ticks(pid) > spent + 1}


def test_a_count_of_years_stops_when_it_is_asked_to(page: StudioPage) -> None:
    id = page.start("count", ENDLESS)
    events = page.events(id)
    name, data = next(events)
    assert name == "progress" and data["nodes"]
    page.post(f"/api/jobs/{id}/stop")
    name, end = [*events][-1]
    assert name == "end" and end["status"] == "stopped"
    assert page.end("count", SMALL)["figures"]["count"] == 6


def test_a_limit_of_time_is_kept(page: StudioPage) -> None:
    end = page.end("count", ENDLESS, options={"seconds": 0.5})
    assert end["status"] == "limit" and end["figures"]["reached"] == "time"


def test_a_process_that_is_killed_is_told_and_the_next_question_works(page: StudioPage) -> None:
    id = page.start("count", ENDLESS)
    events = page.events(id)
    assert next(events)[0] == "progress"
    for pid in page.children():
        os.kill(pid, signal.SIGKILL)
    name, end = [*events][-1]
    assert name == "end" and end["status"] == "failed" and "signal 9" in end["words"]
    assert page.end("count", SMALL)["figures"]["count"] == 6
    assert page.end("count", SMALL)["figures"]["count"] == 6


def test_a_page_that_goes_away_ends_its_questions(page: StudioPage) -> None:
    events = page.events(page.start("count", ENDLESS))
    assert next(events)[0] == "progress"
    assert until(lambda: bool(working(page)))
    events.close()  # type: ignore[attr-defined]
    assert until(lambda: not working(page))
    assert page.end("count", SMALL)["figures"]["count"] == 6


def test_a_page_without_its_sign_of_life_is_gone(page: StudioPage) -> None:
    """Its questions are ended, and whoever still reads their events is told so."""
    with page.http.stream("GET", f"/api/page/{page.name}") as life:
        signs = life.iter_lines()
        assert next(signs) == "event: ping"
        events = page.events(page.start("count", ENDLESS))
        assert next(events)[0] == "progress"
        life.close()
        assert [*events][-1] == ("end", {"status": "stopped", "words": "stopped", "figures": {}})
    assert until(lambda: not working(page))


@pytest.mark.slow
def test_a_question_whose_events_nobody_reads_is_ended(page: StudioPage) -> None:
    page.start("count", ENDLESS)
    assert until(lambda: bool(working(page)))
    assert until(lambda: not working(page))


def test_the_last_edit_wins(page: StudioPage) -> None:
    """A picture is asked for at each keystroke, and only the last one is drawn to the end."""
    ids = [page.start("candidates", ENDLESS + f"# {n}\n") for n in range(8)]
    last = page.start("candidates", SMALL)
    assert [*page.events(last)][-1][1]["figures"]["answers"] == 6
    assert until(lambda: not working(page))
    assert {[*page.events(id)][-1][1]["status"] for id in ids} == {"stopped"}


def test_a_model_that_explodes_is_ended_and_said(page: StudioPage) -> None:
    """The limits of the compiler or of memory end it, whichever comes first, and the rest of the machine is not
    affected."""
    for text in (
        "cells r, c, d in 1..100000\nchoose a(r, c, d)\nexactly one a per r\n",
        "let x = subsets(1..60, 30)\ncells r in 1..2\nchoose a(r)\nexactly one a per size(x)\n",
        "let f(n) = f(n + 1)\ncells r in 1..f(1)\nchoose a(r)\n",
        "let x = 9 * " + "9 * " * 5000 + "9\ncells r in 1..x\nchoose a(r)\n",
        "let x = " + "(" * 3000 + "1" + ")" * 3000 + "\ncells r in 1..x\n",
    ):
        end = page.end("puzzle", text)
        assert end["status"] in ("fault", "limit", "failed"), end
    assert page.end("count", SMALL)["figures"]["count"] == 6


def test_a_limit_of_memory_is_kept_even_while_a_model_is_compiled(tmp_path: Path) -> None:
    from attrs import evolve

    from covr.studio.asking import StudioLimits
    from covr.studio.body import Body
    from covr.studio.folder import StudioFolder
    from covr.studio.job import Desk

    async def test() -> tuple[str, str]:
        limits = evolve(StudioLimits(), memory=150 * 2**20)
        desk = Desk(StudioFolder(tmp_path), limits)
        job = desk.ask(Body({"page": "p", "kind": "count", "text": LARGE}))
        events = [event async for event in job.events()]
        await desk.close()
        return events[-1][1]["status"], events[-1][1]["words"]

    import asyncio

    status, words = asyncio.run(test())
    assert status == "limit" and "150 MB of memory" in words


@pytest.mark.parametrize("seconds", [0.0, 0.01, 0.3])
def test_of_questions_that_are_dropped_nothing_is_left(tmp_path: Path, seconds: float) -> None:
    """Whether their processes are being started, have just started, or work: when the studio has ended, so have they,
    and their pipes are closed."""
    import asyncio
    import gc
    import warnings

    from covr.live import job_process
    from covr.studio.asking import StudioLimits
    from covr.studio.body import Body
    from covr.studio.folder import StudioFolder
    from covr.studio.job import Desk

    async def test() -> None:
        desk = Desk(StudioFolder(tmp_path), StudioLimits())
        for _ in range(3):
            job = desk.ask(Body({"page": "p", "kind": "count", "text": ENDLESS}))
            await asyncio.sleep(seconds)
            job.drop()
        await desk.close()

    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        asyncio.run(test())
        gc.collect()
    assert [str(one.message) for one in said if issubclass(one.category, ResourceWarning)] == []
    assert not job_process._killed and not job_process._making


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_when_the_studio_ends_all_it_has_started_ends(own: StudioPage, how: signal.Signals) -> None:
    events = [own.events(own.start(kind, ENDLESS)) for kind in ("count", "all", "candidates")]
    assert next(events[0])[0] == "progress"
    assert until(lambda: len(own.children()) >= 3)
    children = own.children()
    own.process.send_signal(how)
    code = own.process.wait(PATIENCE)
    assert code == {signal.SIGINT: 0, signal.SIGTERM: -signal.SIGTERM, signal.SIGKILL: -signal.SIGKILL}[how]
    assert until(lambda: not any(map(run_by, children)))
    if how is signal.SIGINT:
        assert own.process.stderr is not None and "Traceback" not in own.process.stderr.read()


def test_a_page_is_told_when_the_studio_ends(own: StudioPage) -> None:
    with own.http.stream("GET", "/api/page/p") as life:
        lines = life.iter_lines()
        assert next(lines) == "event: ping"
        own.process.send_signal(signal.SIGINT)
        assert "event: gone" in [*lines]
    assert own.process.wait(PATIENCE) == 0


def test_two_pages_do_not_disturb_each_other(page: StudioPage) -> None:
    one = page.start("candidates", SMALL, page="one")
    two = page.start("candidates", SMALL.replace("3", "4"), page="two")
    assert [*page.events(one)][-1][1]["figures"]["answers"] == 6
    assert [*page.events(two)][-1][1]["figures"]["answers"] == 24


def test_all_questions_of_a_page_are_told_on_its_one_stream(page: StudioPage) -> None:
    """A browser opens at most six connections to a server, for all tabs: paused listings must not use them up."""
    with page.http.stream("GET", f"/api/page/{page.name}") as life:
        ids = {n: page.start("all", SMALL, tag=f"{n}", options={"window": 1}) for n in range(5)}
        told: dict[str, list[str]] = {}
        name = ""
        for line in life.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: ") and name == "job":
                data = json.loads(line.removeprefix("data: "))
                told.setdefault(data["tag"], []).append(data["event"])
                if data["event"] == "pause":
                    page.post(f"/api/jobs/{ids[int(data['tag'])]}/more", number=6)
            if sum(events[-1] == "end" for events in told.values()) == 5:
                break
    assert {tuple(e for e in events if e != "progress") for events in told.values()} == {
        ("answer", "pause", *["answer"] * 5, "end")
    }


def test_questions_on_the_stream_of_a_page_end_with_it(page: StudioPage) -> None:
    with page.http.stream("GET", f"/api/page/{page.name}") as life:
        page.start("count", ENDLESS, tag="a")
        assert any(line == "event: job" for line in life.iter_lines())
        assert until(lambda: bool(working(page)))
    assert until(lambda: not working(page))


def test_one_line_tells_many_pages_of_their_questions(page: StudioPage) -> None:
    """What is told names its page; pages come and go, and the questions of one that is gone end."""
    line, other = f"/api/line/{page.name}", f"other {page.name}"
    with page.http.stream("GET", line, params={"pages": page.name}) as life:
        lines = iter(life.iter_lines())
        pinged = json.loads(next(text for text in lines if text.startswith("data: ")).removeprefix("data: "))
        assert (pinged["pages"], pinged["refused"]) == ([page.name], [])
        assert page.http.get(line).status_code == 409
        page.start("count", ENDLESS, tag="b", page=other)  # asked before its page is on the line
        assert page.post(line, pages=[page.name, other]) == {"pages": [page.name, other], "refused": []}
        page.start("count", SMALL, tag="a")
        told: dict[str, list[str]] = {"a": [], "b": []}
        for text in lines:
            if not text.startswith("data: ") or '"tag"' not in text:
                continue
            data = json.loads(text.removeprefix("data: "))
            assert data["page"] == {"a": page.name, "b": other}[data["tag"]]
            told[data["tag"]].append(data["event"])
            if told["b"] and told["a"][-1:] == ["end"]:
                break
        assert working(page)
        assert page.post(line, pages=[page.name])["pages"] == [page.name]
        assert until(lambda: not working(page))
        assert {page.http.post(line, json=bad).status_code for bad in ({"pages": "x"}, {"pages": [3]})} == {400}
    assert until(lambda: page.http.post(line, json={"pages": []}).status_code == 404)


def test_a_page_for_which_there_is_no_room_on_a_line_is_told_so(tmp_path: Path) -> None:
    import asyncio

    from attrs import evolve

    from covr.studio.asking import StudioLimits
    from covr.studio.folder import StudioFolder
    from covr.studio.job import Desk, SharedLine

    async def test() -> None:
        desk, left = Desk(StudioFolder(tmp_path), evolve(StudioLimits(), pages=3)), list[str]()
        one, two = SharedLine(desk, left.append), SharedLine(desk, left.append)
        assert one.hold(["a", "b", "b"]) == [] and one.pages == ["a", "b"]
        assert two.hold(["c", "d", "a"]) == ["d"] and two.pages == ["c", "a"]
        assert one.hold(["a"]) == [] and left == ["b"]
        assert two.hold(["c", "d", "a"]) == []
        two.close()
        assert two.pages == [] and sorted(left[1:]) == ["a", "c", "d"] and one.pages == ["a"]
        await desk.close()

    asyncio.run(test())


def test_a_port_in_use_the_next_one_is_taken_and_said(tmp_path: Path) -> None:
    from covr.studio.app import PORT

    taken = socket.socket()
    try:
        taken.bind(("127.0.0.1", PORT))
        taken.listen()
    except OSError:
        pass  # somebody else's studio is as good
    with taken, studio(folder=tmp_path, port="") as page:
        assert page.port > PORT
        assert page.interrupt() == 0
        assert page.process.stderr is not None and f"port {PORT} is in use" in page.process.stderr.read()


def test_a_port_that_was_named_and_is_in_use_is_an_error(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = subprocess.run(
            [sys.executable, "-m", "covr", "studio", "--no-browser", "--port", port],
            capture_output=True, text=True, timeout=PATIENCE, cwd=Path(__file__).parents[2],
        )  # fmt: skip
    assert done.returncode == 2 and f"port {port} can't be taken" in done.stderr and "--port" in done.stderr


def test_only_this_machine_is_listened_to(page: StudioPage) -> None:
    lines = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    listening = [parts[1] for parts in lines if parts[3] == "0A" and parts[1].endswith(f":{page.port:04X}")]
    assert listening == [f"0100007F:{page.port:04X}"]


def test_what_it_opens_with(tmp_path: Path) -> None:
    (tmp_path / "mine.cover").write_text(SMALL)
    with studio("mine.cover", folder=tmp_path) as page:
        found = page.http.get("/api/start").json()
        assert (found["name"], found["model"], found["text"]) == ("mine.cover", "mine.cover", SMALL)
        assert found["folder"] == str(tmp_path)
    with studio("sudoku", folder=tmp_path) as page:
        found = page.http.get("/api/start").json()
        assert (found["name"], found["model"]) == ("sudoku.cover", None) and found["folder"] == str(tmp_path)
    done = CliRunner().invoke(cli, ["studio", "nothing.cover", "--no-browser"])
    assert done.exit_code == 2 and "E501" in done.stderr
