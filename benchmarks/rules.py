"""`python -m benchmarks rules`: covr's answers beside pzpr's own checker, on every filling of tiny boards.

Boards of every kind are drawn by chance (tests/rules/drawn.py). Each way to fill one is written as a file, which pzpr
judges. Those that it takes for right must be the answers of covr's model, no two of which may look alike.
pzpr is no part of covr: `npm install pzpr` in any folder brings the older kinds; robx/pzprjs, which has all of them, is
built by its own `npm run build`. `--pzpr` names the folder of the module.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from random import Random
from shutil import which

import click

from covr.compiler import Compiled, compile_model
from covr.dsl.diagnostics import ModelErrors
from covr.explain.drawn_answer import drawn_by
from covr.inputs.library import open_model
from covr.links.file import write_address, write_file
from covr.links.places import Board, LinkFault
from covr.links.table import Kind, kinds
from covr.questions.options import Options
from covr.questions.run import Run
from tests.rules.drawn import MOST_FILLINGS, SIZES, Filling, draw_board, fillings, many, pen

CHECKER = Path(__file__).with_name("_rules_pzpr.js")
NEEDED = (
    "`npm install pzpr` in a folder and name it, `--pzpr FOLDER/node_modules/pzpr`, or build robx/pzprjs (all kinds)"
)
NOT_ITS_OWN = "no puzzle of pzpr's"  # what the checker says of numbers that its editor lets nobody enter
NOTHING = ("brNo",)  # how the faults begin of boards on which nothing is drawn
SHOWN = 5  # fillings of a board that are shown where the two differ


class Judge:
    """pzpr in a process of its own."""

    def __init__(self, module: Path) -> None:
        words = ["node", str(CHECKER), str(module.resolve())]
        self._process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)

    def faults(self, files: list[str]) -> list[str | None]:
        """The first fault of each file, None for a right one. Raises ClickException if pzpr has ended."""
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(json.dumps(files) + "\n")
        self._process.stdin.flush()
        line = self._process.stdout.readline()
        if not line:
            raise click.ClickException(f"pzpr has ended: {NEEDED}")
        found: list[str | None] = json.loads(line)
        return found

    def end(self) -> None:
        """End the process."""
        self._process.communicate()


def boards(kind: Kind, many_each: int, seed: int) -> Iterator[Board]:
    """Tiny boards of a kind, so many of each size."""
    random = Random(f"{kind.name} {seed}")
    for high, wide in SIZES:
        for _ in range(many_each):
            board = draw_board(kind, random, high, wide)
            if board is None:
                break
            yield board


def compared(kind: Kind, board: Board, judge: Judge) -> tuple[int, list[str]]:
    """How many fillings of a board were judged, and what is unlike."""
    what = pen(kind, board)
    if many(what) > MOST_FILLINGS:
        return 0, []
    rows = list(fillings(what))
    faults = judge.faults([write_file(_filled(kind, board, row), kind) for row in rows])
    if faults[0] == NOT_ITS_OWN:
        return 0, []
    unread = [fault for fault in faults if fault is not None and fault.startswith("unread")]
    right = {_marks(row) for row, fault in zip(rows, faults, strict=True) if fault is None}
    why = {_marks(row): fault for row, fault in zip(rows, faults, strict=True)}
    try:
        compiled = compile_model(open_model(kind.model), kind.params(board))
    except ModelErrors as errors:
        return len(rows), [f"covr: {errors}"]
    found = answers(compiled, kind, board)
    told = [f"pzpr: {unread[0]}"] if unread else []
    told += ["the same twice"] if len(found) > len(set(found)) else []
    missed = [one for one in {*found} - right if one in why and not (not one and (why[one] or "").startswith(NOTHING))]
    told += [f"covr only: {sorted(one, key=str)} ({why[one]})" for one in missed][:SHOWN]
    told += [f"pzpr only: {sorted(one, key=str)}" for one in right - {*found} if one][:SHOWN]
    return len(rows), told


def answers(compiled: Compiled, kind: Kind, board: Board) -> list[frozenset[object]]:
    """What each answer of a model draws."""
    return [frozenset(drawn_by(compiled, one, board, kind)) for one in Run(compiled, Options()).answers()]


def _marks(row: Filling) -> frozenset[object]:
    return frozenset((layer, place, value) for layer, found in row.items() for place, value in found.items())


def _filled(kind: Kind, board: Board, row: Filling) -> Board:
    layers = {name: dict(layer) for name, layer in board.layers.items()}
    for name, found in row.items():
        layers.setdefault(name, {}).update(found)
    return Board(kind.name, board.height, board.width, board.flag, layers)


@click.command("rules")
@click.option("--pzpr", "module", type=click.Path(path_type=Path), default=Path("node_modules/pzpr"))
@click.option("--boards", "many_each", default=3, help="Boards of each size and kind.")
@click.option("--seed", default=0, help="Other boards.")
@click.option("--only", default="", help="Kinds, with commas between them.")
def command(module: Path, many_each: int, seed: int, only: str) -> int:
    """Compare covr's models with pzpr's checker. Exit code 1 if any differ."""
    if which("node") is None or not module.exists():
        raise click.ClickException(f"no pzpr at {module}: {NEEDED}")
    judge, judged, unlike = Judge(module), 0, 0
    for name in only.split(",") if only else kinds():
        kind = kinds()[name]
        for board in boards(kind, many_each, seed):
            try:
                count, told = compared(kind, board, judge)
            except LinkFault:
                continue
            judged += count
            if told:
                unlike += 1
                print("\n  ".join([write_address(board, kind), *told]), flush=True)
    judge.end()
    print(f"{judged} fillings were judged; {unlike} boards have other answers")
    return int(unlike > 0)


def main(arguments: list[str]) -> int:
    """Run the comparison."""
    return int(command.main(args=arguments, prog_name="python -m benchmarks rules", standalone_mode=False) or 0)
