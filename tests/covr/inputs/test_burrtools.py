"""Puzzles of BurrTools, made here as BurrTools writes them, become models with the right number of assemblies."""

from __future__ import annotations

import gzip
import random
from collections.abc import Sequence
from functools import partial
from itertools import permutations, product
from pathlib import Path
from xml.sax.saxutils import quoteattr

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.covr.command import Covr, covr
from tests.shared import examples

pytestmark = pytest.mark.long

__all__ = ["covr"]

Cell = tuple[int, int, int]
Cells = frozenset[Cell]
BOX = {(x, y, z) for x in range(3) for y in range(3) for z in range(3)}
# Cells are (x, y, z) here, from 0, as in the file.
SOMA = [
    {(0, 0, 0), (1, 0, 0), (0, 1, 0)},
    {(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)},
    {(0, 0, 0), (1, 0, 0), (2, 0, 0), (1, 1, 0)},
    {(0, 0, 0), (1, 0, 0), (1, 1, 0), (2, 1, 0)},
    {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)},
    {(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 0, 1)},
    {(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 1, 1)},
]


def voxel(must: set[Cell], may: set[Cell] = frozenset(), colour: str = "", name: str = "") -> str:  # type: ignore[assignment]
    size = [max(cell[k] for cell in must | may) + 1 for k in range(3)]
    sign = {**dict.fromkeys(may, "+"), **dict.fromkeys(must, "#")}
    text = "".join(
        sign[x, y, z] + colour if (x, y, z) in sign else "_"
        for z in range(size[2]) for y in range(size[1]) for x in range(size[0])
    )  # fmt: skip
    named = f" name={quoteattr(name)}" if name else ""
    return f'<voxel x="{size[0]}" y="{size[1]}" z="{size[2]}" type="0"{named}>{text}</voxel>'


def puzzle(
    pieces: Sequence[tuple[set[Cell], str]], must: set[Cell], may: set[Cell] = frozenset(), *,  # type: ignore[assignment]
    grid: str = "0", problem: str = "", comment: str = "", twice: bool = False, colour: str = "",
) -> str:  # fmt: skip
    """pieces: their cells, and how many as attributes (`count="2"`)."""
    voxels = [voxel(must, may, colour, "the box"), *(voxel(cells, colour=colour) for cells, _ in pieces)]
    parts = "".join(f'<shape id="{k}" {count}/>' for k, (_, count) in enumerate(pieces, 1))
    one = f'<problem state="0"{problem}><shapes>{parts}</shapes><result id="0"/><bitmap/></problem>'
    return (
        f'<?xml version="1.0"?>\n<puzzle version="2"><gridType type="{grid}"/><colors/>'
        f"<shapes>{''.join(voxels)}</shapes><problems>{one}{one if twice else ''}</problems>"
        f"<comment>{comment}</comment></puzzle>\n"
    )


def turns(sign: int = 1) -> list[object]:
    found = []
    for axes in permutations(range(3)):
        odd = sum(axes[a] > axes[b] for a in range(3) for b in range(a + 1, 3)) % 2
        for signs in product((1, -1), repeat=3):
            if signs[0] * signs[1] * signs[2] * (-1) ** odd == sign:
                found.append(partial(turned, axes, signs))
    return found


def turned(axes: tuple[int, ...], signs: tuple[int, ...], cell: Cell) -> tuple[int, ...]:
    return tuple(sign * cell[axis] for sign, axis in zip(signs, axes, strict=True))


def placed(piece: set[Cell], room: set[Cell]) -> set[Cells]:
    """Every way to lay a piece into a room, found the slow way."""
    found = set()
    for turn in turns():
        cells = [turn(c) for c in piece]  # type: ignore[operator]
        for corner in room:
            moved = frozenset(tuple(a + b - o for a, b, o in zip(c, corner, cells[0], strict=True)) for c in cells)
            if moved <= room:
                found.add(moved)
    return found  # type: ignore[return-value]


