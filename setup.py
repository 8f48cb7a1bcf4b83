"""Compiles a kernel only if it is older than what it is compiled from. All else is said in pyproject.toml.

Cython alone compiles everything at each installation, because pip unpacks Cython's own files anew and they are then
newer than ours. What has no file here, such as another version of Cython, is not noticed: delete the folder `build`.

The environment variable COVR_WHEEL says which wheel is wanted (.ci/wheels.py sets it); it is unset in an installation:

    (unset)  kernels for this version of Python alone; one that can't be compiled runs interpreted
    version  the same, but every kernel must be compiled
    abi3     kernels for this version and all later ones; every kernel must be compiled. A Python without the global
             lock has no such interface: `version` is meant there
    any      no compiled kernel: a wheel for every platform
"""

from __future__ import annotations

import os
import shutil
import sysconfig
from pathlib import Path
from typing import Any

from setuptools import setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.dist import Distribution
from setuptools.errors import CompileError, SetupError
from setuptools.modified import newer, newer_group

WHEEL = os.environ.get("COVR_WHEEL", "")
OLDEST = (3, 11)  # as `requires-python` in pyproject.toml: an abi3 wheel runs on this version and all later ones
STABLE = WHEEL == "abi3" and not sysconfig.get_config_var("Py_GIL_DISABLED")

# In build/lib, what an installation compiled is kept for the next one (pyproject.toml). A wheel holds all that is in
# this folder, so that each kind of wheel has one of its own.
BUILD_LIB = f"build/{WHEEL}-{sysconfig.get_config_var('SOABI')}" if WHEEL else "build/lib"


KERNELS = Path("covr/engine/kernels")


def _copy_newer(source: Path, target: Path) -> None:
    """Copy the files of a folder, with their times, unless the copies are as new. Other files in `target` stay."""
    target.mkdir(parents=True, exist_ok=True)
    for file in source.iterdir():
        if file.suffix in {".py", ".pxd", ".h"} and newer(str(file), str(target / file.name)):
            shutil.copy2(file, target)


class Covr(Distribution):
    """Decides which kernels there are, once pyproject.toml has been read."""

    def parse_config_files(self, *arguments: Any, **options: Any) -> None:
        """Leave the kernels out, or prepare them for the wheel that is wanted."""
        super().parse_config_files(*arguments, **options)
        if WHEEL == "any":
            self.ext_modules = []
        for kernel in self.ext_modules or []:
            if WHEEL:
                kernel.optional = False
            if STABLE and not kernel.py_limited_api:
                kernel.py_limited_api = True
                kernel.define_macros.append(("Py_LIMITED_API", f"0x{OLDEST[0]:02X}{OLDEST[1]:02X}0000"))


class Build(build):
    """Builds each kind of wheel in a folder of its own."""

    def finalize_options(self) -> None:
        """Overrules the folder that pyproject.toml names."""
        if WHEEL:
            self.build_lib = BUILD_LIB
        super().finalize_options()


class BuildKernels(build_ext):
    """Leaves alone what is newer than its sources, the files they include, and the compiler's options."""

    def finalize_options(self) -> None:
        """An editable installation would build in a folder of its own, which is empty each time."""
        super().finalize_options()
        self.build_lib = BUILD_LIB

    def build_extensions(self) -> None:
        """Compile. Where covr/engine is no folder, the kernels are compiled in a copy of the folders as it shows them.

        Such are a source archive and a checkout on Windows by somebody who may not make links. Cython finds the files
        of a kernel by the names of its package.
        """
        if not Path("covr/engine").is_dir():
            shown = Path("build/unlinked")
            _copy_newer(Path("engine/kernels"), shown / KERNELS)
            for package in KERNELS.parents[:-1]:
                (shown / package / "__init__.py").touch()
            for kernel in self.extensions:
                kernel.sources = [str(shown / source) for source in kernel.sources]
                kernel.depends = [str(shown / file) for file in kernel.depends]
        super().build_extensions()

    def build_extension(self, ext: Any) -> None:
        """Without a compiler Cython would first translate everything, for half a minute; a kernel may be missing."""
        command = getattr(self.compiler, "compiler", None)  # a list, except on Windows
        if command and shutil.which(command[0]) is None:
            raise CompileError(f"there is no C compiler {command[0]}")
        if self.compiler.compiler_type == "msvc":  # which knows no -O3, and never fuses a product with a sum
            ext.extra_compile_args = ["/O2"]
        sources = [*ext.sources, *ext.depends, "pyproject.toml"]
        if self.force or newer_group(sources, self.get_ext_fullpath(ext.name)):
            super().build_extension(ext)


if WHEEL not in ("", "version", "abi3", "any"):
    raise SetupError(f"COVR_WHEEL={WHEEL}: it is `version`, `abi3`, `any` or unset")
setup(
    distclass=Covr,
    cmdclass={"build": Build, "build_ext": BuildKernels},
    options={"bdist_wheel": {"py_limited_api": f"cp{OLDEST[0]}{OLDEST[1]}"}} if STABLE else {},
)
