"""The extension in VS Code itself, as code-server serves it, driven in a browser as a person does it.

    npm install --ignore-scripts code-server playwright-core        (and once more in code-server/lib/vscode)
    npm rebuild @vscode/spdlog node-pty native-watchdog             (there, with --omit=dev)
    CODE_SERVER=…/code-server/out/node/entry.js PLAYWRIGHT=…/playwright-core python -m pytest … --slow

Skipped where the two variables or Chromium are missing; tests/LOG.md says which versions were tried.
"""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.covr.highlight.node import node_modules, packaged
from tests.dsl.models import MODELS

SERVER, PLAYWRIGHT = os.environ.get("CODE_SERVER"), os.environ.get("PLAYWRIGHT")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
DRIVER = Path(__file__).parent / "host.js"
PATIENCE = 60.0  # seconds until the server must answer
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a VS Code with the extension, whose folder holds the sudoku of the gallery."""
    if not (SERVER and PLAYWRIGHT and CHROMIUM and shutil.which("node")):
        pytest.skip("needs CODE_SERVER, PLAYWRIGHT, node and Chromium")
    pytest.importorskip("pygls", reason="needs covr[lsp]")
    folder = tmp_path_factory.mktemp("host")
    vsix = packaged(folder / "extension", node_modules(tmp_path_factory))
    models = folder / "models"
    models.mkdir()
    shutil.copy(next(path for path in MODELS if path.stem == "sudoku"), models / "sudoku.cover")
    settings = {"covr.command": str(Path(sys.executable).with_name("covr")), "editor.inlayHints.enabled": "on"}
    (folder / "data" / "User").mkdir(parents=True)
    (folder / "data" / "User" / "settings.json").write_text(json.dumps(settings), encoding="utf-8")
    (folder / "config.yaml").write_text("auth: none\ncert: false\n", encoding="utf-8")
    words = ["node", SERVER, "--config", str(folder / "config.yaml"), "--user-data-dir", str(folder / "data"),
             "--extensions-dir", str(folder / "extensions"), "--disable-telemetry", "--disable-update-check",
             "--disable-workspace-trust"]  # fmt: skip
    subprocess.run([*words, "--install-extension", str(vsix)], check=True, capture_output=True)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("VSCODE")}
    served = subprocess.Popen([*words, "--bind-addr", f"127.0.0.1:{port}"], env=environment)
    try:
        _wait(f"http://127.0.0.1:{port}/healthz")
        yield f"http://127.0.0.1:{port}/?folder={models}"
    finally:
        served.terminate()
        served.wait(PATIENCE)


def _wait(url: str) -> None:
    """Wait until something answers at an address."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            urllib.request.urlopen(url).close()
            return
        except OSError:
            assert time.monotonic() < end, f"nothing answers at {url}"
            time.sleep(0.3)


def test_what_a_person_sees(address: str) -> None:
    words = ["node", str(DRIVER), str(PLAYWRIGHT), str(CHROMIUM), address, "sudoku.cover"]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    seen: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    assert seen["lenses"][:3] == ["solve", "count", "draw"]
    assert [hint.strip() for hint in seen["hints"]] == ["729 choices"]
    assert "`plase` is not a family of choices" in seen["fault"][0] and "E102" in seen["fault"][0]
    assert any("write `place`" in fix for fix in seen["fixes"])
    assert seen["picture"] and seen["picture"][0] > 100
    assert any("1 answer" in notice or "no answer" in notice for notice in seen["notices"])