def assemblies(pieces: Sequence[tuple[set[Cell], int, int]], must: set[Cell], may: set[Cell]) -> int:
    """How many ways there are to fill a room, rotations counted apart; by brute force."""
    ways = [sorted(map(sorted, placed(cells, must | may))) for cells, _, _ in pieces]

    def count(kind: int, left: int, start: int, free: frozenset[Cell]) -> int:
        if kind == len(pieces):
            return not (free & must)
        total = 0
        if left <= pieces[kind][2] - pieces[kind][1]:
            nxt = kind + 1
            total += count(nxt, pieces[nxt][2] if nxt < len(pieces) else 0, 0, free)
        if left:
            for at in range(start, len(ways[kind])):
                cells = frozenset(ways[kind][at])
                if cells <= free:
                    total += count(kind, left - 1, at + 1, free - cells)
        return total

    return count(0, pieces[0][2], 0, frozenset(must | may))


def without_symmetry(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith(("up to", "let mate")))


def save(text: str, name: str = "p.xmpuzzle", packed: bool = True) -> str:
    Path(name).write_bytes(gzip.compress(text.encode()) if packed else text.encode())
    return name


def test_the_soma_cube_has_240_assemblies(covr: Covr) -> None:
    save(puzzle([(cells, "") for cells in SOMA], BOX, comment="The Soma cube"))
    assert covr("convert", "p.xmpuzzle", "soma.cover").exit_code == 0
    text = Path("soma.cover").read_text()
    assert text.startswith('title "The Soma cube"') and "up to rotations(room), put(p, s)" in text
    assert covr("count", "soma.cover").stdout == "240\n"
    assert covr("count", "p.xmpuzzle").stdout == "240\n"
    assert covr("check", "soma.cover").stdout == "soma.cover: no errors\n"
    assert covr("show", "p.xmpuzzle", "--source").stdout == text
    assert covr("convert", "p.xmpuzzle", "-", "--to", "dlx").exit_code == 0
    assert covr("solve", "soma.cover", "-o", "soma.svg").exit_code == 0


def test_a_comment_may_be_in_iso_8859_1(covr: Covr) -> None:
    """As in BurrTools' own example Prisgon. The encoding is not declared; UTF-8 is tried first."""
    text = puzzle([(cells, "") for cells in SOMA], BOX, comment="Würfel")
    for encoding in ("iso-8859-1", "utf-8"):
        Path("p.xmpuzzle").write_bytes(text.encode(encoding))
        assert 'title "Würfel"' in covr("show", "p.xmpuzzle", "--source").stdout, encoding
    declared = text.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"')
    Path("p.xmpuzzle").write_bytes(declared.encode("iso-8859-1"))
    assert 'title "Würfel"' in covr("show", "p.xmpuzzle", "--source").stdout


def grown(rng: random.Random, size: int, room: set[Cell]) -> set[Cell]:
    cells = {rng.choice(sorted(room))}
    while len(cells) < size:
        near = {c for c in room for d in cells if sum(abs(p - q) for p, q in zip(c, d, strict=True)) == 1}
        more = sorted(near - cells)
        if not more:
            break
        cells.add(rng.choice(more))
    return cells


@settings(max_examples=examples(40), deadline=None, suppress_health_check=list(HealthCheck))
@given(seed=st.integers(0, 10**6), packed=st.booleans())
def test_counts_are_those_of_brute_force(covr: Covr, seed: int, packed: bool) -> None:
    rng = random.Random(seed)
    size = rng.choice([(2, 2, 2), (3, 2, 1), (3, 2, 2), (4, 1, 1), (3, 3, 1)])
    room = {c for c in product(*map(range, size)) if rng.random() < 0.9} or {(0, 0, 0)}
    low = [min(c[k] for c in room) for k in range(3)]
    room = {(x - low[0], y - low[1], z - low[2]) for x, y, z in room}
    may = {c for c in sorted(room) if rng.random() < rng.choice([0, 0, 0.4])}
    must = room - may
    pieces = []
    for _ in range(rng.randint(1, 3)):
        most = rng.randint(1, 3)
        least = rng.choice([most, rng.randint(0, most)])
        cells = grown(rng, rng.randint(1, 3), room)
        low = [min(c[k] for c in cells) for k in range(3)]
        pieces.append(({(x - low[0], y - low[1], z - low[2]) for x, y, z in cells}, least, most))
    counted = [(cells, f'count="{a}"' if a == b else f'min="{a}" max="{b}"') for cells, a, b in pieces]
    save(puzzle(counted, must, may), packed=packed)  # type: ignore[arg-type]
    assert covr("convert", "p.xmpuzzle", "m.cover").exit_code == 0
    text = Path("m.cover").read_text()
    Path("all.cover").write_text(without_symmetry(text))
    wanted = assemblies(pieces, must, may)  # type: ignore[arg-type]
    assert covr("count", "all.cover").stdout == f"{wanted}\n", text
    classes = int(covr("count", "m.cover").stdout)
    assert (classes > 0) == (wanted > 0) and wanted / 48 <= classes <= wanted
    assert "W103" not in covr("test", "m.cover").stderr
    if wanted:
        assert covr("solve", "m.cover", "-o", "m.svg").exit_code == 0


