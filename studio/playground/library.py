"""Run in Pyodide, under node, by build.mjs: packs what a worker of the playground needs of Python and of covr.

WHEELS are unpacked in /wheels, Python's own library lies beside this Python as a zip file. All modules are compiled, so
that no worker has to, and put into two packages (worker.ts, `opened`): what the first question needs, which is found
out by asking one, and the modules that only others need. A package has Python's own library as a zip file, and the
files of covr and of what it needs, one after the other.
"""

import ast
import importlib
import importlib.util
import io
import json
import marshal
import os
import re
import struct
import sys
import zipfile
from contextlib import suppress
from functools import cache
from pathlib import Path

SITE = Path("/wheels")
# What no question of the studio needs. What else of Python's own library is packed is found out (`used`).
NO_PYTHON = re.compile(
    r"(?:test|tkinter|unittest|xml|http|email|urllib/(?:request|response|error|robotparser)|multiprocessing|sqlite3|ctypes|curses|dbm|venv|pdb|pydoc|doctest|"
    r"argparse|_sysconfigdata\w*|ssl|_pydecimal|_pydatetime|_pyio|webbrowser|asyncio/__main__|json/tool)(?:[/.]|$)"
)
ENCODINGS = ("aliases", "ascii", "cp437", "idna", "latin_1", "utf_16", "utf_8", "utf_8_sig")
NO_COVR = re.compile(
    r"covr/(?:cli|lsp|runs|highlight|output)/|covr/studio/(?:app|guard|job)\.py|"
    r"covr/studio/page/|covr/live/job_process\.py|covr/py\.typed|"
    r"lark/|click/|platformdirs/|.*\.(?:dist-info|pyi|pxd|typed)|.*\.dist-info/.*"
)


def compiled(text: bytes, name: str) -> bytes:
    """A module's bytecode as a file: never compared with a source, and without the numbers of lines, a third of it."""
    code = without_lines(compile(text, name, "exec", dont_inherit=True, optimize=2))
    return importlib.util.MAGIC_NUMBER + struct.pack("<IQ", 0b01, 0) + marshal.dumps(code)


def without_lines(code):
    """The same code without the numbers of its lines."""
    inner = tuple(without_lines(one) if isinstance(one, type(code)) else one for one in code.co_consts)
    return code.replace(co_linetable=b"", co_consts=inner, co_filename="covr")


def used() -> set[str]:
    """The modules of Python's own library that are packed: what starting took, what covr imports anywhere, were it only
    in a function, and what that takes in turn."""
    for path in sorted(SITE.rglob("*.py")):
        name = path.relative_to(SITE).as_posix()
        if not NO_COVR.match(name) and name.startswith(("covr/", "attr/", "attrs/")):
            for node in ast.walk(ast.parse(path.read_bytes())):
                modules = [node.module] if isinstance(node, ast.ImportFrom) and not node.level else []
                modules += [one.name for one in node.names] if isinstance(node, ast.Import) else []
                for module in modules:
                    if module.partition(".")[0] in sys.stdlib_module_names and not NO_PYTHON.match(module):
                        with suppress(ImportError):
                            importlib.import_module(module)
    return {*sys.modules, *(f"encodings.{name}" for name in ENCODINGS)}


def library() -> dict[str, bytes]:
    """Python's own library, by the paths of its modules."""
    wanted, found = used(), {}
    (own,) = (path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(own) as given:
        for name in sorted(given.namelist()):
            if name.endswith(".py") and module_of(name) in wanted and not NO_PYTHON.match(name):
                found[name + "c"] = compiled(given.read(name), name)
    return found


def module_of(path: str) -> str:
    """The name of the module that a file is."""
    return re.sub(r"(?:/__init__)?\.(?:pyc?|abi3\.so)$", "", path).replace("/", ".")


def tables() -> Path:
    """The tables of covr's parser, which it would build and keep at its first start. Lark is only needed for them."""
    os.environ["XDG_CACHE_HOME"] = "/made/cache"  # worker.ts names the same folder
    sys.path.insert(0, str(SITE))
    from covr.dsl import grammar

    grammar.load()
    sys.path.remove(str(SITE))
    made = grammar.cache_path(grammar.GRAMMAR.read_bytes())
    assert made is not None and made.exists()
    return made


def files() -> dict[str, bytes]:
    """The files of covr and of what it needs, by their paths."""
    found = {}
    for path in sorted(SITE.rglob("*")):
        name = path.relative_to(SITE).as_posix()
        if path.is_dir() or NO_COVR.match(name):
            continue
        raw = path.read_bytes()
        if path.suffix != ".py":
            found[name] = raw
        elif is_kernel(path):
            found[name] = b""  # a kernel: its source is found by its name, and not read (engine/kernels/loading.py)
        else:
            found[name + "c"] = compiled(raw, f"/covr/{name}")
    made = tables()
    found[made.relative_to("/made").as_posix()] = made.read_bytes()
    return found


def is_kernel(path: Path) -> bool:
    """Whether a source is compiled, by itself or with all kernels of its folder."""
    modules = (path.stem, path.parent.name)
    return path.name[0] == "_" != path.name[1] and any((path.parent / f"{name}.abi3.so").exists() for name in modules)


@cache
def everything() -> tuple[dict[str, bytes], dict[str, bytes]]:
    """Python's own library, and all other files."""
    own = library()  # before the tables: what is found out must not hang on what they take
    return own, files()


def package(own: dict[str, bytes], others: dict[str, bytes], **besides: list[str]) -> bytes:
    """A package as one file: its table of contents, Python's own library, and the other files."""
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_STORED) as archive:
        for name, raw in own.items():
            archive.writestr(zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0)), raw)
    stdlib = zipped.getvalue() if own else b""
    table, parts, at = [], [], 0
    # Alike beside alike, which packs better.
    for name in sorted(others, key=lambda name: (name.rpartition(".")[2], name)):
        parts.append(others[name])
        table.append((name, at, at + len(others[name])))
        at += len(others[name])
    folders = sorted({str(Path(name).parent) for name in others})
    contents = {"folders": folders, "files": table, "stdlib": len(stdlib), **besides}
    head = json.dumps(contents, separators=(",", ":")).encode()
    return struct.pack("<I", len(head)) + head + stdlib + b"".join(parts)


def whole() -> bytes:
    """All in one package, from which the first question is asked (build.mjs)."""
    return package(*everything())


def split(modules: list[str]) -> tuple[bytes, bytes]:
    """The packages. modules: those that the first question needs, in the order in which they were loaded.

    Files that are no modules are all in the first: they are read without a word where they are missing. Python's own
    packages are not torn.
    """
    own, others = everything()
    needed = set(modules)
    whole = {module.partition(".")[0] for module in needed}
    later = {n: raw for n, raw in others.items() if n.endswith((".pyc", ".so")) and module_of(n) not in needed}
    later |= {name: raw for name, raw in own.items() if module_of(name).partition(".")[0] not in whole}
    kernels = [f"{name.replace('.', '/')}.abi3.so" for name in modules]
    first = package(
        {name: raw for name, raw in own.items() if module_of(name).partition(".")[0] in whole},
        {name: raw for name, raw in others.items() if name not in later},
        kernels=[name for name in kernels if name in others],
        later=sorted(later),
    )
    return first, package({}, later)
