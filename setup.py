"""Compiles a kernel only if it is older than what it is compiled from. All else is said in pyproject.toml.

Cython alone compiles everything at each installation, because pip unpacks Cython's own files anew and they are then
newer than ours. What has no file here, such as another version of Cython, is not noticed: delete the folder `build`.
"""

from __future__ import annotations

import shutil
from typing import Any

from setuptools import setup
from setuptools.command.build_ext import build_ext
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


setup(cmdclass={"build_ext": BuildKernels})
