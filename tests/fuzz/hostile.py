"""What strangers may send: random and damaged files of every kind that covr reads, and texts that are typed.

    python -m tests.fuzz.hostile --minutes 10 [--seed 1] [--only run_file]

Each case is led through the command, or the services of editors, in a process with limits: it may take so much memory
and time, and must end with a verdict or a message. A traceback, `a mistake in covr itself`, a process that is killed or
takes longer is a find: it is printed with the number that makes it again.
"""

from __future__ import annotations

import argparse
import atexit
import gzip
import io
import json
import logging
import os
import random
import resource
import select
import shutil
import string
import subprocess
import sys
import tempfile
import time
import zipfile
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from unittest.mock import patch

from tests.fuzz.models import damaged
from tests.runs.forged import Idle, forge

MEMORY = 2 << 30  # bytes of address space that a process may take: a command uses 200 MB of it before it reads anything
LONGEST = 25.0  # seconds of CPU for a case: what docs/errors.md allows a compilation, and the rest of a command
ENOUGH = 20  # finds, after which no more are looked for
QUIET = ("--limit-time", "1")
HUGE = (
    "-1",
    "0",
    "1e999",
    "9" * 30,
    "9" * 5000,
    "NaN",
    "65536",
    "4294967296",
    "-9223372036854775809",
    "１",
    "true",
    "null",
)
ROOKS = "cells r, c in 1..3\nchoose a(r, c)\nexactly one a per r\nexactly one a per c\n"


class Found(Exception):
    """Something that must not be."""


# --- accidents ---


def mixed(rng: random.Random, data: bytes, other: bytes = b"") -> bytes:
    """Bytes after one to five accidents: flipped, cut, doubled, mixed with others, with huge numbers, or repeated."""
    for _ in range(rng.randint(1, 5)):
        at, to = sorted(rng.randrange(len(data) + 1) for _ in range(2))
        match rng.randrange(9):
            case 0 if data:
                k = rng.randrange(len(data))
                data = data[:k] + bytes([data[k] ^ 1 << rng.randrange(8)]) + data[k + 1 :]
            case 1:
                data = data[:at]
            case 2:
                data = data[:at] + data[to:]
            case 3:
                data = data[:to] + data[at:]
            case 4:
                data = data[:at] + rng.choice(HUGE).encode() + data[at if rng.random() < 0.5 else to :]
            case 5:
                data = data[:at] + data[at : at + rng.randint(1, 30)] * rng.choice((2, 50, 2000)) + data[at:]
            case 6:
                data = data[:at] + other[: rng.randrange(len(other) + 1)] + data[to:]
            case 7:
                data = data[:at] + rng.randbytes(rng.randint(1, 40)) + data[at:]
            case _:
                data = numbered(rng, data)
        data = data[:200_000]
    return data


def numbered(rng: random.Random, data: bytes) -> bytes:
    """One of the numbers in a text made another."""
    places = [k for k, byte in enumerate(data[:20_000]) if chr(byte) in string.digits]
    if not places:
        return data
    at = rng.choice(places)
    return data[:at] + rng.choice(HUGE).encode() + data[at + 1 :]


def wrong(rng: random.Random, value: object) -> object:
    """A value of JSON with one of its parts made another."""
    if isinstance(value, dict) and value and rng.random() < 0.9:
        key = rng.choice(sorted(value))
        if rng.random() < 0.1:
            return {k: v for k, v in value.items() if k != key}
        return {**value, key: wrong(rng, value[key])}
    if isinstance(value, list) and value and rng.random() < 0.9:
        at = rng.randrange(len(value))
        return [*value[:at], *([wrong(rng, value[at])] if rng.random() < 0.9 else []), *value[at + 1 :]]
    strange = (
        -1,
        0,
        7,
        10**18,
        10**400,
        1e300,
        float("inf"),
        float("nan"),
        "",
        "x",
        "9" * 5000,
        None,
        True,
        [],
        {},
        [[]],
    )
    return rng.choice((*strange, [value] * 50, f"{value}\x9b\u202e"))


# --- the command ---


