"""A search that reasons only as a checker of proofs does, so that each node that it closes is one line of a proof.

What is searched are rows `sum of coefficient · literal >= degree`, coefficients positive, as pseudo-Boolean programs
have them. The one inference is *unit propagation*: a row's slack is the sum of the coefficients of all literals that
are not false, less the degree; a literal whose coefficient is above the slack must be true, and a slack below 0 is a
contradiction. A checker does the same with the same rows, and so finds every contradiction that is found here ("reverse
unit propagation"). A node says: these decisions can't all hold. Once it is closed, its last decision is false for what
is left of the node above, which again is what the checker concludes from the line.

The search decides as Algorithm X does: among the rows that items stand for, it takes the one with the fewest ways, and
decides that its first open literal is true. The row is chosen anew after each decision that failed. Where all those
rows are met, the first open variable is decided: true, or for a minimum what costs less.

Literals are numbers: 2v is variable v, 2v + 1 its opposite; variables count from 0.

    ends, terms, weights    row r holds the literals terms[ends[r]:ends[r + 1]], with their coefficients
    slack, heaviest         per row: its slack now, and its largest coefficient
    begin, rows, loads      per literal: the rows that hold it, with the coefficients
    value                   per literal: 1 if it is true, -1 if it is false, 0 if it is open
    trail, done             the literals that are true, in order, and how many of them were propagated
    level                   per decision, the length of the trail before it;  decided: the decisions
    lead, leads             per variable, the item rows that it counts in; per item row, its literals are those of a row
    met, need               per item row: how many of its literals are true, and how many must be
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, SLICE
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints
else:
    from covr.engine.kernels.header import DONE, SLICE
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints

COMPILED = cython.compiled


def _sums(lists):
    """Where each list would begin if all were one, and where the last would end."""
    total = 0
    found = [0]
    for some in lists:
        total += len(some)
        found.append(total)
    return found


@cython.final
@cython.cclass
class Logged:
    """One search. `run` it in slices, and read what `closed` collected after each."""

    terms: cython.p_int
    ends: cython.p_int
    weights: cython.p_longlong
    slack: cython.p_longlong
    heaviest: cython.p_longlong
    begin: cython.p_int
    rows: cython.p_int
    loads: cython.p_longlong
    value: cython.p_int
    trail: cython.p_int
    level: cython.p_int
    decided: cython.p_int
    first: cython.p_int
    lead: cython.p_int
    leads: cython.p_int
    met: cython.p_int
    need: cython.p_int
    false_first: cython.p_int
    variables: cython.int
    items: cython.int
    count: cython.int
    depth: cython.int
    size: cython.int
    done: cython.int
    bound: cython.int
    started: cython.bint
    nodes: cython.longlong
    updates: cython.longlong
    answers: cython.longlong
    code: cython.int
    closed: list
    hold: list

    def __init__(self, variables, rows, items, false_first, bound):
        """rows: (coefficients, literals, degree), coefficients positive.  items: the rows to decide by, whose
        coefficients are 1, with their degrees above 0.  false_first: per variable, 1 if it is decided to be false
        first.  bound: the row that every answer makes stricter, or -1. Time linear in the length of the rows."""
        r: cython.int
        k: cython.int
        literal: cython.int
        self.hold = []
        self.variables = variables
        self.count = len(rows)
        self.items = len(items)
        self.bound = bound
        ends = [0]
        flat: list = []
        weights: list = []
        held: list = [[] for _ in range(2 * variables)]
        for r, (coefficients, literals, _) in enumerate(rows):
            flat.extend(literals)
            weights.extend(coefficients)
            ends.append(len(flat))
            for coefficient, literal in zip(coefficients, literals, strict=True):
                held[literal].append((r, coefficient))
        self.terms = _ints(flat, self.hold)
        self.weights = _longs(weights, self.hold)
        self.ends = _ints(ends, self.hold)
        self.slack = _longs([sum(row[0]) - row[2] for row in rows], self.hold)
        self.heaviest = _longs([max(row[0], default=0) for row in rows], self.hold)
        self.begin = _ints(_sums(held), self.hold)
        self.rows = _ints([r for some in held for r, _ in some], self.hold)
        self.loads = _longs([c for some in held for _, c in some], self.hold)
        self.value = _zero_ints(2 * variables, self.hold)
        self.trail = _zero_ints(variables, self.hold)
        self.level = _zero_ints(variables + 1, self.hold)
        self.decided = _zero_ints(variables + 1, self.hold)
        leading: list = [[] for _ in range(variables)]
        for k, r in enumerate(items):
            for literal in rows[r][1]:
                leading[literal >> 1].append(k)
        self.lead = _ints(_sums(leading), self.hold)
        self.leads = _ints([k for some in leading for k in some], self.hold)
        self.first = _ints(items, self.hold)
        self.met = _zero_ints(len(items), self.hold)
        self.need = _ints([rows[r][2] for r in items], self.hold)
        self.false_first = _zero_ints(variables, self.hold)
        for k in range(variables):
            self.false_first[k] = false_first[k]
        self.depth = self.size = self.done = 0
        self.started = False
        self.nodes = self.updates = self.answers = 0
        self.code = -1
        self.closed = []

    @property
    def work(self):
        """Nodes, updates and answers so far."""
        return self.nodes, self.updates, self.answers

    def take(self):
        """What was closed since the last call, in order: (answer, decisions). answer: the variables that are true, or
        None; decisions: the literals that can't all be true. An answer closes its own node with the next entry."""
        found = self.closed
        self.closed = []
        return found

    def tighten(self, by):
        """Make the bound's row stricter by so much, as a new best answer does. To be called where `run` has just ended
        with an answer."""
        self.slack[self.bound] -= by

    def run(self, nodes, answers, pausing=False):
        """Search for at most `nodes` more nodes and `answers` more answers; returns SLICE or DONE. pausing: also return
        wherever something new is decided and nothing contradicts it, so that `force` or `close` can follow."""
        self.code = self._run(self.nodes + nodes, self.answers + answers, pausing)
        return self.code

    def level_now(self):
        """How many decisions are made."""
        return self.depth

    def values(self):
        """Per variable: 1 if it is true, -1 if it is false, 0 if it is open."""
        return [self.value[2 * v] for v in range(self.variables)]

    def force(self, literals):
        """Set literals that follow from rows which this search does not know, after a pause. Returns SLICE or DONE."""
        right: cython.bint = True
        for literal in literals:
            if self.value[literal] == 0:
                self._set(literal)
            elif self.value[literal] < 0:
                right = False
        if not (right and self._propagate()) and not self._fail():
            return DONE
        return SLICE

    def close(self):
        """Close the node, after a pause, because of a row that this search does not know. Returns SLICE or DONE."""
        return SLICE if self._fail() else DONE

    @cython.cfunc
    def _run(self, most: cython.longlong, enough: cython.longlong, pausing: cython.bint) -> cython.int:
        literal: cython.int
        if not self.started:
            self.started = True
            self.nodes = 1
            if not self._settle_all():
                self.closed.append((None, ()))
                return DONE
        while True:
            if self.answers >= enough or self.nodes >= most:
                return SLICE
            if self.done == self.size and self._holds():
                literal = self._choose()
                if literal >= 0:
                    self.nodes += 1
                    self.level[self.depth] = self.size
                    self.decided[self.depth] = literal
                    self.depth += 1
                    self._set(literal)
                    if self._propagate():
                        if pausing:
                            return SLICE
                        continue
                else:
                    self.answers += 1
                    self.closed.append((self._taken(), self._decisions()))
            if not self._fail():
                return DONE
            if pausing and self.answers < enough:
                return SLICE

    @cython.cfunc
    def _holds(self) -> cython.bint:
        """Whether the bound, which may have been tightened between two slices, still can be met."""
        return self.bound < 0 or self.slack[self.bound] >= 0

    @cython.cfunc
    def _fail(self) -> cython.bint:
        """Close the node, and those above of which nothing is left. Whether anything is left at all."""
        literal: cython.int
        while True:
            self.closed.append((None, self._decisions()))
            if self.depth == 0:
                return False
            self.depth -= 1
            literal = self.decided[self.depth]
            self._undo(self.level[self.depth])
            self._set(literal ^ 1)
            if self._propagate() and (self.bound < 0 or (self._settle(self.bound) and self._propagate())):
                return True

    @cython.cfunc
    def _decisions(self):
        k: cython.int
        found: list = []
        for k in range(self.depth):
            found.append(self.decided[k])
        return found

    @cython.cfunc
    def _taken(self):
        v: cython.int
        found: list = []
        for v in range(self.variables):
            if self.value[2 * v] > 0:
                found.append(v)
        return found

    @cython.cfunc
    def _choose(self) -> cython.int:
        """The literal to decide, or -1 if none is open."""
        k: cython.int
        r: cython.int
        t: cython.int
        best: cython.int = -1
        fewest: cython.longlong = 0
        for k in range(self.items):
            if self.met[k] < self.need[k]:
                r = self.first[k]
                if best < 0 or self.slack[r] < fewest:
                    best = r
                    fewest = self.slack[r]
        if best >= 0:
            for t in range(self.ends[best], self.ends[best + 1]):
                if self.value[self.terms[t]] == 0:
                    return self.terms[t]
        for k in range(self.variables):
            if self.value[2 * k] == 0:
                return 2 * k + (1 if self.false_first[k] else 0)
        return -1

    @cython.cfunc
    def _set(self, literal: cython.int) -> cython.void:
        self.value[literal] = 1
        self.value[literal ^ 1] = -1
        self.trail[self.size] = literal
        self.size += 1

    @cython.cfunc
    def _settle_all(self) -> cython.bint:
        r: cython.int
        for r in range(self.count):
            if not self._settle(r):
                return False
        return self._propagate()

    @cython.cfunc
    def _settle(self, r: cython.int) -> cython.bint:
        """Set what a row forces. False if it can't be met."""
        t: cython.int
        room: cython.longlong = self.slack[r]
        if room < 0:
            return False
        if self.heaviest[r] > room:
            for t in range(self.ends[r], self.ends[r + 1]):
                if self.weights[t] > room and self.value[self.terms[t]] == 0:
                    self._set(self.terms[t])
        return True

    @cython.cfunc
    def _propagate(self) -> cython.bint:
        """Set all that follows. False at a contradiction; every literal that counts as done was counted in all rows."""
        literal: cython.int
        k: cython.int
        right: cython.bint
        while self.done < self.size:
            literal = self.trail[self.done]
            self.done += 1
            if literal & 1 == 0:
                for k in range(self.lead[literal >> 1], self.lead[(literal >> 1) + 1]):
                    self.met[self.leads[k]] += 1
            literal ^= 1
            right = True
            self.updates += self.begin[literal + 1] - self.begin[literal]
            for k in range(self.begin[literal], self.begin[literal + 1]):
                self.slack[self.rows[k]] -= self.loads[k]
                if self.slack[self.rows[k]] < 0:
                    right = False
            if not right:
                return False
            for k in range(self.begin[literal], self.begin[literal + 1]):
                if not self._settle(self.rows[k]):
                    return False
        return True

    @cython.cfunc
    def _undo(self, size: cython.int) -> cython.void:
        """Take back all but the first so many literals of the trail."""
        literal: cython.int
        k: cython.int
        while self.size > size:
            self.size -= 1
            literal = self.trail[self.size]
            self.value[literal] = 0
            self.value[literal ^ 1] = 0
            if self.size >= self.done:
                continue
            self.done = self.size
            if literal & 1 == 0:
                for k in range(self.lead[literal >> 1], self.lead[(literal >> 1) + 1]):
                    self.met[self.leads[k]] -= 1
            literal ^= 1
            for k in range(self.begin[literal], self.begin[literal + 1]):
                self.slack[self.rows[k]] += self.loads[k]
