"""`python -m benchmarks edits`: how soon an editor knows the faults of a large model after a key, and how much memory
the language server takes after thousands of edits.

The model has 2,000 lines, most of which use what others define. Over standard input and output, as an editor does it,
the time on the clock is measured from sending a key to hearing of its faults.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

from covr.dsl.parser import settle
from covr.dsl.service.document import Document
from covr.inputs.library import Libraries

HEAD = 'title "Large"\nparam n = 9\ncells r, c in 1..n\nvalues d in 1..n\nchoose put(r, c, d)\n'
URI = "file:///nowhere/large.cover"
# What is typed: behind which text of the model, and what.
TYPED = {
    "in a function": ("let f{}(a, b) = a + b", " + 1 * 7 + n"),
    "in a rule": ("exactly one put per r, c where f{}(r, c) != 7", " + 1 * 7 + n"),
    "in a label": ("row {{r}} and {{f{}(r, c)}}", " or so"),
    "a new statement": ('{{f{}(r, c)}}"\n', "let z = 3\n"),
    "in what all use": ("param n = 9", " + 123"),
}


def large(lines: int) -> str:
    """A model of so many lines, half of them functions and half of them rules that call them."""
    pairs = (
        f"let f{i}(a, b) = a + b * {i} - n\n"
        f'exactly one put per r, c where f{i}(r, c) != 7 and d in 1..n   "row {{r}} and {{f{i}(r, c)}}"\n'
        for i in range((lines - HEAD.count("\n")) // 2)
    )
    return HEAD + "".join(pairs)


def typed(text: str, behind: str, what: str) -> Iterator[str]:
    """The texts that come of typing something behind the first place of a text, key by key."""
    at = text.index(behind) + len(behind)
    for end in range(1, len(what) + 1):
        yield text[:at] + what[:end] + text[at:]


def analysed(text: str) -> None:
    """Print how long the analysis takes after each key."""
    document = Document("large.cover", Libraries)
    begin = time.process_time()
    document.change(text)
    first = time.process_time() - begin
    settle()  # as the server does
    print(f"{text.count(chr(10)):,} lines are read in {first * 1000:.0f} ms. After a key:\n")
    print("| typed | median | most |\n|---|---:|---:|")
    for name, (behind, what) in TYPED.items():
        document.change(text)
        spent = []
        for edited in typed(text, behind.format(500), what):
            begin = time.process_time()
            document.change(edited)
            spent.append(time.process_time() - begin)
        middle = statistics.median(spent)
        print(f"| {name} | {middle * 1000:.0f} ms | {max(spent) * 1000:.0f} ms |")


class _Typist:
    """An editor with a server of its own. told: the versions whose faults were told, and when."""

    def __init__(self) -> None:
        from lsprotocol import types
        from pygls.lsp.client import LanguageClient

        self.client = LanguageClient("benchmark", "1")
        self.types = types
        self.version = 0
        self.told: dict[int, float] = {}
        self.news = asyncio.Event()

        @self.client.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def diagnostics(params: types.PublishDiagnosticsParams) -> None:
            self.told.setdefault(params.version or 0, time.perf_counter())
            self.news.set()

    async def open(self, text: str) -> None:
        """Start the server and open a text, and wait for the first faults."""
        await self.client.start_io(sys.executable, "-m", "covr", "lsp")
        options = {"compileWhileTyping": False}
        await self.client.initialize_async(
            self.types.InitializeParams(capabilities=self.types.ClientCapabilities(), initialization_options=options)
        )
        self.client.initialized(self.types.InitializedParams())
        item = self.types.TextDocumentItem(URI, "cover", self.version, text)
        self.client.text_document_did_open(self.types.DidOpenTextDocumentParams(item))
        await self.heard()

    async def type(self, text: str) -> float:
        """Send a text; the seconds until its faults are told."""
        self.version += 1
        document = self.types.VersionedTextDocumentIdentifier(self.version, URI)
        whole = self.types.TextDocumentContentChangeWholeDocument(text)
        begin = time.perf_counter()
        self.client.text_document_did_change(self.types.DidChangeTextDocumentParams(document, [whole]))
        await self.heard()
        return self.told.pop(self.version) - begin

    async def heard(self) -> None:
        """Wait until the faults of this version are told."""
        while self.version not in self.told:
            self.news.clear()
            await self.news.wait()

    def processor(self) -> float:
        """The CPU seconds that the server has taken, as Linux tells it; 0 elsewhere."""
        server: Any = getattr(self.client, "_server", None)
        with suppress(OSError, IndexError, AttributeError):
            fields = Path(f"/proc/{server.pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        return 0.0

    def memory(self) -> float:
        """The resident memory of the server in MB, as Linux tells it; 0 elsewhere."""
        server: Any = getattr(self.client, "_server", None)
        with suppress(OSError, IndexError, AttributeError):
            status = Path(f"/proc/{server.pid}/status").read_text(encoding="utf-8")
            return int(status.split("VmRSS:")[1].split()[0]) / 1024
        return 0.0

    async def close(self) -> None:
        """End the server."""
        await self.client.shutdown_async(None)
        self.client.exit(None)
        await self.client.stop()


async def served(text: str, keys: int, report: int) -> None:
    """Print how long faults take over standard input and output, and how the server's memory grows."""
    one = _Typist()
    small = large(20)
    await one.open(small)
    print("\n| over standard input and output | median | most | CPU of the server |\n|---|---:|---:|---:|")
    for whole, number in ((small, 6), (text, 500)):
        await one.type(whole)
        await asyncio.sleep(1.0)
        behind, what = TYPED["in a rule"]
        begin = one.processor()
        spent = [await one.type(edited) for edited in typed(whole, behind.format(number), what)]
        each = (one.processor() - begin) / len(spent)
        row = f"{statistics.median(spent) * 1000:.0f} ms | {max(spent) * 1000:.0f} ms | {each * 1000:.0f} ms"
        print(f"| {whole.count(chr(10)):,} lines | {row} |")
    rng = Random(18)
    small = large(200)
    print("\n| edits | memory |\n|---:|---:|")
    edited = small
    for number in range(1, keys + 1):
        at = rng.randrange(len(edited))
        edited = edited[:at] + rng.choice((" ", "x", "(", "\n", '"', "1")) + edited[at + (rng.random() < 0.5) :]
        edited = small if number % 50 == 0 else edited
        await one.type(edited)
        if number % report == 0 or number == 1:
            print(f"| {number:,} | {one.memory():.1f} MB |", flush=True)
    await one.close()


def main(arguments: Sequence[str]) -> int:
    """Print the tables in Markdown."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks edits", description=__doc__)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--keys", type=int, default=0, help="random edits sent to the server; needs covr[lsp]")
    found = parser.parse_args(arguments)
    text = large(found.lines)
    analysed(text)
    if found.keys:
        asyncio.run(served(text, found.keys, max(1, found.keys // 10)))
    return 0