def run(*words: str, input: bytes = b"") -> str:
    """What a command says. Raises Found for a mistake, and for an exit code that is no verdict."""
    from click.testing import CliRunner

    from covr.cli.group import cli

    result = CliRunner().invoke(cli, words, input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise Found(f"{words}: {type(result.exception).__name__}: {result.exception}"[:2000]) from result.exception
    said = result.output + result.stderr
    if result.exit_code not in (0, 1, 2, 3) or "a mistake in covr itself" in said:
        raise Found(f"{words}: exit {result.exit_code}: {said[-2000:]}")
    if result.exit_code == 2 and "rror" not in said:
        raise Found(f"{words}: exit 2 without a message: {said[-500:]}")
    return said


@cache
def samples() -> Path:
    """A folder with one good file of each kind, made by covr itself."""
    import openpyxl

    import covr
    from covr.compiler.formats import FORMATS

    place = Path(tempfile.mkdtemp(prefix="covr-hostile-"))
    atexit.register(shutil.rmtree, place, ignore_errors=True)
    (place / "m.cover").write_text(ROOKS)
    (place / "goal.cover").write_text(f"{ROOKS}minimize r * c * c of a\n")
    for form in FORMATS.values():
        for suffix in form.suffixes:
            with suppress(Found):
                run("convert", str(place / "m.cover"), str(place / f"m{suffix}"))
    header = b"{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }".ljust(117)
    (place / "m.npy").write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + header + b"\n\x01\x00\x00\x01")
    (place / "m.xmpuzzle").write_text(
        '<?xml version="1.0"?>\n<puzzle version="2"><gridType type="0"/><shapes><voxel x="2" y="1" z="1">##</voxel>'
        '<voxel x="1" y="1" z="1">#</voxel></shapes><problems><problem><shapes><shape id="1" count="2"/></shapes>'
        '<result id="0"/></problem></problems></puzzle>'
    )
    (place / "t.csv").write_text('s,n\na,1\n"b;c",2\n')
    book = openpyxl.Workbook()
    for row in (("s", "n"), ("a", 1), ("b", 2)):
        book.active.append(row)
    book.save(place / "t.xlsx")
    (place / "many.txt").write_text(
        "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n" * 2
    )
    begun = ("solve", "queens", "-D", "n=6", "--all", "-q", "--run")
    run(*begun, str(place / "whole.run"))
    run("solve", str(place / "goal.cover"), "-q", "--run", str(place / "goal.run"))
    with patch("covr.runs.recorded.Threads", Idle), patch("covr.runs.folder_work.TRIALS", 0):
        run(*begun, str(place / "begun.run"), "--limit-time", "0")
        run("split", str(place / "begun.run"), "-n", "4", "-o", str(place / "a.pieces"))
    for number in "123":
        run("piece", str(place / "a.pieces"), number)
    run("compile", "queens", "-D", "n=6", "-o", str(place / "d.zdd"))
    run("count", str(place / "m.cover"), "--proof", str(place / "p.pbp"))
    models = ("sudoku", "slitherlink", "nurikabe", "kakuro", "masyu", "heyawake")
    (place / "links").write_text("\n".join(covr.link(covr.load(name)).address for name in models))
    return place


TABLED = 'param t = csv """\n  s, n\n  x, 1\n"""\nchoose a(i) for i in {r.n for r in t}\nexactly one a\n'


# --- kinds of cases: each gets a generator and an empty folder ---


def model(rng: random.Random, place: Path) -> None:
    file = place / "m.cover"
    file.write_bytes(
        damaged(rng, gentle=True).encode("utf-8", "replace") if rng.random() < 0.7 else mixed(rng, ROOKS.encode())
    )
    command = rng.choice(("solve", "count", "check", "why", "fmt", "show"))
    run(command, str(file), *(QUIET if command in ("solve", "count", "why") else ()))


def matrix(rng: random.Random, place: Path) -> None:
    kept = sorted(path for path in samples().glob("m.*") if path.suffix != ".cover")
    chosen, other = rng.choice(kept), rng.choice(kept)
    file = place / f"x{rng.choice((chosen, chosen, other)).suffix}"
    file.write_bytes(mixed(rng, chosen.read_bytes(), other.read_bytes()))
    run("count", str(file), *QUIET)


