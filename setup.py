"""Derives what is installed and compiled from the files themselves, and compiles only what is older than its sources.

**Packages** are the folders with an `__init__.py`, `models`, and those in it that hold models. **Kernels** are the
files below engine/kernels and in covr/verify whose names begin with one underscore. Those in one folder of
engine/kernels are a family, and become one module, which bears the folder's name: Cython writes thousands of lines of C
around each module, and 54 of them took half as long again to compile. A family is compiled again when a file of it, a
`.pxd` or a header that it names, or one that these name in turn has changed. All are compiled alike; a line
`# distutils: extra_compile_args = …` in a kernel adds to the options for the C compiler, for its whole family. What
holds for all of them stands here and not in pyproject.toml: an editable installation forgets what
`[tool.distutils.build_ext]` says there, and compiled kernels that checked every index, one after the other.

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

import ast
import compileall
import os
import re
import shutil
import sysconfig
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from setuptools import Extension, setup
from setuptools.command.build import build
from setuptools.command.build_ext import build_ext
from setuptools.command.editable_wheel import editable_wheel
from setuptools.errors import CompileError, SetupError
from setuptools.modified import newer_group

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
VERIFY = Path("covr/verify")  # whose kernel is a module of its own
JOINED = Path("build/kernels")  # what is given to Cython: the files of each family, joined, and the declarations
# An installation from source compiles in half the time with -O1, and searches 2 % longer on average; a wheel is built
# once for many. Every browser that runs Pyodide knows SIMD128; a module can't ask for it while it runs.
ARGUMENTS = ["-O3" if WHEEL else "-O1", "-g0", *(["-msimd128"] if WASM else [])]

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
BASE = re.compile(
    r'^    \w+ = load\("(\w+)", interpreted=True\)', re.MULTILINE
)  # a kernel that another one inherits from
MODULE = re.compile(r"covr\.engine\.kernels\.\w+\.(\w+)(?= c?import)")
DECLARED = re.compile(r"(?:\bcimports\.covr\.|^from covr\.)(engine\.kernels\.[\w.]+) c?import", re.MULTILINE)
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
    """The modules that are compiled, each of the files of a family. Cython is given what `joined` makes of them."""
    headers = {file.name: file.relative_to(ROOT) for file in (ROOT / KERNELS).rglob("*.h")}
    for name, files in families():
        known: set[Path] = set()
        for file in files:
            _gather(file, headers, known)
        own = [OWN_ARGUMENTS.search((ROOT / file).read_text(encoding="utf-8")) for file in files]
        yield Extension(
            name,
            [str(JOINED.joinpath(*name.split(".")).with_suffix(".py"))],
            depends=sorted(path.as_posix() for path in known),
            include_dirs=sorted({path.parent.as_posix() for path in headers.values()}),
            extra_compile_args=[*ARGUMENTS, *sorted({option for found in own if found for option in found[1].split()})],
            define_macros=[LIMITED] if STABLE else [],
            py_limited_api=STABLE,
            optional=not WHEEL,  # a wheel must not lack a kernel
        )


def families() -> Iterator[tuple[str, list[Path]]]:
    """The modules that are compiled, by name, and the files of each."""
    for folder in sorted((ROOT / KERNELS).glob("*/")):
        if files := _kernels_in(folder):
            yield ".".join(("covr", *KERNELS.parts, folder.name, folder.name)), files
    for file in _kernels_in(ROOT / VERIFY):
        yield ".".join(file.with_suffix("").parts), [file]


def _kernels_in(folder: Path) -> list[Path]:
    return [file.relative_to(ROOT) for file in sorted(folder.glob("_*.py")) if not file.stem.startswith("__")]


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


# --- the files of a family, joined ------------------------------------------------------------------------------------


def join_all() -> None:
    """Write what Cython compiles. It finds declarations by the place that a file has in the package."""
    family = {file.stem: name for name, files in families() for file in files}
    for name, unordered in families():
        files = _in_order({file.stem: file for file in unordered})
        target = JOINED.joinpath(*name.split("."))
        for folder in target.parents:
            if folder != JOINED and JOINED in folder.parents:
                _write(folder / "__init__.py", "")
        beside = [file.with_suffix(".pxd") for file in files if (ROOT / file).with_suffix(".pxd").exists()]
        _write(target.with_suffix(".py"), _placed(joined(files), family))
        if beside:
            own = (
                rf"^from {re.escape(name.rpartition('.')[0])}\.(?:{'|'.join(file.stem for file in files)}) cimport .*\n"
            )
            texts = [re.sub(own, "", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE) for file in beside]
            _write(target.with_suffix(".pxd"), _placed("\n\n".join(texts), family))
    for file in (ROOT / KERNELS).rglob("*.pxd"):
        if file.stem not in family:
            _write(JOINED / "covr" / file.relative_to(ROOT), file.read_text(encoding="utf-8"))


def _write(file: Path, text: str) -> None:
    """Write a file unless it says just that: what is newer is compiled again."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def _placed(text: str, family: dict[str, str]) -> str:
    """The text with the names of kernels' modules replaced by those of their families."""
    return MODULE.sub(lambda found: family.get(found[1], found[0]), text)


