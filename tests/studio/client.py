"""A studio in a process of its own, and a page that asks it, as a browser does but without one."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx

PATIENCE = 60.0  # seconds after which a test gives up
PAGE = "page-1"


class StudioPage:
    """A page of a running studio. process: the studio's own. name: what the studio knows the page by."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address, self.name = process, address, PAGE
        self.base, _, self.token = address.partition("/?token=")
        self.port = int(self.base.rpartition(":")[2])
        self.http = httpx.Client(base_url=self.base, timeout=PATIENCE, verify=False)
        self.http.get(f"/?token={self.token}")

    def post(self, path: str, **fields: Any) -> Any:
        """What is answered to a request, which must be granted."""
        found = self.http.post(path, json={"page": self.name, "name": "m.cover", **fields})
        assert found.status_code == 200, found.text
        return found.json()

    def start(self, kind: str, text: str, **fields: Any) -> str:
        """Ask a question; its id."""
        return str(self.post("/api/jobs", kind=kind, text=text, **fields)["id"])

    def events(self, id: str) -> Iterator[tuple[str, Any]]:
        """The events of a question, as they come."""
        with self.http.stream("GET", f"/api/jobs/{id}/events") as stream:
            assert stream.status_code == 200
            name = ""
            for line in stream.iter_lines():
                if line.startswith("event: "):
                    name = line.removeprefix("event: ")
                elif line.startswith("data: "):
                    yield name, json.loads(line.removeprefix("data: "))

    def ask(self, kind: str, text: str, more: int = 0, **fields: Any) -> list[tuple[str, Any]]:
        """All events of a question. more: how many answers are asked for at each pause; 0 to stop there."""
        id = self.start(kind, text, **fields)
        found = []
        for name, data in self.events(id):
            found.append((name, data))
            if name == "pause":
                if more:
                    self.post(f"/api/jobs/{id}/more", number=more)
                else:
                    self.post(f"/api/jobs/{id}/stop")
        return found

    def end(self, kind: str, text: str, more: int = 0, **fields: Any) -> Any:
        """How a question ended."""
        name, data = self.ask(kind, text, more, **fields)[-1]
        assert name == "end"
        return data

    def one(self, event: str, kind: str, text: str, **fields: Any) -> Any:
        """The only event of a name that a question brings."""
        (found,) = [data for name, data in self.ask(kind, text, **fields) if name == event]
        return found

    def children(self) -> set[int]:
        """The processes that the studio has started and that still run."""
        return children_of(self.process.pid)

    def interrupt(self) -> int:
        """Ctrl-C at the terminal; the exit code."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


def children_of(pid: int) -> set[int]:
    """The children of a process, and theirs, as far as they run."""
    found: set[int] = set()
    for path in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parts = path.read_text().rpartition(")")[2].split()
            if int(parts[1]) == pid and parts[0] != "Z":
                child = int(path.parent.name)
                found |= {child, *children_of(child)}
    return found


def run_by(pid: int) -> bool:
    """Whether a process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@contextmanager
def studio(*words: str, folder: Path | None = None, port: str = "0") -> Iterator[StudioPage]:
    """A studio that runs, and a page of it. folder: where it is started."""
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2]), "BROWSER": "false"}
    ports = ["--port", port] if port else []
    process = subprocess.Popen(
        [sys.executable, "-m", "covr", "studio", *words, "--no-browser", *ports],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder, env=environment,
    )  # fmt: skip
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.search(r"http://127\.0\.0\.1:\d+/\?token=\S+", line)
        assert found is not None, line or (process.stderr and process.stderr.read())
        page = StudioPage(process, found[0])
        yield page
        page.http.close()
    finally:
        process.kill()
        process.communicate()


def raw(port: int, request: str) -> str:
    """The first bytes that are answered to a request as it is written here."""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.sendall(request.encode())
        return connection.recv(65536).decode("utf-8", "replace")