def table(rng: random.Random, place: Path) -> None:
    (place / "m.cover").write_text(TABLED)
    file = place / "t.csv"
    file.write_bytes(mixed(rng, (samples() / "t.csv").read_bytes()))
    run("count", str(place / "m.cover"), "-D", f"t=@{file}", *QUIET)


def sheet(rng: random.Random, place: Path) -> None:
    (place / "m.cover").write_text('let t = table("t.xlsx")\nchoose a(i) for i in {r.n for r in t}\nexactly one a\n')
    packed = io.BytesIO()
    with zipfile.ZipFile(samples() / "t.xlsx") as book, zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as other:
        chosen = rng.choice(book.namelist())
        for name in book.namelist():
            other.writestr(name, mixed(rng, book.read(name)) if name == chosen else book.read(name))
    data = packed.getvalue()
    (place / "t.xlsx").write_bytes(data if rng.random() < 0.7 else mixed(rng, data))
    run("count", str(place / "m.cover"), *QUIET)


def collection(rng: random.Random, place: Path) -> None:
    file = place / "many.txt"
    file.write_bytes(mixed(rng, (samples() / "many.txt").read_bytes()))
    run("solve", "sudoku", "--each", f"clue={file}", *QUIET)


def link(rng: random.Random, place: Path) -> None:
    kept = (samples() / "links").read_bytes().split(b"\n")
    text = mixed(rng, rng.choice(kept), rng.choice(kept)).decode("utf-8", "replace").replace("\0", "")
    run(rng.choice(("show", "check")), f"https://{text.removeprefix('https://')}")


def run_file(rng: random.Random, place: Path) -> None:
    file = place / "a.run"
    shutil.copy(samples() / rng.choice(("whole.run", "begun.run", "goal.run")), file)
    if rng.random() < 0.3:
        file.write_bytes(mixed(rng, file.read_bytes()))
    else:
        forged(rng, file)
    for words in (("status",), ("answers",), ("answers", "--json"), ("resume", "-q", *QUIET)):
        run(words[0], str(file), *words[1:])


def forged(rng: random.Random, file: Path) -> None:
    """Change values of a run file in such a way that its sums fit."""
    import sqlite3

    from covr.runs import contents as schema

    for _ in range(rng.randint(1, 3)):
        name = rng.choice(sorted(schema.TABLES))
        column = rng.choice(schema.TABLES[name].split(", ")).split()[0]
        value: object = rng.choice(
            (-5, 0, 10**18, "x", "-7", b"", rng.randbytes(9), "9" * 40, None, 1e300, float("inf"))
        )
        where = ""
        with sqlite3.connect(file) as base:
            rows = base.execute(f"SELECT {column} FROM {name}").fetchall()
        base.close()
        if name == "about" and rows:
            with sqlite3.connect(file) as base:
                key, old = rng.choice(base.execute("SELECT key, value FROM about").fetchall())
            base.close()
            where, column = f"WHERE key = '{key}'", "value"
            with suppress(ValueError):
                value = json.dumps(wrong(rng, json.loads(old)))
        elif rows and isinstance(old := rng.choice(rows)[0], bytes) and rng.random() < 0.6:
            value = mixed(rng, old)
        with suppress(sqlite3.Error, OverflowError):
            forge(file, f"UPDATE {name} SET {column} = ? {where}", values=[(value,)])


def folder(rng: random.Random, place: Path) -> None:
    from covr.runs import folder_results as results

    kept, run_of = place / "a.pieces", place / "a.run"
    shutil.copytree(samples() / "a.pieces", kept)
    shutil.copy(samples() / "begun.run", run_of)
    match rng.randrange(4):
        case 0:
            path = rng.choice(sorted((kept / "results").iterdir()))
            head, body = results.unsealed(results.PIECE_KIND, path.read_bytes())
            made = json.dumps(wrong(rng, json.loads(head))).encode()
            path.write_bytes(results.sealed(results.PIECE_KIND, made, body))
        case 1:
            path = rng.choice(sorted((kept / "results").iterdir()))
            path.write_bytes(mixed(rng, path.read_bytes()))
        case 2:
            key = rng.choice(sorted(os.listdir(kept / "results")))
            claim: object = wrong(rng, {"machine": "m", "process": "7", "job": "", "where": "w"})
            (kept / "claims" / f"{key}.{rng.choice(('0', '99', '9' * 60, '-1', 'x'))}").write_text(json.dumps(claim))
        case _:
            forged(rng, kept / "pieces.run")
    for words in (("status", kept), ("merge", kept, run_of), ("piece", kept, "2", *QUIET), ("status", run_of)):
        run(*map(str, words))


