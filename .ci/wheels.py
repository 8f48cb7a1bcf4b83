"""Builds what a release is made of: a source archive, and from it a wheel for this platform and one for any.

    .venv/bin/python .ci/wheels.py [FOLDER]

The three files are put into FOLDER, or into `dist`. It needs `build` (in covr[dev]), a C compiler and, for the tools
that setuptools wants, a package index. What is in the checkout is in the archive, so that it must be a clean one.

The wheel for this platform runs on every later version of Python, too (setup.py says how). On Linux it runs where the C
library is as new as this machine's. For wheels that run everywhere on Linux, and for other platforms, cibuildwheel does
the same with the settings in pyproject.toml (.github/workflows/release.yml).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
# What is no part of the repository but belongs in all three files, and how it is made: a folder, and the command to be
# run in it where its first word is installed. MANIFEST.in and package-data say where the result is found.
MADE: tuple[tuple[str, tuple[str, ...]], ...] = (("studio", ("npm", "ci")), ("studio", ("npm", "run", "build")))
SUFFIXES = (".so", ".pyd")  # of compiled kernels


def main(folder: Path) -> list[Path]:
    """Build all three, check what is in them, and return their paths. Exits with a message if anything is wrong."""
    prepare()
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        archive = build(ROOT, "--sdist", Path(scratch, "archive"))
        with tarfile.open(archive) as packed:
            packed.extractall(scratch, filter="data")
        source = Path(scratch, archive.name.removesuffix(".tar.gz"))
        wheels = [build(source, "--wheel", Path(scratch, kind), COVR_WHEEL=kind) for kind in ("any", "abi3")]
        for wheel in wheels:
            check(wheel, kernels(source))
        return [Path(shutil.copy2(file, folder)) for file in (archive, *wheels)]


def prepare() -> None:
    """Make what is no part of the repository; say so where that can't be done here."""
    for where, command in MADE:
        if shutil.which(command[0]):
            subprocess.run(command, cwd=ROOT / where, check=True)
        else:
            print(f"{where} is left out: {command[0]} is not installed", file=sys.stderr)


def build(source: Path, what: str, folder: Path, **environment: str) -> Path:
    """Run `build` on the source; returns the one file that it makes."""
    command = [sys.executable, "-m", "build", what, "--outdir", str(folder), str(source)]
    if subprocess.run(command, env={**os.environ, **environment}).returncode:
        sys.exit(f"error: {' '.join(command)} failed; does `pip install -e '.[dev]'` help?")
    (made,) = folder.iterdir()
    return made


def kernels(source: Path) -> set[str]:
    """The names of the modules that are compiled."""
    namespace: dict[str, object] = {}
    lines = (source / "engine" / "kernels" / "loading.py").read_text(encoding="utf-8")
    exec(lines[lines.index("SOURCES = (") : lines.index("# The modules whose")], namespace)
    return set(namespace["SOURCES"])  # type: ignore[call-overload]


def check(wheel: Path, wanted: set[str]) -> None:
    """Whether the wheel for any platform holds no compiled kernel, and the other one all of them."""
    with zipfile.ZipFile(wheel) as packed:
        names = packed.namelist()
    compiled = {Path(name).name.partition(".")[0] for name in names if name.endswith(SUFFIXES)}
    pure = wheel.name.endswith("-py3-none-any.whl")
    if not pure and "-abi3-" not in wheel.name:
        sys.exit(f"error: {wheel.name} is for one version of Python only")
    if compiled != (set() if pure else wanted):
        sys.exit(f"error: {wheel.name} holds the wrong kernels: {', '.join(sorted(compiled ^ wanted))}")
    for needed in ("covr/dsl/cover.lark", "covr/models/sudoku.cover", "covr/engine/kernels/_kernel.h", "covr/py.typed"):
        if needed not in names:
            sys.exit(f"error: {wheel.name} lacks {needed}")


if __name__ == "__main__":
    for made in main(Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "dist"):
        print(made)
