"""Hands rules to clingo, and reads its answers, without a call of Python for each.

Rules are held as numbers, one rule after another: whether its head is a choice (1) or not (0), how many atoms the head
has, and these; the bound of a weight rule, or -1 for any other; how many literals the body has, and these, in a weight
rule each with its weight behind it. When they are many, they are handed over, and at the end.

clingo is called by the addresses of its functions (outside/clingo_shares.py).
"""

from __future__ import annotations

from array import array

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.rules._rules import covr_rules, covr_true
    from cython.cimports.covr.engine.kernels.shared.arrays import _shared_ints, _zero_ints
else:
    from covr.engine.kernels.rules.plain_rules import covr_rules, covr_true
    from covr.engine.kernels.shared.arrays import _shared_ints, _zero_ints

COMPILED = cython.compiled

HELD = cython.declare(cython.Py_ssize_t, 60_000)  # numbers that are held; clingo takes a millisecond for as many


@cython.cclass
class HeldRules:
    """Rules on their way to clingo."""

    rule_at: cython.size_t
    weights_at: cython.size_t
    backend: cython.size_t
    refused: list
    hold: list
    numbers: cython.p_int
    size: cython.Py_ssize_t
    room: cython.Py_ssize_t

    def __init__(self, rule: cython.size_t, weights: cython.size_t, backend: cython.size_t, refused) -> None:
        """rule, weights: addresses of functions.  backend: the address of what they write to.  refused: is called, and
        raises, when clingo does not take a rule."""
        self.rule_at, self.weights_at, self.backend, self.refused = rule, weights, backend, [refused]
        self.size, self.room = 0, 2 * HELD
        self.hold = []
        self.numbers = _zero_ints(self.room, self.hold)

    def rule(self, head, body=(), choice: cython.bint = False) -> None:
        """A rule, as clingo's `add_rule`."""
        self._begin(head, choice, -1, len(body), len(body))
        at: cython.Py_ssize_t = self.size
        for literal in body:
            self.numbers[at] = literal
            at += 1
        self._end(at)

    def weights(self, head, bound: cython.int, body) -> None:
        """A weight rule, as clingo's `add_weight_rule`. bound: 0 or more."""
        self._begin(head, False, bound, len(body), 2 * len(body))
        at: cython.Py_ssize_t = self.size
        for literal, weight in body:
            self.numbers[at] = literal
            self.numbers[at + 1] = weight
            at += 2
        self._end(at)

    def none_of(self, heads: list, groups, atoms: list) -> None:
        """For each group of options a rule whose head is true if none of them is. groups: per head, the options.
        atoms: per option, its atom."""
        k: cython.Py_ssize_t
        at: cython.Py_ssize_t
        o: cython.Py_ssize_t
        atom: cython.int
        for k in range(len(heads)):
            group = groups[k]
            self._begin((heads[k],), False, -1, len(group), len(group))
            at = self.size
            for o in group:
                atom = atoms[o]
                self.numbers[at] = -atom
                at += 1
            self._end(at)

    @cython.cfunc
    def _begin(self, head, choice: cython.bint, bound: cython.int, length: cython.int, more: cython.Py_ssize_t):
        """Write a rule up to the length of its body. more: how many numbers follow."""
        self._reserve(4 + len(head) + more)
        at: cython.Py_ssize_t = self.size
        self.numbers[at] = choice
        self.numbers[at + 1] = len(head)
        at += 2
        for atom in head:
            self.numbers[at] = atom
            at += 1
        self.numbers[at] = bound
        self.numbers[at + 1] = length
        self.size = at + 2

    @cython.cfunc
    def _end(self, at: cython.Py_ssize_t):
        self.size = at
        if at > HELD:
            self.hand_over()

    @cython.cfunc
    def _reserve(self, more: cython.Py_ssize_t):
        """Have room for so many more numbers."""
        k: cython.Py_ssize_t
        if self.size + more > self.room:
            self.room = 2 * (self.size + more)
            hold: list = []
            numbers: cython.p_int = _zero_ints(self.room, hold)
            for k in range(self.size):
                numbers[k] = self.numbers[k]
            self.numbers, self.hold = numbers, hold

    def hand_over(self) -> None:
        """Hand over all rules that are held. Raises what `refused` raises."""
        size: cython.Py_ssize_t = self.size
        self.size = 0
        if covr_rules(self.rule_at, self.weights_at, self.backend, self.numbers, size) < size:
            self.refused[0]()


def true_atoms(is_true: cython.size_t, model: cython.size_t, atoms) -> list | None:
    """The places of the atoms that are true in a model, increasing; None if clingo refused. is_true: the address of a
    function.  model: the address of the model.  atoms: an array of `i`."""
    hold: list = []
    size: cython.Py_ssize_t = len(atoms)
    found = array("i", bytes(4 * size))
    count: cython.Py_ssize_t = covr_true(is_true, model, _shared_ints(atoms, hold), size, _shared_ints(found, hold))
    return None if count < 0 else found[:count].tolist()