def test_the_mirror_is_only_used_where_every_piece_has_its_image(covr: Covr) -> None:
    left, right = SOMA[5], SOMA[6]
    room = {(x, y, z) for x in range(2) for y in range(2) for z in range(2)}
    for pieces, mirrored in (([left, right], True), ([left, left], False), ([left], False), ([SOMA[0]], True)):
        save(puzzle([(p, "") for p in pieces], room))
        assert ("put(p, s) -> put(" in covr("show", "p.xmpuzzle", "--source").stdout) == mirrored


LONG = {(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (0, 1, 1)}  # a piece unlike its mirror image
DOMINO = {(0, 0, 0), (1, 0, 0)}
FREE = [(DOMINO, 'min="0" max="4"'), (SOMA[0], 'min="0" max="2"')]


@pytest.mark.parametrize(
    ("pieces", "size", "count"),
    [
        ([(SOMA[5], 'min="0" max="2"'), *FREE], (2, 2, 2), 6),
        ([(SOMA[5], 'min="0" max="2"'), (SOMA[6], 'min="0" max="2"'), *FREE], (2, 2, 2), 6),
        ([(SOMA[5], 'min="0" max="2"'), (SOMA[6], 'min="0" max="1"'), *FREE], (3, 2, 2), 58),
        ([(SOMA[5], ""), (DOMINO, 'count="2"')], (2, 2, 2), 1),
        ([(SOMA[5], ""), (SOMA[6], ""), (DOMINO, 'count="2"')], (3, 2, 2), 3),
        ([(LONG, 'min="0" max="1"'), *((p, 'min="0" max="1"') for p in SOMA[5:]), FREE[0]], (3, 2, 2), 20),
    ],
)
def test_mirror_images_count_as_in_burrtools(
    covr: Covr, pieces: list[tuple[set[Cell], str]], size: tuple[int, ...], count: int
) -> None:
    """The counts are those of BurrTools' own program for these files."""
    save(puzzle(pieces, set(product(*map(range, size)))))
    assert covr("count", "p.xmpuzzle").stdout == f"{count}\n"
    assert covr("convert", "p.xmpuzzle", "m.cover").exit_code == 0
    assert "m.cover: no errors" in covr("check", "m.cover").output


def test_problems_names_and_holes(covr: Covr) -> None:
    two = {(0, 0, 0), (1, 0, 0)}
    room = {(x, y, 0) for x in range(2) for y in range(2)}
    problem = ' name="a {b}&quot;" maxHoles="1"'
    save(puzzle([(two, 'count="1"')], set(), room, problem=problem, comment="x\ny", twice=True))
    assert 'title "x: a  b, problem 1 of 2"' in covr("show", "p.xmpuzzle", "--source").stdout
    assert "problem 2 of 2" in covr("show", "p.xmpuzzle:2", "--source").stdout
    assert "2 cells stay empty, and 1 may" in covr("solve", "p.xmpuzzle").stderr
    save(puzzle([(two, 'min="0" max="2"')], set(), room, problem=' maxHoles="1"'))
    assert "# Not said here: at most 1 cells" in covr("show", "p.xmpuzzle", "--source").stdout
    assert "there is no problem 3: there are 1" in covr("solve", "p.xmpuzzle:3").stderr


def test_rotations_that_move_what_must_be_filled_are_not_symmetries(covr: Covr) -> None:
    one = {(0, 0, 0)}
    save(puzzle([(one, 'count="2"')], {(0, 0, 0)}, {(1, 0, 0), (2, 0, 0)}))
    text = covr("show", "p.xmpuzzle", "--source").stdout
    assert "up to" not in text and "# Answers that are rotations" in text
    assert covr("count", "p.xmpuzzle").stdout == "2\n"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("hello", "this is no XML"),
        ("<puzzle>", "this is no XML"),
        ("<other/>", "this is `other`, no puzzle of BurrTools"),
        ("<puzzle/>", "there is no problem in this puzzle"),
        ('<!DOCTYPE x [<!ENTITY a "b">]><puzzle/>', "document types"),
        (puzzle([(SOMA[0], "")], BOX, grid="1"), "made of triangular prisms; covr reads puzzles made of cubes"),
        (puzzle([(SOMA[0], "")], BOX, grid="2"), "made of spheres; covr reads puzzles made of cubes"),
        (puzzle([(SOMA[0], "")], BOX, grid="3"), "made of rhombic tetrahedra; covr reads puzzles made of cubes"),
        (puzzle([(SOMA[0], "")], BOX, grid="4"), "made of tetrahedra and octahedra; covr reads puzzles made of cubes"),
        (puzzle([(SOMA[0], "")], BOX, grid="9"), "in a grid of type 9, which is not known; covr reads puzzles made"),
        (puzzle([(SOMA[0], "")], BOX, colour="3"), "colours that say where a piece may lie"),
        (puzzle([(SOMA[0], 'count="0"')], BOX), "has no pieces"),
        (puzzle([(SOMA[0], 'min="2" max="1"')], BOX), "at least 2 and at most 1"),
        (puzzle([(SOMA[0], 'count="x"')], BOX), "`count` is `x`, and no number"),
        (puzzle([(SOMA[0], "")], BOX).replace('result id="0"', 'result id="9"'), "the result is shape 9"),
        (puzzle([(SOMA[0], "")], BOX).replace("##", "#", 1), "has 26 voxels"),
        (puzzle([(SOMA[0], "")], BOX).replace("##", "#?", 1), "has 26 voxels"),
        (puzzle([(SOMA[0], "")], BOX).replace('x="3"', 'x="99999"', 1), "has 899991 voxels"),
        (puzzle([(SOMA[0], "")] * 70, BOX), "70 kinds of pieces"),
    ],
)  # fmt: skip
def test_puzzles_that_cannot_be_expressed_are_refused(covr: Covr, text: str, what: str) -> None:
    save(text)
    for words in (("solve", "p.xmpuzzle"), ("convert", "p.xmpuzzle", "m.cover")):
        result = covr(*words)
        assert result.exit_code == 2 and what in result.stderr, result.stderr
    assert not Path("m.cover").exists()


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-16-le", "cp037"])
def test_a_document_type_is_refused_in_every_encoding(covr: Covr, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>\n <!DOCTYPE x [<!ENTITY a "b">]><puzzle/>'
    mark = {"utf-16-be": b"\xfe\xff", "utf-16-le": b"\xff\xfe"}.get(encoding, b"")
    declared = text.replace("utf-16-be", "utf-16").replace("utf-16-le", "utf-16")
    Path("p.xmpuzzle").write_bytes(mark + declared.encode(encoding))
    result = covr("solve", "p.xmpuzzle")
    said = result.stderr
    assert result.exit_code == 2
    assert "line 2, column 14: BurrTools writes no document types" in said or encoding == "cp037"
    assert said.count("error[E602]") == 1


@settings(max_examples=examples(100), deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_damaged_files_do_no_worse_than_complain(covr: Covr, data: st.DataObject) -> None:
    packed = data.draw(st.booleans())
    raw = puzzle([(cells, 'min="0" max="2"') for cells in SOMA[:2]], BOX).encode()
    raw = bytearray(gzip.compress(raw) if packed else raw)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.integers(0, len(raw)))
        raw[at : at + data.draw(st.integers(0, 9))] = data.draw(st.binary(max_size=4))
    Path("p.xmpuzzle").write_bytes(bytes(raw))
    result = covr("convert", "p.xmpuzzle", "-", "--to", "json")
    assert result.exit_code in (0, 2)


def test_what_is_no_puzzle_is_not_converted_to_a_model(covr: Covr) -> None:
    Path("m.dlx").write_text("a\na\n")
    assert "a matrix can't be written as a model" in covr("convert", "m.dlx", "m.cover").stderr
    assert covr("convert", "toy", "mine.cover").exit_code == 0
    assert covr("convert", "none.xmpuzzle", "m.cover").exit_code == 2
    assert covr("convert", "toy", "no/where.cover").exit_code == 2
