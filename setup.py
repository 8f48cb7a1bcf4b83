"""Derives what is installed and compiled from the files themselves, and compiles only what is older than its sources.

**Packages** are the folders with an `__init__.py`, `models`, and those in it that hold models. **Kernels** are the
files below engine/kernels, in covr/verify and in dsl, whose names begin with one underscore. A kernel is compiled again
when it, a `.pxd` or a header that it names, or one that these name in turn has changed. All are compiled alike; a line
`# distutils: extra_compile_args = …` in a kernel adds to the options for the C compiler. What holds for all of them
stands here and not in pyproject.toml: an editable installation forgets what `[tool.distutils.build_ext]` says there,
and compiled kernels that checked every index, one after the other.

Cython alone compiles everything at each installation, because pip unpacks Cython's own files anew and they are then
newer than ours. What has no file here, such as another version of Cython, is not noticed: delete the folder `build`.

An editable installation compiles bytecode, as pip does for a wheel. Without it, where PYTHONDONTWRITEBYTECODE is set or
nobody may write to the folder, each start compiles its modules anew: `covr --version` takes 0.55 s of CPU instead of
0.19 s. The finder that setuptools installs and the links in covr/ take less than could be measured.

The environment variable COVR_WHEEL says which wheel is wanted (.ci/wheels.py sets it); it is unset in an installation:

    (unset)  kernels for this version of Python alone; one that can't be compiled runs interpreted
    version  the same, but every kernel must be compiled
    abi3     kernels for this version and all later ones; every kernel must be compiled. A Python without the global
             lock has no such interface: `version` is meant there
    any      no compiled kernel: a wheel for every platform
"""

from __future__ import annotations

import compileall
import os
import re
import shutil
import sysconfig
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.editable_wheel import editable_wheel
from setuptools.errors import CompileError, SetupError
from setuptools.modified import newer, newer_group

WHEEL = os.environ.get("COVR_WHEEL", "")
OLDEST = (3, 11)  # as `requires-python` in pyproject.toml: an abi3 wheel runs on this version and all later ones
STABLE = WHEEL == "abi3" and not sysconfig.get_config_var("Py_GIL_DISABLED")
LIMITED = ("Py_LIMITED_API", f"0x{OLDEST[0]:02X}{OLDEST[1]:02X}0000")

# In build/lib, what an installation compiled is kept for the next one (pyproject.toml). A wheel holds all that is in
# this folder, so that each kind of wheel has one of its own.
PLATFORM = sysconfig.get_platform()
WASM = PLATFORM.endswith("wasm32")  # for Pyodide: cibuildwheel builds there, and .ci/wasm.py says that it does
BUILD_LIB = f"build/{WHEEL}-{PLATFORM if WASM else sysconfig.get_config_var('SOABI')}" if WHEEL else "build/lib"

ROOT = Path(__file__).parent
FOLDERS = {"covr": "covr", "covr.dsl": "dsl", "covr.compiler": "compiler", "covr.engine": "engine"}
KERNELS = Path("engine/kernels")
OTHERS = (Path("covr/verify"), Path("dsl"))  # whose kernels share nothing with those of the engine
# Every browser that runs Pyodide knows SIMD128; a module can't ask for it while it runs.
ARGUMENTS = ["-O3", "-g0", *(["-msimd128"] if WASM else [])]

# Functions that know their signature and classes that can be pickled are of no use to anybody here. Without them the C
# compiler takes 0.9 s less for a kernel (0.6 s instead of 1.5 s for a small one), and the loops stay the same.
#
# Compiled code checks no index, and divides as C does: a Problem is validated before it enters. A kernel that divides
# as Python does says so in its first line.
DIRECTIVES = {
    "language_level": "3", "binding": False, "auto_pickle": False,
    "boundscheck": False, "wraparound": False, "initializedcheck": False, "cdivision": True,
}  # fmt: skip

# How a kernel names what it is compiled from: a `.pxd` by its module, a header by its name alone.
DECLARED = re.compile(r"(?:\bcimports\.covr\.|^from covr\.)((?:engine\.kernels|dsl)\.[\w.]+) c?import", re.MULTILINE)
HEADER = re.compile(r"(?:#include|#define LANES_BODY|cdef extern from) \"(\w+\.h)\"")
OWN_ARGUMENTS = re.compile(r"^# distutils: extra_compile_args = (\S+(?: -\S+)*)", re.MULTILINE)


# --- what there is ---------------------------------------------------------------------------------------------------


def packages() -> Iterator[str]:
    """The folders that are installed, by their dotted names."""
    for package, top in FOLDERS.items():
        for folder, inner, files in os.walk(ROOT / top):  # which does not follow the links in covr/
            inner[:] = sorted(name for name in inner if name.isidentifier())
            if "__init__.py" in files:
                yield ".".join((package, *Path(folder).relative_to(ROOT / top).parts))
    for folder in sorted({ROOT / "models", *(model.parent for model in (ROOT / "models").rglob("*.cover"))}):
        yield ".".join(("covr", *folder.relative_to(ROOT).parts))


def kernels() -> Iterator[Extension]:
    """The modules that are compiled. Cython finds declarations by the place that a file has in the package."""
    headers = {file.name: file.relative_to(ROOT) for file in (ROOT / KERNELS).rglob("*.h")}
    for file in [
        *sorted((ROOT / KERNELS).rglob("_*.py")),
        *(file for folder in OTHERS for file in sorted((ROOT / folder).glob("_*.py"))),
    ]:
        if not file.stem.startswith("__"):
            source = file.relative_to(ROOT)
            shown = source if source.parts[0] == "covr" else "covr" / source
            known: set[Path] = set()
            own = OWN_ARGUMENTS.search(file.read_text(encoding="utf-8"))
            _gather(source, headers, known)
            yield Extension(
                ".".join(shown.with_suffix("").parts),
                [shown.as_posix()],
                depends=sorted(f"covr/{path.as_posix()}" for path in known - {source}),
                include_dirs=sorted({path.parent.as_posix() for path in headers.values()}),
                extra_compile_args=[*ARGUMENTS, *(own[1].split() if own else ())],
                define_macros=[LIMITED] if STABLE else [],
                py_limited_api=STABLE,
                optional=not WHEEL,  # a wheel must not lack a kernel
            )


