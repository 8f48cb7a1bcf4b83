"""Tiny boards of every kind: a model has the answers that its rule, told anew, allows, and no two look alike."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from covr.compiler import Compiled, compile_model
from covr.draw.text import as_text
from covr.explain.drawn_answer import drawn_by
from covr.inputs.library import checked, open_model
from covr.links.file import Linked, kind_name, model_of, read_address, read_linked, write_address
from covr.links.places import SECRET, Board, LinkFault
from covr.links.table import Kind, find_kind, kinds
from covr.questions.options import Options
from covr.questions.run import Run
from tests.rules.drawn import SIZES, draw_board, fillings, many, pen
from tests.rules.loops import LOOPS
from tests.rules.numbers import NUMBERS
from tests.rules.regions import REGIONS
from tests.rules.shading import SHADING
from tests.rules.sheet import Sheet, marks

pytestmark = pytest.mark.long

RULES = {**SHADING, **LOOPS, **NUMBERS, **REGIONS}
MOST = 700  # fillings of a board that are looked at
MOST_SLOW = 4096  # the same with `--slow`
EACH_SLOW = 12  # boards of each size then
SEEN = 200  # answers of a board whose pictures are compared
NARROW = ((1, 1), (1, 2), (3, 1), (1, 4), (2, 2))
PLACE = {name: place for place, name in enumerate(kinds())}
PART = 2  # of the sizes a kind is tried on one in so many without `--slow`: to compile the models is what takes long
EVERY = pytest.mark.parametrize("kind", kinds().values(), ids=list(kinds()))


def boards(kind: Kind, each: int, sizes: tuple[tuple[int, int], ...] = SIZES, part: int = 1) -> Iterator[Board]:
    """Tiny boards of a kind, so many of each size. part: only every so-manieth size, another for the next kind."""
    random = Random(kind.name)
    for high, wide in sizes[PLACE[kind.name] % part :: part]:
        for _ in range(each):
            board = draw_board(kind, random, high, wide)
            if board is None:
                break
            yield board


def answers(compiled: Compiled, most: int | None = None) -> list[tuple[int, ...]]:
    return list(Run(compiled, Options()).answers(limit=most))


def test_every_kind_has_a_rule() -> None:
    assert set(RULES) == set(kinds())


@EVERY
def test_the_answers_are_what_the_rule_allows(kind: Kind, slow: bool) -> None:
    for board in boards(kind, EACH_SLOW) if slow else boards(kind, 1, part=PART):
        what = pen(kind, board)
        untold = SECRET in board.layer("clue").values() and callable(kind.answer)  # links don't say what stands there
        if untold or many(what) > (MOST_SLOW if slow else MOST):
            continue
        sheet, rule = Sheet(board), RULES[kind.name]
        right = {marks(row) for row in fillings(what) if rule(sheet, row)}
        compiled = compile_model(open_model(kind.model), kind.params(board))
        found = [frozenset(drawn_by(compiled, one, board, kind)) for one in answers(compiled)]
        assert len(found) == len(set(found)), write_address(board, kind)
        # A number may be higher than all that are tried.
        tried = {one for one in found if all(value in what.get((layer, place), ()) for layer, place, value in one)}
        assert tried == right, write_address(board, kind)


def _empty(kind: Kind, high: int, wide: int) -> Iterator[Board]:
    """The board on which nothing stands, if the kind has one."""
    board = Board(kind.name, high, wide, "", {})
    try:
        kind.params(board)
        yield read_address(kind_name(write_address(board, kind))[1], kind)
    except (LinkFault, KeyError, IndexError):
        return


@EVERY
def test_no_two_answers_look_alike_and_no_board_is_an_error(kind: Kind, slow: bool) -> None:
    narrow = boards(kind, EACH_SLOW, NARROW) if slow else boards(kind, 1, NARROW, PART)
    for board in [*narrow, *_empty(kind, 2, 2), *_empty(kind, 1, 3)]:
        compiled = compile_model(open_model(kind.model), kind.params(board))
        pictures = [as_text(compiled.pictures(one)) for one in answers(compiled, SEEN)]
        assert len(pictures) == len(set(pictures)), write_address(board, kind)


@EVERY
def test_the_text_of_a_link_has_as_many_answers(kind: Kind) -> None:
    for board in boards(kind, 1, ((2, 2),)):
        model = open_model(kind.model)
        try:
            source = model_of(Linked(kind, board), model, "link.cover")
        except LinkFault:
            continue  # words of two letters in a single column
        text = compile_model(checked(source))
        assert len(answers(text, SEEN)) == len(answers(compile_model(model, kind.params(board)), SEEN))


# A board each on which covr once had other answers: link → how many there are.
COUNTS = {
    "kazunori/3/2/4cm": 1, "nonogram/2/2/1102": 1, "tents/3/3/202202i1111": 1, "doubleback/3/3/cg9008": 0,
    "roma/2/2/00d": 0, "suguru/2/1/gh": 0, "tents/4/1/j220": 0, "juosan/2/1/g2g": 0, "nurimisaki/2/2/1h.": 0,
    "nurimisaki/2/1/h": 3, "tetrochaink/1/1/8": 0, "kropki/2/1/0": 0, "dosufuwa/3/1/01": 0,
    "mejilink/1/1/e": 0, "skyscrapers/4/1/p": 24, "sukoro/2/2/0.10": 0, "ripple/2/1/0g4": 0, "castle/2/2/10.20.b": 0,
    "doppelblock/2/2/j": 1, "norinuri/2/1/00": 0, "pipelink/1/3/fad": 0, "factors/1/1/0": 0, "kurochute/4/1/h3.": 0,
    "moonsun/3/2/0010": 2, "battleship/1/1/g2g/1/11g": 0, "magnets/4/1/3543123524sg94": 0, "aquarium/2/1/0/1.3": 0,
}  # fmt: skip


@pytest.mark.parametrize(("link", "count"), COUNTS.items(), ids=list(COUNTS))
def test_boards_on_which_a_rule_was_wrong(link: str, count: int) -> None:
    linked = read_linked(f"https://puzz.link/p?{link}")
    assert len(answers(compile_model(open_model(linked.kind.model), linked.kind.params(linked.board)))) == count


def test_a_single_row_of_meandering_numbers() -> None:
    linked = read_linked("pzprv3/meander/1/3/1 0/. . ./1 1 2/")
    assert linked.kind is find_kind("meander")
    compiled = compile_model(open_model(linked.kind.model), linked.kind.params(linked.board))
    (answer,) = answers(compiled)
    shown = drawn_by(compiled, answer, linked.board, linked.kind)
    assert [shown_value for _, _, shown_value in sorted(shown)] == [1, 2, 1]


@pytest.mark.parametrize("link", ["balance/1/1/.", "nonogram/3/1/i1.", "coral/2/1/.h", "sudoku/4/4/5u"])
def test_what_no_model_can_be_told_is_a_fault_of_the_link(link: str) -> None:
    linked = read_linked(f"https://puzz.link/p?{link}")
    with pytest.raises(LinkFault):
        linked.kind.params(linked.board)