def diagram(rng: random.Random, place: Path) -> None:
    import zlib

    from covr.api import answer_diagram

    whole = (samples() / "d.zdd").read_bytes()
    body, at = whole[: -answer_diagram.SEAL], len(answer_diagram.MAGIC) + 12
    size = int.from_bytes(body[at - 8 : at], "little")
    header, nodes = body[at : at + size], body[at + size :]
    match rng.randrange(3):
        case 0:
            body = mixed(rng, body)
        case 1:
            header = zlib.compress(json.dumps(wrong(rng, json.loads(zlib.decompress(header)))).encode())
            body = body[: at - 8] + len(header).to_bytes(8, "little") + header + nodes
        case _:
            nodes = zlib.compress(mixed(rng, zlib.decompress(nodes)))
            body = body[: at + size] + nodes
    file = place / "d.zdd"
    file.write_bytes(body + blake2b(body, digest_size=answer_diagram.SEAL).digest())
    for words in (("--count",), ("--counts",), ("-n", "3"), ("--sample", "2"), ("--heat",)):
        run("answers", str(file), *words)


def proof(rng: random.Random, place: Path) -> None:
    for name in ("p.opb", "p.pbp"):
        data = (samples() / name).read_bytes()
        (place / name).write_bytes(mixed(rng, data) if rng.random() < 0.6 else data)
        packed = gzip.compress(data)
        (place / f"{name}.gz").write_bytes(mixed(rng, packed) if rng.random() < 0.6 else packed)
    run("verify", str(place / f"p.opb{rng.choice(('', '.gz'))}"), str(place / f"p.pbp{rng.choice(('', '.gz'))}"))


def typed(rng: random.Random, place: Path) -> None:
    """A text that is typed into the studio: each question about it, and about what it becomes next."""
    from covr.studio import about_texts

    reader = about_texts.TextReader(place)
    text = (
        mixed(rng, damaged(rng).encode("utf-8", "replace")).decode("utf-8", "replace")
        if rng.random() < 0.5
        else damaged(rng)
    )
    for version in (1, 2):
        for about in sorted(about_texts.ABOUT):
            fields = {
                "text": text,
                "version": version,
                "offset": rng.randrange(len(text) + 9),
                "to": rng.choice(("x", "per", "1")),
            }
            found = reader.answer(
                about, {**fields, "strokes": [], "data": {"n": rng.choice(HUGE)}, "foreign": rng.random() < 0.5}
            )
            if not {"answer", "refused", "stale"} & set(found):
                raise Found(f"{about}: {found}")
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(("(", '"', '"""', "{", "choose ", "\n", "#", "@", "file(", "\x00")) + text[at:]


def edited(rng: random.Random, place: Path) -> None:
    """A text in an editor: what the language server answers at once."""
    from lsprotocol import types
    from pygls.exceptions import JsonRpcException

    from covr.lsp.open_model import OpenModel
    from covr.lsp.server import make_server

    logging.getLogger("pygls").setLevel(logging.CRITICAL)  # nobody is there to be told of faults
    server, uri = make_server(), f"file://{place}/m.cover"
    features, document = server.protocol.fm.features, types.TextDocumentIdentifier(uri)
    server.open[uri] = one = OpenModel(uri, "utf-16")
    text = damaged(rng)
    for version in (1, 2):
        one.change(text, version)
        lines = text.count("\n")
        at = types.Position(
            rng.choice((0, rng.randint(0, lines), 2**31 - 1)), rng.choice((0, rng.randint(0, 60), 2**31 - 1))
        )
        for name, make in (
            (types.TEXT_DOCUMENT_HOVER, types.HoverParams), (types.TEXT_DOCUMENT_COMPLETION, types.CompletionParams),
            (types.TEXT_DOCUMENT_SIGNATURE_HELP, types.SignatureHelpParams),
            (types.TEXT_DOCUMENT_DEFINITION, types.DefinitionParams),
        ):  # fmt: skip
            features[name](make(document, at))
        features[types.TEXT_DOCUMENT_REFERENCES](types.ReferenceParams(types.ReferenceContext(True), document, at))
        with suppress(JsonRpcException):  # a name that can't be given
            features[types.TEXT_DOCUMENT_RENAME](types.RenameParams(document, at, rng.choice(("x", "per", ""))))
        features[types.TEXT_DOCUMENT_DOCUMENT_SYMBOL](types.DocumentSymbolParams(document))
        features[types.TEXT_DOCUMENT_FOLDING_RANGE](types.FoldingRangeParams(document))
        features[types.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL](types.SemanticTokensParams(document))
        features[types.TEXT_DOCUMENT_FORMATTING](
            types.DocumentFormattingParams(document, types.FormattingOptions(4, True))
        )
        text = mixed(rng, text.encode("utf-8", "replace")).decode("utf-8", "replace")