def _gather(file: Path, headers: dict[str, Path], known: set[Path]) -> None:
    """Add a file to `known`, and all that it is compiled with."""
    if file in known:
        return
    known.add(file)
    text = (ROOT / file).read_text(encoding="utf-8")
    beside = [file.with_suffix(".pxd")] if file.suffix == ".py" else []
    declared = [Path(*module.split(".")).with_suffix(".pxd") for module in DECLARED.findall(text)]
    for other in [*beside, *declared, *(headers[name] for name in HEADER.findall(text))]:
        if (ROOT / other).exists():
            _gather(other, headers, known)


# --- how it is built -------------------------------------------------------------------------------------------------


def _copy_newer(source: Path, target: Path) -> None:
    """Copy a folder's sources and those of the folders in it, with their times, unless the copies are as new."""
    for file in source.rglob("*.*"):
        copy = target / file.relative_to(source)
        if file.suffix in {".py", ".pxd", ".h"} and newer(str(file), str(copy)):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy)


class Build(build):
    """Builds each kind of wheel in a folder of its own, which then holds what belongs into it and nothing else."""

    def finalize_options(self) -> None:
        """Overrules the folder that pyproject.toml names."""
        if WHEEL:
            self.build_lib = BUILD_LIB
        super().finalize_options()

    def run(self) -> None:
        """Removes what an earlier build has left: models that there are no longer, and kernels of another Python."""
        super().run()
        made = {Path(file) for file in self.get_finalized_command("build_py").get_outputs(include_bytecode=False)}
        if self.distribution.has_ext_modules():
            made.update(map(Path, self.get_finalized_command("build_ext").get_outputs()))
        for file in Path(self.build_lib).rglob("*"):
            if file.is_file() and file not in made:
                file.unlink()


class BuildKernels(build_ext):
    """Leaves alone what is newer than its sources, the files they include, and the compiler's options."""

    def initialize_options(self) -> None:
        """Compile as many kernels at once as the machine has cores, all with the same directives."""
        super().initialize_options()
        self.parallel = True
        self.cython_directives = DIRECTIVES

    def finalize_options(self) -> None:
        """An editable installation would build in a folder of its own, which is empty each time."""
        super().finalize_options()
        self.build_lib = BUILD_LIB

    def build_extensions(self) -> None:
        """Compile. Where covr/engine is no folder, the kernels are compiled in a copy of the folders as it shows them.

        Such are a source archive and a checkout on Windows by somebody who may not make links. Cython finds the files
        of a kernel by the names of its package.

        The searches on sets come first: two of them take ten times as long as most others, so that the other cores
        would have nothing left to do if these were begun late.
        """
        if not Path("covr/engine").is_dir():
            shown = Path("build/unlinked")
            _copy_newer(KERNELS, shown / "covr" / KERNELS)
            for folder in OTHERS:
                _copy_newer(folder, shown / (folder if folder.parts[0] == "covr" else "covr" / folder))
            for package in (Path("covr"), Path("covr/engine")):
                (shown / package / "__init__.py").touch()
            for kernel in self.extensions:
                kernel.sources = [str(shown / source) for source in kernel.sources]
                kernel.depends = [str(shown / file) for file in kernel.depends]
        self.extensions.sort(key=lambda kernel: "/sets/" not in kernel.sources[0])
        super().build_extensions()

    def build_extension(self, ext: Any) -> None:
        """Without a compiler Cython would first translate everything, for half a minute; a kernel may be missing, but
        never be one of older sources."""
        sources = [*ext.sources, *ext.depends, "pyproject.toml", "setup.py"]
        old = self.force or newer_group(sources, self.get_ext_fullpath(ext.name))
        if old:
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
        command = getattr(self.compiler, "compiler", None)  # a list, except on Windows
        if command and shutil.which(command[0]) is None:
            raise CompileError(f"there is no C compiler {command[0]}")
        if self.compiler.compiler_type == "msvc":  # which knows no -O3, and never fuses a product with a sum
            ext.extra_compile_args = ["/O2"]
        if old:
            for source in ext.sources:  # what Cython made of it with other directives looks as new as its source
                Path(source).with_suffix(".c").unlink(missing_ok=True)
            super().build_extension(ext)


class Editable(editable_wheel):
    """Compiles the bytecode of what stays in this folder, unless pip was told to compile none (PIP_NO_COMPILE)."""

    def run(self) -> None:
        """A file that can't be compiled, or whose bytecode can't be written, is left to whoever imports it."""
        super().run()
        if not os.environ.get("PIP_NO_COMPILE"):
            for folder in FOLDERS.values():  # not by covr/ alone, whose links are not followed
                compileall.compile_dir(ROOT / folder, quiet=2)


if WHEEL not in ("", "version", "abi3", "any"):
    raise SetupError(f"COVR_WHEEL={WHEEL}: it is `version`, `abi3`, `any` or unset")
setup(
    packages=list(packages()),
    ext_modules=[] if WHEEL == "any" else list(kernels()),
    cmdclass={"build": Build, "build_ext": BuildKernels, "editable_wheel": Editable},
    options={"bdist_wheel": {"py_limited_api": f"cp{OLDEST[0]}{OLDEST[1]}"}} if STABLE else {},
)
