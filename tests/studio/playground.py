"""The playground for a browser: the folder that `npm run playground --prefix studio` makes, on a server of files. It is
built once for all tests where what builds it is installed; else one that was built before is tried."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import cache, partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.studio.browser import Tab

ROOT = Path(__file__).parents[2]
BUILT = ROOT / "build" / "playground"
BUILDS = bool(
    shutil.which("node") and importlib.util.find_spec("ziglang") and (ROOT / "studio/node_modules/pyodide").is_dir()
)
needs_playground = pytest.mark.skipif(
    not BUILDS and not (BUILT / "index.html").is_file(),
    reason="the playground is not built: npm run playground --prefix studio",
)


@cache
def build() -> str:
    """Build it; what the build says."""
    command = ["node", str(ROOT / "studio" / "playground" / "build.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHON": sys.executable})
    assert done.returncode == 0, f"{done.stdout[-2000:]}{done.stderr[-2000:]}"
    return done.stdout


class _Files(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: Any) -> None:
        pass


class FileServer:
    """A server of the folder, on a port of its own. base, address: as those of a studio (client.py)."""

    def __init__(self) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Files, directory=str(BUILT)))
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.base = f"http://127.0.0.1:{self._server.server_port}"
        self.address = f"{self.base}/"

    def close(self) -> None:
        """End it."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="module")
def server() -> Iterator[FileServer]:
    """One server for the tests of a file."""
    if BUILDS:
        build()
    found = FileServer()
    yield found
    found.close()


def loaded(tab: Tab) -> Tab:
    """Wait until questions can be answered; Python has started then."""
    tab.page.wait_for_selector("html[data-loaded]", timeout=120_000)
    return tab
