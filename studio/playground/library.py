"""Run in Pyodide, under node, by build.mjs: packs what a worker of the playground needs of Python and of covr.

WHEELS are unpacked in /wheels, Python's own library lies beside this Python as a zip file. All modules are compiled, so
that no worker has to, and put into one file (worker.ts, `opened`): Python's own library as a zip file, and the files of
covr and of what it needs, one after the other.
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
KERNEL = re.compile(r'^    \w+ = load\("(\w+)", interpreted=True\)', re.MULTILINE)


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


def library() -> bytes:
    """Python's own library."""
    wanted, made = used(), io.BytesIO()
    (own,) = (path for path in sys.path if path.endswith(".zip"))
    with zipfile.ZipFile(own) as given, zipfile.ZipFile(made, "w", zipfile.ZIP_STORED) as packed:
        for name in sorted(given.namelist()):
            module = name.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
            if name.endswith(".py") and module in wanted and not NO_PYTHON.match(name):
                info = zipfile.ZipInfo(name + "c", (2000, 1, 1, 0, 0, 0))
                packed.writestr(info, compiled(given.read(name), name))
    return made.getvalue()


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
        elif (path.parent / f"{path.stem}.abi3.so").exists():
            # A kernel: its source is read only for the names of the kernels that it needs (engine/kernels/loading.py).
            found[name] = "\n".join(found[0] for found in KERNEL.finditer(raw.decode())).encode()
        else:
            found[name + "c"] = compiled(raw, f"/covr/{name}")
    made = tables()
    found[made.relative_to("/made").as_posix()] = made.read_bytes()
    return found


def packed() -> bytes:
    """The whole file."""
    own, all_files = library(), files()  # in this order: what is found out must not hang on what the tables take
    table, parts, at = [], [], 0
    # Alike beside alike, which packs better.
    for name in sorted(all_files, key=lambda name: (name.rpartition(".")[2], name)):
        parts.append(all_files[name])
        table.append((name, at, at + len(all_files[name])))
        at += len(all_files[name])
    folders = sorted({str(Path(name).parent) for name in all_files})
    head = json.dumps({"folders": folders, "files": table, "stdlib": len(own)}, separators=(",", ":")).encode()
    return struct.pack("<I", len(head)) + head + own + b"".join(parts)
