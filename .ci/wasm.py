"""Builds the wheel for Pyodide, which is Python in browsers: the kernels are compiled to WebAssembly.

    npm ci --ignore-scripts --prefix studio && .venv/bin/pip install -e '.[wasm]'
    .venv/bin/python .ci/wasm.py [FOLDER]

The file is put into FOLDER, or into `dist`, and is for every Pyodide of Python 3.11 or later: its kernels keep to the
limited API (`abi3`). It takes two minutes the first time; later ones compile what has changed (setup.py).

Nothing of emscripten is needed. PyPI's `ziglang` has clang, the linker and the headers of musl, which is emscripten's C
library, too; the headers of Python are those of the Python that runs this, with the sizes that npm's `pyodide` has.
cibuildwheel builds a wheel for each Pyodide with emscripten itself (pyproject.toml), where that can be downloaded.

What a kernel calls of Python or C is left open, and found when Pyodide loads it. Calls of anything that Pyodide lacks
would be noticed only then, so the slow tests load every kernel under node (tests/test_wasm.py).
"""

from __future__ import annotations

import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PYODIDE = ROOT / "studio" / "node_modules" / "pyodide"
CONSTANTS = "_sysconfigdata__emscripten_wasm32-emscripten.py"  # in Pyodide's own library
# Emscripten's C library is musl. No 32-bit system of musl has all of emscripten's types, but RISC-V has all but these:
# addresses are `long`, as clang says.
MUSL = ("generic-musl", "riscv32-linux-musl")
ADDRESS = "#define _Addr int\n", "#define _Addr long\n"
MACRO = re.compile(r"(?:HAVE|SIZEOF|ALIGNOF|WITH|Py|PY)_\w+|_\w+_SOURCE|STDC_HEADERS")  # a line of pyconfig.h
COMPILER = (
    "clang", "--target=wasm32-unknown-emscripten", "-fPIC", "-fvisibility=hidden", "-DNDEBUG", "-D__EMSCRIPTEN__",
)  # fmt: skip
LINKER = (
    "wasm-ld", "-shared", "--experimental-pic", "--unresolved-symbols=import-dynamic", "--no-entry", "--export-dynamic",
    "--export-if-defined=__wasm_call_ctors", "--export-if-defined=__wasm_apply_data_relocs", "--strip-all",
)  # fmt: skip
KIND = "-cp311-abi3-pyodide_"


def main(folder: Path) -> Path:
    """Build the wheel, check what is in it, and return its path. Exits with a message if anything is wrong."""
    try:
        import ziglang
    except ImportError:
        sys.exit("error: ziglang is not installed: `pip install -e '.[wasm]'`")
    if not PYODIDE.is_dir():
        sys.exit("error: pyodide is not installed: `npm ci --ignore-scripts --prefix studio`")
    zig = Path(ziglang.__file__).parent
    with tempfile.TemporaryDirectory() as scratch:
        include = headers(zig, Path(scratch, "include"))
        compiler = [str(zig / "zig"), *COMPILER, *(f"-I{path}" for path in include)]
        environment = {
            **os.environ,
            "COVR_WHEEL": "abi3",
            "_PYTHON_HOST_PLATFORM": f"pyodide-{abi()}-wasm32",
            "CC": " ".join(compiler),
            "LDSHARED": " ".join([str(zig / "zig"), *LINKER]),
            "CFLAGS": "",
            "LDFLAGS": "",
        }
        command = [sys.executable, "-W", "ignore", "setup.py", "-q", "bdist_wheel", "-d", str(Path(scratch, "made"))]
        done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{done.stdout}{done.stderr}error: the wheel could not be built")
        (wheel,) = Path(scratch, "made").iterdir()
        builder = runpy.run_path(str(ROOT / ".ci" / "wheels.py"))
        builder["KINDS"]["wasm"] = KIND
        page = [name for name in builder["PAGE"] if (ROOT / name).exists()]
        builder["check"](wheel, "wasm", builder["kernels"](ROOT), {*builder["in_wheel"](), *page})
        folder.mkdir(parents=True, exist_ok=True)
        return Path(shutil.copy2(wheel, folder))


def abi() -> str:
    """What Pyodide calls the interface of this year, which the wheel's name says."""
    return str(json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))["info"]["abi_version"])


def headers(zig: Path, folder: Path) -> list[Path]:
    """Lay out what C includes in a folder; returns the folders to look in, in order."""
    for name in MUSL:
        shutil.copytree(zig / "lib" / "libc" / "include" / name, folder / "c", dirs_exist_ok=True)
    types = folder / "c" / "bits" / "alltypes.h"
    text = types.read_text("ascii")
    assert ADDRESS[0] in text, "musl says it in another way"
    types.write_text(text.replace(*ADDRESS), "ascii")
    shutil.copytree(sysconfig.get_path("include"), folder / "python")
    (folder / "python" / "pyconfig.h").write_text(sizes(), "ascii")
    return [folder / "python", zig / "lib" / "include", folder / "c"]


def sizes() -> str:
    """pyconfig.h as Pyodide was built with it: how large the types of C are there, and what its system has."""
    found: dict[str, dict[str, object]] = {}
    with zipfile.ZipFile(PYODIDE / "python_stdlib.zip") as library:
        exec(library.read(CONSTANTS), found)
    macros = {name: value for name, value in found["build_time_vars"].items() if MACRO.fullmatch(name)}
    assert macros["SIZEOF_VOID_P"] == 4 and macros["SIZEOF_TIME_T"] == 8
    return "".join(f"#define {name} {value}\n" for name, value in sorted(macros.items()) if value and value is not True)


if __name__ == "__main__":
    print(main(Path(*sys.argv[1:2]) if sys.argv[1:] else ROOT / "dist"))