def joined(files: Collection[Path]) -> str:
    """The kernels of a family as one text, in this order.

    Docstrings of modules, and what only interpreted kernels need, are left out. What several files say in the same
    words is said once; a name that means different things in two of them is refused.
    """
    said: dict[str, str] = {}
    parts = ["import cython"]
    own = {f"covr.{'.'.join(file.with_suffix('').parts)}" for file in files}
    for file in files:
        for statement in ast.parse((ROOT / file).read_text(encoding="utf-8")).body:
            for name, part in _parts(statement, own):
                if said.setdefault(name, part) != part:
                    raise SetupError(f"{file}: another kernel of its family means something else by {name}")
                if part not in parts:
                    parts.append(part)
    return "\n\n".join(parts) + "\n"


def _in_order(named: dict[str, Path]) -> list[Path]:
    """The files, each after those whose classes it inherits: it loads them where it runs interpreted."""
    found: dict[str, Path] = {}

    def visit(name: str) -> None:
        for base in BASE.findall((ROOT / named[name]).read_text(encoding="utf-8")):
            if base in named and base not in found:
                visit(base)
        found.setdefault(name, named[name])

    for name in named:
        visit(name)
    return list(found.values())


def _parts(statement: ast.stmt, own: Collection[str]) -> Iterator[tuple[str, str]]:
    """What a statement of a kernel says when it is compiled: each name that it defines, and the words.

    own: the modules of its family, from which nothing needs to be imported.
    """
    match statement:
        case ast.If(test=ast.Attribute(value=ast.Name(id="cython"), attr="compiled"), body=body):
            for inner in body:
                yield from _parts(inner, own)
        case ast.ImportFrom(module=str(module), names=names):
            if module != "__future__" and module.removeprefix("cython.cimports.") not in own:
                for name in names:
                    yield name.asname or name.name, ast.unparse(ast.ImportFrom(module, [name], 0))
        case ast.Try() | ast.Expr(value=ast.Constant()):
            return  # how cython itself is imported, and docstrings
        case _:
            part = ast.unparse(statement)
            defined = [
                node.id
                for node in ast.walk(statement)
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
            for name in defined if isinstance(statement, ast.Assign) else [getattr(statement, "name", part)]:
                yield name, part


# --- how it is built -------------------------------------------------------------------------------------------------


def announce(old: int, modules: int) -> None:
    """Say on the terminal, if there is one, what is compiled and how long that takes: pip shows nothing of it."""
    if not old:
        return
    try:
        with open("/dev/tty", "w", encoding="ascii") as terminal:
            terminal.write(f"covr: compiling {old} of {modules} modules; all take about a minute on two cores\n")
    except OSError:
        return  # there is no terminal, or it is Windows


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
        """Compile. The searches on sets come first: they take several times as long as most others, so that the other
        cores would have nothing left to do if these were begun late."""
        join_all()
        self.extensions.sort(key=lambda kernel: not kernel.name.endswith(".sets"))
        announce(sum(map(self.is_old, self.extensions)), len(self.extensions))
        super().build_extensions()

    def is_old(self, ext: Any) -> bool:
        """Whether a module is to be compiled."""
        sources = [*ext.depends, "pyproject.toml", "setup.py"]
        return bool(self.force or newer_group(sources, self.get_ext_fullpath(ext.name)))

    def build_extension(self, ext: Any) -> None:
        """Without a compiler Cython would first translate everything, for half a minute; a kernel may be missing, but
        never be one of older sources."""
        old = self.is_old(ext)
        if old:
            Path(self.get_ext_fullpath(ext.name)).unlink(missing_ok=True)
        command = getattr(self.compiler, "compiler", None)  # a list, except on Windows
        if command and shutil.which(command[0]) is None:
            raise CompileError(f"there is no C compiler {command[0]}")
        if self.compiler.compiler_type == "msvc":  # which knows no -O1, and never fuses a product with a sum
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
