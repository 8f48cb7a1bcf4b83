"""What the tests of the extension for VS Code need from npm."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path

import pytest

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"


def node_modules(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the packages that the extension is made with: its own, the one that NODE_MODULES names, or one
    that is filled by npm. Skips the test if none can be had."""
    own = Path(os.environ.get("NODE_MODULES", EXTENSION / "node_modules"))
    return own if own.is_dir() else _installed(tmp_path_factory.getbasetemp() / "extension")


@cache
def _installed(folder: Path) -> Path:
    npm = shutil.which("npm")
    if npm is None or shutil.which("node") is None:
        pytest.skip("node and npm are not installed")
    folder.mkdir()
    shutil.copy(EXTENSION / "package.json", folder)
    words = [npm, "install", "--ignore-scripts", "--no-audit", "--no-fund"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        pytest.skip(f"npm can't install the packages: {done.stderr[-200:]}")
    return folder / "node_modules"


def packaged(folder: Path, modules: Path) -> Path:
    """The extension, packaged by its own command in a folder that is made. modules: what it is made with."""
    extension = folder / "editors" / "vscode"
    shutil.copytree(EXTENSION, extension, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(EXTENSION.parents[1] / "LICENSE", folder)
    (extension / "node_modules").symlink_to(modules, target_is_directory=True)
    done = subprocess.run(["npm", "run", "vsix"], cwd=extension, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return extension / "covr.vsix"
