"""A file that holds the diagram of all answers, and the model that it belongs to.

The bytes: `MAGIC`; the version in 4 bytes; the length of the header in 8 bytes; the header (JSON, compressed); the
nodes (three lists of 32-bit numbers, compressed); the checksum of all before. Numbers are little-endian. A file is
written under another name in the same folder and renamed when it is complete. It is checked when it is read: the
checksum finds any damage, and the nodes are checked again by themselves, so that not even a file that was made up can
lead a question astray.

What is compressed is at most `TIMES` times as long as it stands in the file, or `LEAST` bytes: the writer adds zeros
where zlib is better than that, and the reader unpacks no more. So a small file does not become gigabytes.

The header has the names of the choices, so that a file can always be read; and where the model's text, its files and
its params can be stored, these too, so that answers have pictures.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from hashlib import blake2b
from pathlib import Path
from typing import Any

from covr.compiler import Compiled, FromText, compile_model
from covr.dsl.diagnostics import ModelErrors, Source
from covr.dsl.load import recording, replaying
from covr.engine.diagrams.diagram import Diagram
from covr.engine.pieces.piece_work import inflated
from covr.engine.problem import Problem
from covr.faults import usage_error, write_whole
from covr.runs.question import fingerprint, settle
from covr.text import reason_of

MAGIC = b"covr answers \x1a\n"
VERSION = 1
SEAL = 32  # bytes of the checksum
TIMES = 16  # names of choices become 3 to 6 times as long, lists of nodes 2 to 4 times
LEAST = 1 << 20  # bytes


def is_diagram(file: Path) -> bool:
    """Whether a file begins as a diagram does, or is called `.zdd` and is no run file; false if it can't be read."""
    try:
        with file.open("rb") as stream:
            begun = stream.read(len(MAGIC))
    except OSError:
        return False
    return begun == MAGIC or (file.suffix == ".zdd" and not begun.startswith(b"SQLite"))


def write_diagram(file: Path, compiled: Compiled, diagram: Diagram) -> None:
    """Write a diagram with its model, completely or not at all. Raises ModelErrors E732."""
    header = json.dumps(
        {
            "options": diagram.options,
            "order": list(diagram.order),
            "root": diagram.root,
            "nodes": len(diagram.level),
            "names": [str(compiled.choice(o)) for o in range(diagram.options)],
            "costs": list(compiled.problem.costs) if compiled.is_matrix else [],
            "name": compiled.model.source.name,
            "model": _snapshot(compiled),
        }
    )
    packed = _packed(header.encode("utf-8", "surrogatepass"), 6)
    lists = b"".join(_bytes(numbers) for numbers in (diagram.level, diagram.low, diagram.high))
    head = MAGIC + VERSION.to_bytes(4, "little") + len(packed).to_bytes(8, "little")
    content = b"".join((head, packed, _packed(lists, 3)))
    try:
        write_whole(file, content + blake2b(content, digest_size=SEAL).digest())
    except OSError as error:
        raise usage_error("E732", f"`{file}` can't be written: {reason_of(error)}") from None


