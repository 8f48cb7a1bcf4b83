"""Compiles a kernel only if it is older than what it is compiled from, and builds the page of the studio for a package.
All else is said in pyproject.toml.

Cython alone compiles everything at each installation, because pip unpacks Cython's own files anew and they are then
newer than ours. What has no file here, such as another version of Cython, is not noticed: delete the folder `build`.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext
from setuptools.command.build_py import build_py
from setuptools.errors import CompileError
from setuptools.modified import newer_group


class BuildKernels(build_ext):
    """Leaves alone what is newer than its sources, the files they include, and the compiler's options."""

    def finalize_options(self) -> None:
        """An editable installation would build in a folder of its own, which is empty each time."""
        super().finalize_options()
        self.build_lib = "build/lib"  # as in pyproject.toml

    def build_extension(self, ext: Any) -> None:
        """Without a compiler Cython would first translate everything, for half a minute; a kernel may be missing."""
        command = getattr(self.compiler, "compiler", None)  # a list, except on Windows
        if command and shutil.which(command[0]) is None:
            raise CompileError(f"there is no C compiler {command[0]}")
        sources = [*ext.sources, *ext.depends, "pyproject.toml"]
        if self.force or newer_group(sources, self.get_ext_fullpath(ext.name)):
            super().build_extension(ext)


PAGE = Path("covr/studio/page")
SOURCES = Path("studio")
PATIENCE = 120  # seconds that npm may take
FEW = ["--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=20000"]  # without a network it gives up soon


class BuildPage(build_py):
    """Builds the studio's page before the package's files are gathered."""

    def run(self) -> None:
        """An editable installation builds no page: `npm run build --prefix studio` does when it is wanted."""
        if not self.editable_mode:
            build_page()
        super().run()


def build_page() -> None:
    """Bundle the page, unless it is there and newer than its sources, or npm or the sources are missing."""
    npm = shutil.which("npm")
    parts = [p for p in SOURCES.rglob("*") if p.is_file() and "node_modules" not in p.parts]
    built = [PAGE / "app.js", PAGE / "app.css", PAGE / "index.html"]
    if not parts or (all(map(Path.exists, built)) and not newer_group(list(map(str, parts)), str(PAGE / "app.js"))):
        return
    if npm is None:
        print("npm is not installed, so the page of covr studio is not built", file=sys.stderr)
        return
    try:
        for words in (["ci", *FEW], ["run", "build"]):
            subprocess.run([npm, *words, "--prefix", str(SOURCES)], check=True, timeout=PATIENCE)
    except (OSError, subprocess.SubprocessError) as error:
        print(f"the page of covr studio is not built: {error}", file=sys.stderr)


setup(cmdclass={"build_ext": BuildKernels, "build_py": BuildPage})
