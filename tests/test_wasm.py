"""The wheel for Pyodide (.ci/wasm.py), under node: its kernels are compiled there, and the laws of the engine hold.

The tests themselves run in Pyodide, by pytest, on the wheel's covr and this folder's tests. A test may only fail for
want of threads, processes, or packages that are not there for WebAssembly.
"""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PYODIDE = ROOT / "studio" / "node_modules" / "pyodide"
HYPOTHESIS = "hypothesis==6.130.0"  # the last ones have a part in Rust
LAWS = [
    "arrays", "automorphisms", "bits", "bounds", "ceiling", "classes", "chain", "cover", "counters", "laws", "memo",
    "kernels", "mixed", "frontier", "diagram", "projection", "sample", "sides", "reductions", "pieces",
]  # fmt: skip
# What is about the folder that a compiler works in.
NOT_HERE = "not older_than_its_source and not cython_is_not_needed"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(
        not PYODIDE.is_dir() or not shutil.which("node"), reason="`npm ci --ignore-scripts --prefix studio`"
    ),
    pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="`pip install -e '.[wasm]'`"),
]

PROGRAM = """
import { loadPyodide } from "%(pyodide)s";
import { readFileSync } from "node:fs";
const told = JSON.parse(process.argv[2]);
const python = await loadPyodide({ env: { HOME: "/home" } });
for (const [to, root] of Object.entries(told.mounts)) {
  python.FS.mkdirTree(to);
  python.FS.mount(python.FS.filesystems.NODEFS, { root }, to);
}
python.unpackArchive(new Uint8Array(readFileSync(told.wheel)), "zip", { extractDir: "/wheel" });
python.globals.set("words", python.toPy(told.words));
try {
  process.exitCode = python.runPython(told.program);
} catch (fault) {
  console.error(String(fault.message).slice(-3000));
  process.exitCode = 1;
}
"""
BEGIN = """
import os, sys, time
sys.dont_write_bytecode = True
sys.path[:0] = ["/wheel", "/pure"]
sys.path.append("/packages")
"""
VERSION = """
from covr.cli import main
sys.argv = ["covr", "--version"]
main()
"""
RUN = """
time.thread_time = time.process_time  # for the tests: there is no other
os.makedirs("/tried", exist_ok=True)
os.symlink("/repository/tests", "/tried/tests")
os.symlink("/repository/pyproject.toml", "/tried/pyproject.toml")
os.chdir("/tried")
import pytest
int(pytest.main(list(words)))
"""


class Node:
    """Runs programs in Pyodide under node, with the wheel."""

    def __init__(self, folder: Path, wheel: Path) -> None:
        self.folder, self.wheel = folder, wheel
        (folder / "run.mjs").write_text(PROGRAM % {"pyodide": (PYODIDE / "pyodide.mjs").as_uri()}, "utf-8")

    def run(self, program: str, *words: str) -> subprocess.CompletedProcess[str]:
        """Run a program; its last value is the exit code."""
        mounts = {
            "/packages": sysconfig.get_path("purelib"),
            "/repository": str(ROOT),
            "/pure": str(self.folder / "pure"),
        }
        told = {"mounts": mounts, "wheel": str(self.wheel), "words": words, "program": BEGIN + program}
        command = ["node", str(self.folder / "run.mjs"), json.dumps(told)]
        return subprocess.run(command, capture_output=True, text=True)


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Node]:
    folder = tmp_path_factory.mktemp("wasm")
    done = subprocess.run(
        [sys.executable, str(ROOT / ".ci" / "wasm.py"), str(folder / "dist")], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    pip = [sys.executable, "-m", "pip", "install", "-q", "--target", str(folder / "pure"), HYPOTHESIS, "pytest"]
    if subprocess.run(pip, capture_output=True).returncode:
        pytest.skip(f"{HYPOTHESIS} can't be installed")
    (wheel,) = (folder / "dist").iterdir()
    assert "-cp311-abi3-pyodide_" in wheel.name
    yield Node(folder, wheel)


def test_covr_says_that_it_is_compiled(node: Node) -> None:
    done = node.run(VERSION)
    assert "kernel compiled, SIMD128, Python 3.14" in done.stdout, done.stderr


@pytest.mark.parametrize("law", LAWS)
def test_the_laws_hold(law: str, node: Node) -> None:
    options = ["-q", "--tb=short", "-p", "no:timeout", "-p", "no:xdist", "-p", "no:cacheprovider"]
    done = node.run(RUN, *options, "-m", "not slow", "-k", NOT_HERE, f"tests/engine/test_{law}.py")
    needs = ("can't start new thread", "does not support processes", "highspy", "psutil", "clingo")
    told = [line for line in done.stdout.splitlines() if line.startswith("E   ")]
    assert [line for line in told if not any(need in line for need in needs)] == [], done.stdout[-3000:]
    assert done.returncode == (1 if told else 0), done.stderr[-3000:]  # 5: there was no test
