"""Dancing Links for exact cover: bounds 1, 1 and 0, 1, with colours, and with options that hold no primary item.

**Data.** A *node* is one item of one option, or the header of an item's list, or a spacer. Headers come
first: node `i < n` heads the list of the live options that hold item i, and node n heads the list of live *free*
options, which hold no primary item. Then the options follow one after another, with a spacer before the first, between
any two, and after the last.

    top[p]     the item of node p; for a spacer -1 minus the number of the option to its left
    up, down   the neighbours of node p in its item's list, which is circular through its header;
               for a spacer: the first node of the option to its left, the last of the option to its right
    colour[p]  the colour that the option has in the item; -1 while the item already shows this colour, because the node
               then has no effect. For a header: the colour that its item shows
    size[i]    the length of item i's list
    left, right  the primary items that are still to be covered, in a circle through n + 1. Any other item
               is its own neighbour, so that removing it does nothing
    choice[l]  the node that was chosen on level l, and mode[l] how: BRANCH in the list of an item that was
               covered, TAKEN or EXCLUDED in the free list

An option of colour 0 in a secondary item excludes all others there, as in a primary item. A free option has
an additional node in list n. When all primary items are covered, the first option of that list is taken, and later
excluded. Both begin by hiding it, so once the items covered by a `TAKEN` option have been uncovered again, the
option is left `EXCLUDED`.

Source: Knuth, TAOCP 7.2.2.1, Algorithms X and C. The levels are a stack instead of recursion,
and the free list is ours, since Knuth's answers never hold an option without a primary item.
Not done here: giving up while covering as soon as an item has no option left; orders of items other than fewest
options first.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import (
        DONE,
        FOUND,
        LOOK_OPTIONS,
        LOOK_STEPS,
        SLICE,
        KernelBase,
    )
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _zero_ints
else:
    from covr.engine.kernels.header import DONE, FOUND, LOOK_OPTIONS, LOOK_STEPS, SLICE
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _zero_ints

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled


# The states of the search between two slices.
ENTER = cython.declare(cython.int, 0)  # choose an item to branch on
FREE = cython.declare(cython.int, 1)  # nothing is left to cover: take the first free option
BACK = cython.declare(cython.int, 2)  # everything below the top level's option is finished
END = cython.declare(cython.int, 3)  # every node was visited

# The values of `mode`.
BRANCH = cython.declare(cython.int, 0)  # the option was taken to cover an item
TAKEN = cython.declare(cython.int, 1)  # a free option, taken
EXCLUDED = cython.declare(cython.int, 2)  # a free option, left out


def _go_on():
    """Stops nothing; the place of `look` where nobody asked for one."""


@cython.final
@cython.cclass
class Exact(KernelBase):
    """A kernel (see loading.py) for a problem with bounds 1, 1 and 0, 1, after `take_given` took the given options."""

    n: cython.int
    coloured: cython.bint
    top: cython.p_int
    up: cython.p_int
    down: cython.p_int
    colour: cython.p_int
    size: cython.p_int
    left: cython.p_int
    right: cython.p_int
    choice: cython.p_int
    mode: cython.p_int

    def __init__(self, problem, residual, look=None):
        """residual: what `take_given` left of the problem.  look: called every few milliseconds while the links are
        made; it may raise an exception to stop. Takes time and space linear in the length of the options."""
        super().__init__()
        if look is None:
            look = _go_on
        n: cython.int = problem.items
        options: cython.int = problem.options
        hold: list = self.hold
        starts: cython.p_int = _ints(problem.starts, hold)
        members: cython.p_int = _ints(problem.members, hold)
        look()
        shades: cython.p_int = _ints(problem.colours, hold)
        coloured: cython.bint = bool(problem.colours)
        need: cython.p_int = _ints(residual.need, hold)
        fixed: cython.p_int = _ints(residual.fixed, hold)
        look()
        live: cython.p_int = _ints(residual.live, hold)
        most: cython.int = n + 2 + len(problem.members) + 2 * options  # headers, spacers, and nodes of free options
        i: cython.int
        o: cython.int
        k: cython.int
        c: cython.int
        p: cython.int
        last: cython.int
        free: cython.bint
        self.top = top = _zero_ints(most, hold)
        self.up = up = _zero_ints(most, hold)
        self.down = down = _zero_ints(most, hold)
        self.colour = colour = _zero_ints(most, hold)
        self.size = size = _zero_ints(n + 2, hold)
        self.left = left = _zero_ints(n + 2, hold)
        self.right = right = _zero_ints(n + 2, hold)
        for i in range(n + 1):
            top[i] = up[i] = down[i] = i
        for i in range(n + 2):
            left[i] = right[i] = i
        last = n + 1
        top[last] = -1 - options
        p = last + 1
        look()
        for o in range(options):
            if o % LOOK_OPTIONS == 0:
                look()
            if live[o] == 0:
                continue
            free = True
            for k in range(starts[o], starts[o + 1] + 1):
                i = members[k]
                c = shades[k] if coloured else 0
                if k == starts[o + 1]:  # the node after those of its items: the one in the free list
                    if not free:
                        break
                    i = n
                    c = 0
                elif c != 0 and fixed[i] == c:
                    continue
                elif need[i] != 0:
                    free = False
                top[p] = i
                colour[p] = c
                up[p] = up[i]
                down[p] = i
                down[up[i]] = p
                up[i] = p
                size[i] += 1
                p += 1
            top[p] = -1 - o
            up[p] = last + 1
            down[last] = p - 1
            last = p
            p += 1
        for i in range(n):
            if need[i] != 0:
                left[i] = left[n + 1]
                right[i] = n + 1
                right[left[n + 1]] = i
                left[n + 1] = i
        self.choice = _zero_ints(options + 1, self.hold)
        self.mode = _zero_ints(options + 1, self.hold)
        self.n = n
        self.coloured = coloured
        self.state = ENTER if residual.feasible else END

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if the branches of every node share equally."""
        if self.state == END:
            return 1.0
        done, weight = 0.0, 1.0
        for k in range(self.level):
            if self.mode[k] != BRANCH:
                weight *= 0.5
                done += weight if self.mode[k] == EXCLUDED else 0.0
                continue
            at = ways = 0
            item = self.top[self.choice[k]]
            p = self.down[item]
            while p != item:
                ways += 1
                if p == self.choice[k]:
                    at = ways
                p = self.down[p]
            weight /= ways
            done += weight * (at - 1)
        return min(done + (weight if self.state == BACK else 0.0), 1.0)

    def answer(self):
        """The options taken on the levels, in the order they were taken."""
        options = []
        for k in range(self.level):
            if self.mode[k] != EXCLUDED:
                p = self.choice[k]
                while self.top[p] >= 0:
                    p += 1
                options.append(-1 - self.top[p])
        return options

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        top: cython.p_int = self.top
        up: cython.p_int = self.up
        down: cython.p_int = self.down
        size: cython.p_int = self.size
        right: cython.p_int = self.right
        choice: cython.p_int = self.choice
        mode: cython.p_int = self.mode
        n: cython.int = self.n
        root: cython.int = n + 1
        level: cython.int = self.level
        state: cython.int = self.state
        pause: cython.longlong = self._updates + LOOK_STEPS
        code: cython.int = DONE
        i: cython.int
        p: cython.int
        item: cython.int
        least: cython.int
        while state != END:
            if state == ENTER:
                if self._nodes >= end or self._updates >= pause:
                    code = SLICE
                    break
                self._nodes += 1
                item = right[root]
                if item == root:
                    state = FREE
                    continue
                least = size[item]
                i = right[item]
                while i != root and least > 0:
                    if size[i] < least:
                        least = size[i]
                        item = i
                    i = right[i]
                if least == 0:
                    state = BACK
                    continue
                self._cover(item)
                p = down[item]
                choice[level] = p
                mode[level] = BRANCH
                self._commit(p)
                level += 1
            elif state == FREE:
                p = down[n]
                if p == n:
                    state = BACK
                    self._answers += 1
                    if self._answers >= until:
                        code = FOUND
                        break
                    continue
                self._hide(p)
                down[up[p]] = down[p]
                up[down[p]] = up[p]
                choice[level] = p
                mode[level] = TAKEN
                self._commit(p)
                level += 1
                state = ENTER
            else:
                if level == 0:
                    state = END
                    break
                level -= 1
                p = choice[level]
                if mode[level] == BRANCH:
                    self._uncommit(p)
                    item = top[p]
                    p = down[p]
                    if p == item:
                        self._uncover(item)
                        continue
                    choice[level] = p
                    self._commit(p)
                    level += 1
                    state = ENTER
                elif mode[level] == TAKEN:
                    self._uncommit(p)
                    mode[level] = EXCLUDED
                    level += 1
                    state = FREE
                else:
                    up[down[p]] = p
                    down[up[p]] = p
                    self._unhide(p)
        self.level = level
        self.state = state
        return code

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _hide(self, p: cython.int) -> cython.void:
        """Remove the option of node p from all lists except p's own."""
        top: cython.p_int = self.top
        up: cython.p_int = self.up
        down: cython.p_int = self.down
        colour: cython.p_int = self.colour
        size: cython.p_int = self.size
        coloured: cython.bint = self.coloured
        updates: cython.int = 0
        q: cython.int = p + 1
        i: cython.int
        u: cython.int
        d: cython.int
        while q != p:
            i = top[q]
            if i < 0:
                q = up[q]
                continue
            if not coloured or colour[q] >= 0:
                u = up[q]
                d = down[q]
                down[u] = d
                up[d] = u
                size[i] -= 1
                updates += 1
            q += 1
        self._updates += updates

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _unhide(self, p: cython.int) -> cython.void:
        """Undo `_hide`. The order within an option does not matter, since its nodes are in different lists."""
        top: cython.p_int = self.top
        up: cython.p_int = self.up
        down: cython.p_int = self.down
        colour: cython.p_int = self.colour
        size: cython.p_int = self.size
        coloured: cython.bint = self.coloured
        q: cython.int = p + 1
        i: cython.int
        while q != p:
            i = top[q]
            if i < 0:
                q = up[q]
                continue
            if not coloured or colour[q] >= 0:
                down[up[q]] = q
                up[down[q]] = q
                size[i] += 1
            q += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _cover(self, i: cython.int) -> cython.void:
        """Item i is covered: hide its options. The list itself is kept, so that `_uncover` can walk it."""
        p: cython.int = self.down[i]
        while p != i:
            self._hide(p)
            p = self.down[p]
        self.right[self.left[i]] = self.right[i]
        self.left[self.right[i]] = self.left[i]
        self._updates += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _uncover(self, i: cython.int) -> cython.void:
        """Undo `_cover`."""
        p: cython.int = self.up[i]
        self.right[self.left[i]] = i
        self.left[self.right[i]] = i
        while p != i:
            self._unhide(p)
            p = self.up[p]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _purify(self, p: cython.int) -> cython.void:
        """Let the item of p show p's colour: hide the options of other colours, and mark the nodes of this colour."""
        i: cython.int = self.top[p]
        c: cython.int = self.colour[p]
        q: cython.int = self.down[i]
        self.colour[i] = c
        while q != i:
            if self.colour[q] == c:
                self.colour[q] = -1
            else:
                self._hide(q)
            q = self.down[q]
        self._updates += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _unpurify(self, p: cython.int) -> cython.void:
        """Undo `_purify`. The node p itself was never marked, since its option was not in the list."""
        i: cython.int = self.top[p]
        c: cython.int = self.colour[p]
        q: cython.int = self.up[i]
        while q != i:
            if self.colour[q] < 0:
                self.colour[q] = c
            else:
                self._unhide(q)
            q = self.up[q]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _commit(self, p: cython.int) -> cython.void:
        """Take the option of p, whose own item is covered already: cover or purify its other items,
        from left to right."""
        q: cython.int = p + 1
        i: cython.int
        while q != p:
            i = self.top[q]
            if i < 0:
                q = self.up[q]
                continue
            if self.colour[q] == 0:
                if i != self.n:
                    self._cover(i)
            elif self.colour[q] > 0:
                self._purify(q)
            q += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _uncommit(self, p: cython.int) -> cython.void:
        """Undo `_commit`, from right to left."""
        q: cython.int = p - 1
        i: cython.int
        while q != p:
            i = self.top[q]
            if i < 0:
                q = self.down[q]
                continue
            if self.colour[q] == 0:
                if i != self.n:
                    self._uncover(i)
            elif self.colour[q] > 0:
                self._unpurify(q)
            q -= 1
