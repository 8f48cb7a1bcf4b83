"""A search in pieces, done in a random order by one process that loses some of them; its answers stay in memory."""

from __future__ import annotations

import pickle
import random
from collections.abc import Iterator, Sequence

from covr.engine import Problem
from covr.engine.pieces.ledger import Ask, Change, Ledger, Nobody, PieceBudget, Settled, Totals
from covr.engine.pieces.piece import Pieces
from covr.engine.pieces.piece_work import unpack

Answer = tuple[int, ...]


class Memory:
    """A store that lives in memory."""

    def __init__(self) -> None:
        self.answers: dict[str, bytes] = {}
        self.changes: list[Change] = []

    def write(self, changes: Sequence[Change], totals: Totals) -> None:
        self.changes += changes
        for change in changes:
            if isinstance(change, Settled) and change.result.answers is not None:
                self.answers[change.task.name] = change.result.answers

    def read(self, name: str) -> Iterator[Answer]:
        return unpack(self.answers[name])


def in_pieces(problem: Problem, ask: Ask, nodes: int, seed: int = 0) -> tuple[Ledger, Memory]:
    """Search all pieces, in a random order, losing some workers on the way."""
    rng = random.Random(seed)
    pieces = pickle.loads(pickle.dumps(Pieces(problem, ask)))
    store = Memory()
    ledger = Ledger(minimum=ask.goal == "minimum", store=store)
    tasks = []
    while not ledger.over:
        while (task := ledger.take()) is not None:
            tasks.append(task)
        if tasks:
            task = tasks.pop(rng.randrange(len(tasks)))
            if rng.random() < 0.1:
                ledger.give_back(task.name)
                continue
            result = pieces.search(task.prefix, PieceBudget(nodes, 3), Nobody(ledger.ceiling))
            assert ledger.settle(task.name, pickle.loads(pickle.dumps(result)))
            assert not ledger.settle(task.name, result), "a piece counts once"
        ledger.flush()
    return ledger, store


def is_odd(answer: Answer) -> bool:
    return len(answer) % 2 == 1