KINDS: dict[str, Callable[[random.Random, Path], None]] = {
    one.__name__: one
    for one in (model, matrix, table, sheet, collection, link, run_file, folder, diagram, proof, typed, edited)
}  # fmt: skip


def lead(number: int, only: str | None = None) -> str:
    """One case, the same for the same number. Returns its kind; raises Found, or whatever covr raises."""
    rng = random.Random(number)
    kind = only or sorted(KINDS)[number % len(KINDS)]
    with tempfile.TemporaryDirectory(prefix="covr-hostile-") as place:
        os.environ["COVR_TRACEBACK"] = "1"
        try:
            KINDS[kind](rng, Path(place))
        finally:
            os.environ.pop("COVR_TRACEBACK", None)
    return kind


# --- processes with limits ---


def child(first: int, only: str | None) -> None:
    """Lead cases, from a number on, until the process is ended; a line is printed at the begin and the end of each."""
    samples()
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    number = first
    while True:
        print(json.dumps({"begun": number}), flush=True)
        before = time.process_time()
        told: dict[str, object] = {}
        try:
            told["kind"] = lead(number, only)
        except MemoryError:
            told["found"] = "not enough memory"
        except Exception as error:
            import traceback

            told["found"] = f"{type(error).__name__}: {str(error)[:1500]}\n{traceback.format_exc()[-1500:]}"
        print(json.dumps({"ended": number, "seconds": time.process_time() - before, **told}), flush=True)
        number += 1


def watch(minutes: float, seed: int, only: str | None) -> tuple[Counter[str], list[str]]:
    """Lead cases for so long, in processes that are ended if one takes too much; what was led, and what was found."""
    led: Counter[str] = Counter()
    found: list[str] = []
    until, number = time.monotonic() + 60 * minutes, seed * 1_000_000
    while time.monotonic() < until and len(found) < ENOUGH:
        words = [
            sys.executable,
            "-m",
            "tests.fuzz.hostile",
            "--child",
            str(number),
            *(["--only", only] if only else []),
        ]
        process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        number = _heard(process, number, until, led, found)
        process.kill()
        process.wait()
    return led, found


def _heard(process: subprocess.Popen[bytes], number: int, until: float, led: Counter[str], found: list[str]) -> int:
    """Hear a process until it ends, or is to be ended; returns the number of the case that comes next."""
    assert process.stdout is not None
    while len(found) < ENOUGH:
        ready, _, _ = select.select([process.stdout], [], [], 4 * LONGEST)
        line = process.stdout.readline() if ready else b""
        if not line:
            found.append(f"case {number}: the process {'was ended' if ready else 'says nothing any more'}")
            return number + 1
        told = json.loads(line)
        if "begun" in told:
            number = told["begun"]
            if time.monotonic() > until:
                return number
            continue
        led[told.get("kind", "found")] += 1
        if told["seconds"] > LONGEST:
            found.append(f"case {number}: {told['seconds']:.1f} s of CPU")
        if "found" in told:
            found.append(f"case {number}: {told['found']}")
        number += 1
    return number


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", choices=sorted(KINDS))
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    words = parser.parse_args()
    if words.child is not None:
        child(words.child, words.only)
    led, found = watch(words.minutes, words.seed, words.only)
    for kind, many in sorted(led.items()):
        print(f"{kind:12} {many}")
    print(*found, sep="\n---\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
