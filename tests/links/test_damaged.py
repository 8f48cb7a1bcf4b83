"""Links that are damaged, doubly encoded or gigantic: one clear fault, in little time and memory."""

from __future__ import annotations

import gzip
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import process_time
from urllib.parse import quote

import pytest

import covr
from covr.links.file import read_linked
from covr.links.places import LinkFault
from covr.links.table import kinds
from tests.links.published import published

MANY, FEW = 100_000, 1_000  # damaged links, with --slow and without
MOST_SECONDS = 0.5  # CPU time for one link: thousands of times what one takes
MOST_BYTES = 50_000_000  # memory for one link: a hundred times what one takes
SIGNS = "0123456789abcdefghijklmnopqrstuvwxyz.-+=%@*$/_?#:, \n\0é"


def _damaged(random: Random, text: str) -> str:
    """The text after one to three mishaps: cut, doubled, mixed up, encoded again, a number made huge."""
    for _ in range(random.randint(1, 3)):
        at, to = sorted(random.randrange(len(text) + 1) for _ in range(2))
        match random.randrange(8):
            case 0:
                text = text[:at]
            case 1:
                text = text[:at] + text[to:]
            case 2:
                text = text[:to] + text[at:]
            case 3:
                text = text[:at] + "".join(random.choices(SIGNS, k=random.randint(1, 4))) + text[to:][-len(text) :]
            case 4:
                text = quote(text, safe="" if random.random() < 0.5 else ":/?")
            case 5:
                text = text[:at] + str(random.choice((10**9, 10**40, -1, 0, 65536, "1e9"))) + text[at:]
            case 6:
                text = text[:at] + text[at : at + 1] * random.choice((2, 40, 3000)) + text[at:]
            case _:
                text = text[:at] + random.choice(SIGNS) + text[at + 1 :]
        text = text or "?"
    return text


def _links(many: int) -> Iterator[str]:
    random = Random(34)
    texts = [
        text
        for name in kinds()
        for text in (f"https://puzz.link/p?{name}/{published()[name]['url']}", published()[name]["boards"][-1][1])
    ]
    for _ in range(many):
        yield _damaged(random, random.choice(texts))


def test_a_damaged_link_is_one_fault_in_little_time(slow: bool) -> None:
    read = 0
    for text in _links(MANY if slow else FEW):
        began = process_time()
        try:
            linked = read_linked(text)
            linked.kind.params(linked.board)
            read += 1
        except LinkFault as fault:
            assert len(str(fault)) < 400, text
        assert process_time() - began < MOST_SECONDS, text
    assert read


@pytest.mark.parametrize(
    "text",
    [
        "https://puzz.link/p?slither/1000000000/1000000000/" + "g" * 1000,
        "https://puzz.link/p?" + "a" * 100_000_000,
        "https://puzz.link/p?slither/5/5/" + "%252F" * 100_000,
        "https://puzz.link/p?nonogram/1000000000/1/" + "z" * 500_000,
        "https://puzz.link/p?sudoku/100/100/" + "!" * 900_000,
        "pzprv3/slither/1000000000/1000000000/" + ". " * 100_000,
        "pzprv3/slither/5/5/" + "x/" * 50_000,
        "pzprv3/battleship/5/5/999999999/" + "11g/" * 1000,
    ],
    ids=lambda text: text[:30],
)
def test_a_gigantic_link_takes_little_memory(text: str) -> None:
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    try:
        with pytest.raises(covr.ModelErrors) as caught:
            covr.link(text)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak - before < MOST_BYTES + len(text)
    (fault,) = caught.value.diagnostics
    assert fault.code == "E606" and len(fault.message) < 400


def test_a_file_that_unpacks_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "board.txt"
    path.write_bytes(gzip.compress(b"pzprv3\nslither\n5\n5\n" + b". " * 6_000_000))
    with pytest.raises(covr.ModelErrors) as caught:
        covr.link(path)
    assert [fault.code for fault in caught.value.diagnostics] == ["E606"]