def read_diagram(file: Path) -> tuple[Compiled, Diagram]:
    """The diagram in a file, and its model. Raises ModelErrors: E730 for a file that can't be read, E731 for that of a
    newer covr."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise usage_error("E730", f"`{file}` can't be read: {reason_of(error)}") from None
    if not content.startswith(MAGIC):
        help = "`covr compile MODEL -o FILE` makes one"
        raise usage_error("E730", f"`{file}` is no diagram of answers", help=help)
    begin = len(MAGIC) + 12
    version = int.from_bytes(content[len(MAGIC) : len(MAGIC) + 4], "little")
    if len(content) >= begin + SEAL and blake2b(content[:-SEAL], digest_size=SEAL).digest() == content[-SEAL:]:
        if version > VERSION:
            message = f"`{file}` was made by a newer covr: its version is {version}, and this covr knows {VERSION}"
            raise usage_error("E731", message)
        size = int.from_bytes(content[begin - 8 : begin], "little")
        try:
            header = json.loads(_unpacked(content[begin : begin + size]).decode("utf-8", "surrogatepass"))
            diagram = _diagram(header, content[begin + size : -SEAL])
            names = header["names"]
            if diagram.fault() is None and len(names) == diagram.options and all(type(n) is str for n in names):
                return _compiled(header), diagram
        except (ValueError, KeyError, TypeError, OverflowError, AttributeError, RecursionError):
            pass
    help = "make it again: `covr compile MODEL -o FILE`"
    raise usage_error("E730", f"`{file}` is damaged: its checksum does not fit its contents", help=help)


def _diagram(header: dict[str, Any], packed: bytes) -> Diagram:
    nodes = int(header["nodes"])
    data = _unpacked(packed)
    if len(data) != 12 * nodes:
        raise ValueError("the lists have another length")
    lists: list[array[int]] = []
    for k in range(3):
        numbers = array("i", data[4 * nodes * k : 4 * nodes * (k + 1)])
        if sys.byteorder == "big":
            numbers.byteswap()
        lists.append(numbers)
    level, low, high = lists
    order = tuple(map(int, header["order"]))
    return Diagram(int(header["options"]), order, level, low, high, int(header["root"]))


def _packed(data: bytes, level: int) -> bytes:
    packed = zlib.compress(data, level)
    shortest = 0 if len(data) <= LEAST else -(-len(data) // TIMES)
    return packed.ljust(shortest, b"\0")


def _unpacked(packed: bytes) -> bytes:
    """Raises ValueError for what `_packed` has not made."""
    data, rest = inflated(packed, max(TIMES * len(packed), LEAST))
    if rest.strip(b"\0"):
        raise ValueError("something else follows")
    return data


def _bytes(numbers: Any) -> bytes:
    found = array("i", numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def _snapshot(compiled: Compiled) -> dict[str, Any] | None:
    """The model with its params and all files that it reads; None if JSON does not hold one of its params."""
    if compiled.is_matrix:
        return None
    source = compiled.model.source
    params: dict[str, Any] = {}
    for name, value in compiled.scope.overrides.items():
        if isinstance(value, FromText):
            params[name] = {"text": value.text, "name": value.name, "plain": value.plain}
        elif _is_plain(value):
            params[name] = value
        else:
            return None
    kept = {"name": source.name, "text": source.text, "path": source.path, "params": params}
    try:
        with recording() as files:
            again = _made(kept)
    except ModelErrors:
        return None
    sum = fingerprint(compiled.problem, compiled.goal)
    if fingerprint(again.problem, again.goal) != sum:
        return None  # a file that the model reads has changed since
    return {**kept, "files": {name: b64encode(data).decode() for name, data in files.items()}, "fingerprint": sum}


def _is_plain(value: object) -> bool:
    return type(value) in (str, int, bool) or (type(value) is list and all(map(_is_plain, value)))


def _made(kept: dict[str, Any]) -> Compiled:
    from covr.inputs.library import checked

    params = {
        name: FromText(value["text"], value["name"], value["plain"]) if isinstance(value, dict) else value
        for name, value in kept["params"].items()
    }
    compiled = compile_model(checked(Source(kept["name"], kept["text"], kept["path"])), params)
    settle(compiled)
    return compiled


def _compiled(header: dict[str, Any]) -> Compiled:
    """The model of a file; one that only knows names of choices if this covr can't make the same problem of it."""
    from covr.compiler.matrix_model import compile_problem

    kept = header["model"]
    if kept is not None:
        files = {name: b64decode(data) for name, data in kept["files"].items()}
        try:
            with replaying(files):
                compiled = _made(kept)
            if fingerprint(compiled.problem, compiled.goal) == kept["fingerprint"]:
                return compiled
        except ModelErrors:
            pass
    n = int(header["options"])
    names, costs = tuple(header["names"]), tuple(map(int, header["costs"]))
    problem = Problem((), (), 0, [0] * (n + 1), [], costs=costs, option_names=names)
    return compile_problem(problem, str(header["name"]))
