"""The libraries of pieces: made by the program that ships with covr, complete, and as large as is published."""

from __future__ import annotations

from pathlib import Path

import pytest

import covr
from covr.api.polyforms import BEDLAM, LIBRARIES, PUZZLES, TETRIS, FormSet, forms, library, main, solved
from covr.compiler import compile_model
from covr.compiler.evaluate.values import Piece, Set
from covr.compiler.lattices import CUBES, HEX, SQUARE, STICKS, TRIANGLE, Cell, Lattice
from covr.inputs.library import gallery, open_model

STD = gallery() / "std"
SETS = [(name, one) for name, (_, _, sets) in LIBRARIES.items() for one in sets]


def pieces_of(name: str, value: str) -> list[Piece]:
    """A set of a library, by the name of its `let`."""
    found = compile_model(open_model(str(STD / f"{name}.cover"))).scope.value(value)
    assert isinstance(found, Set)
    return [piece for piece in found if isinstance(piece, Piece)]


def first(lattice: Lattice, piece: Piece, how: str) -> tuple[Cell, ...]:
    return lattice.ways([tuple(cell) for cell in piece.cells], how)[0]


@pytest.mark.parametrize(
    ("lattice", "how", "counts"),
    [
        (SQUARE, "free", [1, 1, 2, 5, 12, 35]),
        (SQUARE, "onesided", [1, 1, 2, 7, 18, 60]),
        (SQUARE, "fixed", [1, 2, 6, 19, 63]),
        (TRIANGLE, "free", [1, 1, 1, 3, 4, 12, 24]),
        (TRIANGLE, "fixed", [2, 3, 6, 14, 36]),
        (HEX, "free", [1, 1, 3, 7, 22]),
        (HEX, "fixed", [1, 3, 11, 44]),
        (STICKS, "free", [1, 2, 5, 16]),
        (CUBES, "onesided", [1, 1, 2, 8, 29]),
        (CUBES, "free", [1, 1, 2, 7, 23]),
    ],
)
def test_how_many_forms_there_are(lattice: Lattice, how: str, counts: list[int]) -> None:
    assert [len(forms(lattice, n, how)) for n in range(1, len(counts) + 1)] == counts


@pytest.mark.parametrize(("name", "one"), SETS, ids=[one.name for _, one in SETS])
def test_a_set_of_a_library_is_complete(name: str, one: FormSet) -> None:
    found = pieces_of(name, one.name)
    made = forms(one.lattice, one.size, one.how)
    assert len(found) == one.count == len(made)
    assert sorted(first(one.lattice, piece, one.how) for piece in found) == made


@pytest.mark.parametrize("name", ["tetrominoes", "pentominoes", "hexominoes"])
def test_the_sets_with_names_of_their_own_are_complete(name: str) -> None:
    found = pieces_of(name, name)
    made = forms(SQUARE, {"t": 4, "p": 5, "h": 6}[name[0]], "free")
    assert sorted(first(SQUARE, piece, "free") for piece in found) == made


def test_soma_is_all_solids_of_three_or_four_cubes_that_are_no_blocks() -> None:
    found = sorted(first(CUBES, piece, "onesided") for piece in pieces_of("soma", "soma"))

    def is_block(form: tuple[Cell, ...]) -> bool:
        volume = 1
        for axis in zip(*form, strict=True):
            volume *= max(axis)
        return volume == len(form)

    made = [form for n in (3, 4) for form in forms(CUBES, n, "onesided") if not is_block(form)]
    assert found == sorted(made)


@pytest.mark.parametrize(("name", "cube"), [("bedlam", BEDLAM), ("tetris_cube", TETRIS)])
def test_the_pieces_of_a_cube_are_those_of_its_known_solution(name: str, cube: str) -> None:
    found = [first(CUBES, piece, "onesided") for piece in pieces_of(name, name)]
    assert sorted(found) == sorted(solved(cube))
    assert len(set(found)) == len(found) == PUZZLES[name][2]
    assert sum(map(len, found)) == 64
    sizes = sorted(map(len, found))
    assert sizes == ([4] + [5] * 12 if name == "bedlam" else [5] * 8 + [6] * 4)


@pytest.mark.parametrize("name", [*LIBRARIES, *PUZZLES])
def test_a_library_is_what_the_program_writes(name: str) -> None:
    assert (STD / f"{name}.cover").read_text("utf-8") == library(name)


def test_the_program_writes_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(tmp_path / "std")]) == 0
    assert sorted(p.stem for p in (tmp_path / "std").iterdir()) == sorted([*LIBRARIES, *PUZZLES])
    assert main([]) == 2
    assert "usage" in capsys.readouterr().err


def test_a_model_may_use_a_library_and_one_that_it_uses() -> None:
    model = covr.loads(
        'use "std/polyominoes"\nuse "std/pentominoes"\nassert size(pentominoes) = 12 and size(dominoes) = 1\n'
        "choose f()\nexactly one f"
    )
    assert model.count() == 1
