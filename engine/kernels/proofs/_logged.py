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

The lines are written here, too, byte by byte: strings of Python's took longer than the search.

    text, length, room      the lines that were not fetched yet, and how many bytes there are and may be
    names, spelt            literal l is written names[spelt[l]:spelt[l + 1]]
    last                    the number of the proof's row that was made last
    pending, levels         rows of the proof that are deleted when the node above is closed, and how many decisions
                            they name; those that name more come later
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import DONE, SLICE
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_bytes, _zero_ints, _zero_longs
else:
    from covr.engine.kernels.header import DONE, SLICE
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_bytes, _zero_ints, _zero_longs

COMPILED = cython.compiled

PAPER = 1 << 16  # bytes of lines for which there is room at first


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
    """One search. `run` it in slices, and fetch the lines that `written` has after each."""

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
    hold: list
    text: cython.p_schar
    names: cython.p_schar
    spelt: cython.p_int
    length: cython.Py_ssize_t
    room: cython.Py_ssize_t
    paper: list
    last: cython.longlong
    pending: cython.p_longlong
    levels: cython.p_int
    pendings: cython.int
    options: cython.int
    told: cython.bint
    silent: cython.bint
    found: list
    shown: cython.longlong

    def __init__(self, variables, rows, items, false_first, bound, last=0, options=0, told=False, silent=False):
        """rows: (coefficients, literals, degree), coefficients positive.  items: the rows to decide by, whose
        coefficients are 1, with their degrees above 0.  false_first: per variable, 1 if it is decided to be false
        first.  bound: the row that every answer makes stricter, or -1.  last: how many rows the proof has already.
        options: that many variables, the first, tell an answer.  told: whether those of them that are 1 do.  silent:
        write nothing, for measurements. Time linear in the length of the rows."""
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
        self.found = []
        self.shown = 0
        self.last = last
        self.options = options
        self.told = told
        self.silent = silent
        self.pending = _zero_longs(4 * variables + 8, self.hold)
        self.levels = _zero_ints(4 * variables + 8, self.hold)
        self.pendings = 0
        spelt: list = [f" {'~' if literal & 1 else ''}x{literal // 2 + 1}".encode() for literal in range(2 * variables)]
        self.spelt = _ints(_sums(spelt), self.hold)
        self.names = _zero_bytes(self.spelt[2 * variables], self.hold)
        for k, byte in enumerate(b"".join(spelt)):
            self.names[k] = byte
        self.paper = []
        self.room = PAPER
        self.text = _zero_bytes(self.room, self.paper)
        self.length = 0

    @property
    def work(self):
        """Nodes, updates and answers so far."""
        return self.nodes, self.updates, self.answers

    @property
    def row(self):
        """The number of the proof's row that was made last."""
        return self.last

    def written(self):
        """The lines since the last call, as bytes. An answer closes its own node with the line after it."""
        found = bytes(self.text[: self.length])
        self.length = 0
        return found

    def best(self):
        """The answer that was found last, if there is a bound: the number of its row in the proof, and the options that
        it takes."""
        return self.shown, self.found

    def made(self, here):
        """Count a row of the proof that others wrote, after all that was fetched. here: whether it holds only below the
        decisions so far, and is to be deleted with their node."""
        self.last += 1
        if here:
            self._pend(self.depth + 1)

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
                self._close()
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
                    self._tell()
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
            self._close()
            if self.depth == 0:
                return False
            self.depth -= 1
            literal = self.decided[self.depth]
            self._undo(self.level[self.depth])
            self._set(literal ^ 1)
            if self._propagate() and (self.bound < 0 or (self._settle(self.bound) and self._propagate())):
                return True

    @cython.cfunc
    def _close(self) -> cython.void:
        """Write that the decisions can't all hold, and that the rows of the nodes below are not needed again."""
        k: cython.int
        first: cython.int = self.pendings
        self.last += 1
        while first > 0 and self.levels[first - 1] > self.depth:
            first -= 1
        if not self.silent:
            self._make_room(32 + 16 * cython.cast(cython.longlong, self.depth) + 21 * (self.pendings - first))
            self._write(b"rup")
            for k in range(self.depth):
                self._write(b" 1")
                self._write_literal(self.decided[k] ^ 1)
            self._write(b" >= 1 ;\n")
            if first < self.pendings:
                self._write(b"del id")
                for k in range(first, self.pendings):
                    self._write_number(self.pending[k])
                self._write(b";\n")
        self.pendings = first
        self._pend(self.depth)

    @cython.cfunc
    def _pend(self, level: cython.int) -> cython.void:
        """Let the last row be deleted with the node above that many decisions.

        A row that waits belongs to a decision that is taken back, of which there are as many as variables at most, or
        to one look for a bound before it or after it."""
        if self.pendings < 4 * self.variables + 8:
            self.pending[self.pendings] = self.last
            self.levels[self.pendings] = level
            self.pendings += 1

    @cython.cfunc
    def _tell(self):
        """Write the answer that was found."""
        v: cython.int
        self.last += 1
        if self.bound >= 0:
            self.shown = self.last
            self.found = []
            for v in range(self.options):
                if self.value[2 * v] > 0:
                    self.found.append(v)
        if self.silent:
            return
        self._make_room(16 + 16 * cython.cast(cython.longlong, self.options))
        self._write(b"solx" if self.bound < 0 else b"soli")
        for v in range(self.options):
            if self.value[2 * v] > 0:
                self._write_literal(2 * v)
            elif not self.told or self.bound >= 0:
                self._write_literal(2 * v + 1)
        self._write(b";\n")

    @cython.cfunc
    def _make_room(self, size: cython.longlong):
        """Let there be room for so many more bytes."""
        k: cython.Py_ssize_t
        if self.length + size > self.room:
            self.room = 2 * (self.length + size)
            paper: list = []
            text: cython.p_schar = _zero_bytes(self.room, paper)
            for k in range(self.length):
                text[k] = self.text[k]
            self.text = text
            self.paper = paper

    @cython.cfunc
    def _write(self, word: bytes) -> cython.void:
        byte: cython.int
        for byte in word:
            self.text[self.length] = byte
            self.length += 1

    @cython.cfunc
    def _write_literal(self, literal: cython.int) -> cython.void:
        """A literal, with a space before it."""
        k: cython.int
        for k in range(self.spelt[literal], self.spelt[literal + 1]):
            self.text[self.length] = self.names[k]
            self.length += 1

    @cython.cfunc
    def _write_number(self, number: cython.longlong) -> cython.void:
        """A number above 0, with a space before it."""
        size: cython.longlong = 1
        while size <= number // 10:
            size *= 10
        self.text[self.length] = 32
        self.length += 1
        while size > 0:
            self.text[self.length] = 48 + number // size % 10
            self.length += 1
            size //= 10

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
        r: cython.int
        tight: cython.bint
        while self.done < self.size:
            literal = self.trail[self.done]
            self.done += 1
            if literal & 1 == 0:
                for k in range(self.lead[literal >> 1], self.lead[(literal >> 1) + 1]):
                    self.met[self.leads[k]] += 1
            literal ^= 1
            tight = False
            self.updates += self.begin[literal + 1] - self.begin[literal]
            for k in range(self.begin[literal], self.begin[literal + 1]):
                r = self.rows[k]
                self.slack[r] -= self.loads[k]
                if self.slack[r] < self.heaviest[r]:
                    tight = True
            if tight:
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
