"""Dancing Links for any bounds, colours and costs: finds every answer, or ever cheaper ones.

**How it branches.** At a node the unmet item with the fewest ways is chosen. Its first live option is
*removed* from all lists and *taken*. When everything below is finished, the option is no longer taken but stays
removed (*excluded*), and the next option follows. Taking an option lowers the needs of its items. An item that
is met leaves the circle of unmet items, and if its upper bound can't be exceeded its list is no longer kept. So in a
covering problem columns are removed and rows are not. When an item is full, or shows a colour, the other options that
hold it, or hold it with another colour, are removed.

**Data.** A *node* is one item of one option. Item i heads its own list as node i < n; option o has the nodes
begin[o] … begin[o+1]-1. An option has no node for an item that is met and has room for all its options, or that
already shows the colour which the option has there.

    top[p], owner[p], shade[p]  item, option and colour of node p
    up, down      the neighbours of p in its item's list, circular through the header. The list holds exactly
                  the live options of the item as long as it is *kept*, that is, while the item has a need or is
                  bounded, shows no colour, and is not full. After that it stays unchanged, to be walked when undoing
    size[i]       the length of item i's list
    needs[i], rooms[i]  how many more options item i must have (below 1: none) and may have
    bounded[i]    1 if the item may have more live options than room, or if it has colours
    shown[i]      the colour item i shows now, or 0; setter[i]: the node that set it
    left, right   the unmet items, circular through n
    before, after the live options that may be taken when no item needs them, circular through the number of options:
                  all live options, or with goal 'minimum' those of negative cost
    starved       how many items need more options than their list has
    paid, credit  the cost of the options taken; the sum of the negative costs of live options. The absolute values of
                  all costs add up to less than 2**62, so these, cutoff - paid, and paid + bound fit in 63 bits
    price, rc     the prices of items from the root's linear program (narrowed.py), and the reduced costs that they
                  leave; 2**SCALE of their units make a cost of 1; all 0 if there are no prices. A price above 0 is paid
                  for each option that an item needs, one below 0 for each that it has room for
    more          what the linear program's other rows pay for each option: those that are no items
    promise, discount  the sum of price · need, or price · room where that is below 0, over the items, and of `more`
                  over what is still to be taken; the sum of the negative rc of live options. Their sum is a lower bound
                  for what must still be paid, and takes just one addition to compute
    sharp         whether options are looked at by their reduced costs: none is taken that costs more than is left, and
                  a node is given up if its items' cheapest options do. What is tried keeps its order
    cutoff        answers must cost less than this, if `limited`
    option, item, mode  per level: an option that is CHOSEN, DROPPED or FORCED, and the item it was tried for (-1: no
                  item). What an estimate excludes or forces lies on levels between the node and its first child
    weight        per level: its node's share of the tree, if the ways of every node share equally. Only for reporting
                  progress

Changes are undone in the reverse order, so that every condition has the same value when its change is undone.

Source: Knuth, TAOCP 7.2.2.1, Algorithms C and M. Instead of M's tweaking, a tried option is excluded for its
later siblings, which also keeps sets of options from being visited twice in covering problems (the published
repeat-cover solvers visit them again and again). When an item is starved, the node is given up at once.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from covr.engine.kernels.shared import shim as cython

if cython.compiled:
    from cython.cimports.covr.engine.kernels.shared._kernel import (
        ASK,
        CLASSIC,
        DONE,
        FOUND,
        HUGE,
        LOOK_OPTIONS,
        LOOK_STEPS,
        PYTHON,
        SCALE,
        SLICE,
        KernelBase,
    )
    from cython.cimports.covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs, _zero_reals
else:
    from covr.engine.kernels.header import (
        ASK,
        CLASSIC,
        DONE,
        FOUND,
        HUGE,
        LOOK_OPTIONS,
        LOOK_STEPS,
        PYTHON,
        SCALE,
        SLICE,
    )
    from covr.engine.kernels.loading import load
    from covr.engine.kernels.shared.arrays import _ints, _longs, _zero_ints, _zero_longs, _zero_reals

    KernelBase = load("_kernel", interpreted=True).KernelBase

COMPILED = cython.compiled

MOST = cython.declare(cython.longlong, 1 << 60)  # units of a price: sums of reduced costs are not told apart above it

# The states of the search between two slices.
ENTER = cython.declare(cython.int, 0)  # work out the node's bound
JUDGE = cython.declare(cython.int, 1)  # the bound is known: compare it with the cutoff
CHOOSE = cython.declare(cython.int, 2)  # choose an item to branch on
NEXT = cython.declare(cython.int, 3)  # take the item's next option
OVER = cython.declare(cython.int, 4)  # the top level is finished
ENDED = cython.declare(cython.int, 5)  # every node was visited

# The values of `mode`.
CHOSEN = cython.declare(cython.int, 0)
DROPPED = cython.declare(cython.int, 1)
FORCED = cython.declare(cython.int, 2)  # taken, and not excluded afterwards


def _go_on():
    """Stops nothing; the place of `look` where nobody asked for one."""


@cython.final
@cython.cclass
class General(KernelBase):
    """A kernel (see loading.py) for any problem without sides, after `take_given` took the given options. It is also
    the `View` through which estimates read its current node."""

    now: cython.int  # the item that the current node branches on, or -1
    n: cython.int
    m: cython.int
    minimum: cython.bint
    estimate: cython.int
    starved: cython.int
    stamp: cython.int
    taken: cython.int
    running: cython.bint  # whether a thread is in `run`, so that the view must not be read
    limited: cython.bint
    rooted: cython.bint
    cutoff: cython.longlong
    _paid: cython.longlong
    _credit: cython.longlong
    promise: cython.longlong
    discount: cython.longlong
    priced: cython.bint
    sharp: cython.bint
    price: cython.p_longlong
    more: cython.p_longlong
    rc: cython.p_longlong
    value: cython.longlong  # the bound of the current node
    root: cython.longlong  # paid + bound at the first node
    begin: cython.p_int
    top: cython.p_int
    owner: cython.p_int
    shade: cython.p_int
    up: cython.p_int
    down: cython.p_int
    size: cython.p_int
    needs: cython.p_int
    rooms: cython.p_int
    bounded: cython.p_int
    shown: cython.p_int
    setter: cython.p_int
    left: cython.p_int
    right: cython.p_int
    before: cython.p_int
    after: cython.p_int
    mark: cython.p_int
    option: cython.p_int
    item: cython.p_int
    mode: cython.p_int
    weight: cython.p_double
    costs: cython.p_longlong
    _problem: object

    def __init__(self, problem, residual, minimum, estimate, paid, cutoff, prices=(), look=None, more=(), base=0):
        """residual: what `take_given` left.  minimum: whether every answer must be cheaper than those before.
        estimate: the sum of CLASSIC and PYTHON of header.py.  paid: what the given options cost.
        cutoff: answers must cost less than this, or None.  prices: per item, in units of 2**-SCALE, or empty.
        more, base: of a linear program's root (`RootPrices` of narrowed.py), which make the search `sharp`; else empty.
        look: called every few milliseconds while the links are made; it may raise an exception to stop.

        Takes time and space linear in the total length of the options.
        """
        super().__init__()
        if look is None:
            look = _go_on
        hold: list = self.hold
        n: cython.int = problem.items
        m: cython.int = problem.options
        z: cython.int = n + len(problem.members)
        i: cython.int
        o: cython.int
        k: cython.int
        p: cython.int
        c: cython.int
        cost: cython.longlong
        left_over: cython.longlong
        coloured: cython.bint = bool(problem.colours)
        starts: cython.p_int = _ints(problem.starts, hold)
        members: cython.p_int = _ints(problem.members, hold)
        look()
        colours: cython.p_int = _ints(problem.colours, hold)
        fixed: cython.p_int = _ints(residual.fixed, hold)
        live: cython.p_int = _ints(residual.live, hold)
        look()
        self.needs = need = _ints(residual.need, hold)
        self.rooms = room = _ints(residual.room, hold)
        self.costs = costs = _longs(problem.costs or [0] * m, hold)
        self.priced = bool(prices) or bool(more)
        self.sharp = bool(more)
        self.price = price = _longs(prices, hold) if prices else _zero_longs(n + 1, hold)
        self.more = extra = _longs(more, hold) if more else _zero_longs(m + 1, hold)
        look()
        reached: cython.p_int = _zero_ints(n + 1, hold)
        self.bounded = bounded = _zero_ints(n + 1, hold)
        for o in range(m):
            if o % LOOK_OPTIONS == 0:
                look()
            if live[o]:
                for k in range(starts[o], starts[o + 1]):
                    i = members[k]
                    reached[i] += 1
                    if coloured and colours[k]:
                        bounded[i] = 1
        self.top = top = _zero_ints(z + 1, hold)
        self.owner = owner = _zero_ints(z + 1, hold)
        self.shade = shade = _zero_ints(z + 1, hold)
        self.up = up = _zero_ints(z + 1, hold)
        self.down = down = _zero_ints(z + 1, hold)
        self.size = size = _zero_ints(n + 1, hold)
        self.begin = begin = _zero_ints(m + 2, hold)
        self.before = before = _zero_ints(m + 2, hold)
        self.after = after = _zero_ints(m + 2, hold)
        self.rc = rc = _zero_longs(m + 2, hold)
        for i in range(n):
            bounded[i] = room[i] < reached[i] or bounded[i]
            top[i] = up[i] = down[i] = i
        before[m] = after[m] = m
        self._credit = self.discount = 0
        p = n
        for o in range(m):
            if o % LOOK_OPTIONS == 0:
                look()
            begin[o] = p
            before[o] = after[o] = o
            if live[o] == 0:
                continue
            cost = costs[o]
            left_over = 0
            for k in range(starts[o], starts[o + 1]):
                i = members[k]
                c = colours[k] if coloured else 0
                if c == 0 and (need[i] > 0 if price[i] > 0 else bounded[i] != 0):
                    left_over -= price[i]
                if not (need[i] != 0 or bounded[i] != 0) or (c != 0 and fixed[i] == c):
                    continue
                top[p] = i
                owner[p] = o
                shade[p] = c
                up[p] = up[i]
                down[p] = i
                down[up[i]] = p
                up[i] = p
                size[i] += 1
                p += 1
            if not minimum or cost < 0:
                before[o], after[o] = before[m], m
                after[before[m]] = o
                before[m] = o
            self._credit += min(cost, 0)
            if self.priced:
                rc[o] = (cost << SCALE) + left_over - extra[o]
                self.discount += min(rc[o], 0)
        begin[m] = p
        self.left = left = _zero_ints(n + 2, hold)
        self.right = right = _zero_ints(n + 2, hold)
        left[n] = right[n] = n
        self.promise = base
        self.starved = 0
        for i in range(n):
            left[i] = right[i] = i
            if need[i] != 0:
                left[i], right[i] = left[n], n
                right[left[n]] = i
                left[n] = i
            if price[i] > 0:
                self.promise += need[i] * price[i]
            elif bounded[i] != 0:
                self.promise += room[i] * price[i]
            self.starved += need[i] > size[i]
        self.shown = _zero_ints(n + 1, hold)
        self.setter = _zero_ints(n + 1, hold)
        self.mark = _zero_ints(n + 1, hold)
        self.option = _zero_ints(m + 1, hold)
        self.item = _zero_ints(m + 1, hold)
        self.mode = _zero_ints(m + 1, hold)
        self.weight = _zero_reals(m + 3, hold)
        self.weight[0] = 1.0
        self._problem = problem
        self.n = n
        self.m = m
        self.minimum = minimum
        self.estimate = estimate
        self.stamp = self.taken = 0
        self.now = -1
        self._paid = paid
        self.limited = cutoff is not None and cutoff < HUGE
        self.cutoff = max(cutoff, -HUGE) if self.limited else 0
        self.rooted = self.running = False
        self.root = self.value = 0
        self.state = ENTER if residual.feasible else ENDED

    def fraction(self):
        """How much of the tree is done, from 0 to 1, if the ways of every node share equally."""
        if self.state == ENDED:
            return 1.0
        rest = 0.0 if self.state == OVER else self.weight[self.level]
        for k in range(self.level):
            if self.mode[k] != DROPPED:
                rest += self.weight[k] - self.weight[k + 1]
        return min(max(1.0 - rest, 0.0), 1.0)

    def run(self, nodes: cython.longlong, answers: cython.longlong):
        """Search for at most `nodes` more nodes and `answers` more answers; returns a code of header.py.

        Raises RuntimeError if another thread is in `run`.
        """
        code: cython.int
        self._idle()
        self.running = True
        code = KernelBase.run(self, nodes, answers)
        self.running = False
        return code

    def _idle(self):
        """Raise RuntimeError if another thread is in `run`, because the node is being changed then."""
        if self.running:
            raise RuntimeError("this search is running in another thread; a view is for the call it is given to")

    def answer(self):
        """The options taken on the levels, in the order they were taken."""
        return [self.option[k] for k in range(self.level) if self.mode[k] != DROPPED]

    def cutoff_left(self):
        """cutoff - paid: what is still to be taken must cost less than this; None while there is no cutoff."""
        return self.cutoff - self._paid if self.limited else None

    def tell(self, bound, exclude=(), force=()):
        """Reply to ASK.

        bound: a whole number, a lower bound on what must still be paid; None if the node has no answer below it.
        exclude: options that are in no better answer.  force: options that are in every better answer. Options that
        are not live are ignored. If two forced options exclude each other, there is no better answer.
        """
        o: cython.int
        self.value = HUGE if bound is None else max(min(bound, HUGE), -HUGE)
        if self.value >= HUGE or (self.limited and self._paid + self.value >= self.cutoff):
            return
        total: cython.longlong = self._paid + self.value  # read now, so that no forced option is paid for twice
        force = [o for o in force if self._is_live(o)]
        for o in exclude:
            if self._is_live(o):
                if self.watched and self.witness[o] != 0:
                    self._hold(o)
                self._remove(o, -1)
                self._push(o, DROPPED)
        for o in force:
            if not self._is_live(o):
                self.value = HUGE
                return
            if self.watched and self.witness[o] == 0:
                self._hold(o)
            self._remove(o, -1)
            self._take(o)
            self._push(o, FORCED)
        self.value = HUGE if self.starved > 0 else total - self._paid

    def _is_live(self, option):
        """Whether an option may be taken and can help: it holds an unmet item, or its cost is negative."""
        if not 0 <= option < self.m:
            return False
        for p in range(self.begin[option], self.begin[option + 1]):
            i = self.top[p]
            if self.needs[i] > 0 and self.shown[i] == 0:
                return option in self.options(i)
        if self.costs[option] < 0:
            o = self.after[self.m]
            while o != self.m:
                if o == option:
                    return True
                o = self.after[o]
        return False

    def told(self):
        """What excluded the witness, and which option an estimate settled otherwise; -1 for none."""
        return ("the bound" if self.starved == 0 else "an item"), self.lost - 2

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _hold(self, option: cython.int) -> cython.bint:
        """Note that the present node excludes the witness, if it lies below it and answers as cheap are looked for.
        option: what an estimate settles otherwise; -1 where the node is closed. Returns whether that was noted."""
        k: cython.int
        if self.limited and self.worth >= self.cutoff:
            return False
        for k in range(self.level):
            if (self.mode[k] == DROPPED) == (self.witness[self.option[k]] != 0):
                return False
        self.lost = option + 2
        return True

    @cython.cfunc
    @cython.exceptval(check=False)
    def _push(self, o: cython.int, mode: cython.int) -> cython.void:
        """Add a level for an option that is excluded or forced everywhere below the node."""
        self.weight[self.level + 1] = self.weight[self.level]
        self.option[self.level] = o
        self.item[self.level] = -1
        self.mode[self.level] = mode
        self.level += 1

    def lower(self, cutoff):
        """From now on, answers must cost less than `cutoff`."""
        cutoff = max(min(cutoff, HUGE), -HUGE)
        self.cutoff = min(self.cutoff, cutoff) if self.limited else cutoff
        self.limited = True

    def root_bound(self):
        """A lower bound for the cost of every answer, from the first node; None before that, or without an answer."""
        return self.root if self.rooted and self.root < HUGE else None

    # The view. Numbers that are not those of an item or option raise IndexError, as with a list.

    @property
    def problem(self):
        """The problem that is searched."""
        return self._problem

    @property
    def paid(self):
        """The cost of the options taken, given ones included."""
        return self._paid

    @property
    def depth(self):
        """How many options were taken, given ones not counted."""
        return self.taken

    @property
    def credit(self):
        """The sum of the negative costs of live options: 0 or less."""
        return self._credit

    def _item(self, item):
        self._idle()
        if not 0 <= item < self.n:
            raise IndexError(f"there is no item {item}: they are 0 to {self.n - 1}")
        return item

    def _option(self, option):
        self._idle()
        if not 0 <= option < self.m:
            raise IndexError(f"there is no option {option}: they are 0 to {self.m - 1}")
        return option

    def uncovered(self):
        """The items that need more options, increasing. Takes time linear in their number."""
        self._idle()
        items = []
        i = self.right[self.n]
        while i != self.n:
            items.append(i)
            i = self.right[i]
        return items

    def need(self, item):
        """How many more options the item must have; 0 if it has enough."""
        return max(self.needs[self._item(item)], 0)

    def options(self, item):
        """The live options of an item that needs more of them, increasing; an empty list if it needs none."""
        options: list = []
        if self.needs[self._item(item)] <= 0:
            return options
        p = self.down[item]
        while p != item:
            options.append(self.owner[p])
            p = self.down[p]
        return options

    def reach(self, option):
        """The items of the option that need more options, increasing."""
        self._option(option)
        nodes = range(self.begin[option], self.begin[option + 1])
        return [self.top[p] for p in nodes if self.needs[self.top[p]] > 0]

    def cost(self, option):
        """What the option costs."""
        return self.costs[self._option(option)]

    # The search.

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _run(self, end: cython.longlong, until: cython.longlong) -> cython.int:
        state: cython.int = self.state
        pause: cython.longlong = self._updates + LOOK_STEPS
        code: cython.int = DONE
        o: cython.int
        while state != ENDED:
            if state == NEXT:
                if self.starved > 0 or (self.limited and self._paid + self._credit >= self.cutoff):
                    state = OVER
                    if self.watched and self._hold(-1):
                        break
                    continue
                if self.now >= 0:
                    o = self.owner[self.down[self.now]]
                else:
                    o = self.after[self.m]
                    if o == self.m:
                        state = OVER
                        self._answers += 1
                        if self.minimum:
                            self.limited = True
                            self.cutoff = self._paid
                        if self._answers >= until:
                            code = FOUND
                            break
                        continue
                if self.now >= 0:
                    self.weight[self.level + 1] = self.weight[self.level] / (
                        self.size[self.now] - self.needs[self.now] + 1
                    )
                else:
                    self.weight[self.level + 1] = self.weight[self.level] / 2
                if self.sharp and self._is_beyond(max(self.rc[o], 0)):
                    self.weight[self.level + 1] = self.weight[self.level] - self.weight[self.level + 1]
                    self._remove(o, -1)
                    self.option[self.level] = o
                    self.item[self.level] = self.now
                    self.mode[self.level] = DROPPED
                    self.level += 1
                    continue
                self._remove(o, -1)
                self._take(o)
                self.option[self.level] = o
                self.item[self.level] = self.now
                self.mode[self.level] = CHOSEN
                self.level += 1
                state = ENTER
            elif state == ENTER:
                if self._nodes >= end or self._updates >= pause:
                    code = SLICE
                    break
                self._nodes += 1
                if self.starved > 0:
                    state = OVER
                    if self.watched and self._hold(-1):
                        break
                elif not self.limited and (self.rooted or not self.minimum):
                    state = CHOOSE
                elif self.estimate == PYTHON:
                    state = JUDGE
                    code = ASK
                    break
                else:
                    self.value = self._credit
                    if self.priced:
                        self.value = max(self.value, -((-self.promise - self.discount) >> SCALE))
                    if self.sharp:
                        if not self._is_beyond(0) and self._reduced():
                            self.value = HUGE
                    elif self.estimate == CLASSIC and not (self.limited and self._paid + self.value >= self.cutoff):
                        promised: cython.longlong = self.value
                        self.value = self._credit
                        self._classic()
                        self.value = max(self.value, promised)
                    state = JUDGE
            elif state == JUDGE:
                if not self.rooted:
                    self.rooted = True
                    self.root = HUGE if self.value >= HUGE else self._paid + self.value
                state = CHOOSE
                if self.value >= HUGE or (self.limited and self._paid + self.value >= self.cutoff):
                    state = OVER
                    if self.watched and self._hold(-1):
                        break
            elif state == CHOOSE:
                self.now = self._choose()
                state = NEXT
            else:
                if self.level == 0:
                    state = ENDED
                    break
                o = self.option[self.level - 1]
                if self.mode[self.level - 1] == CHOSEN:
                    self._leave(o)
                    self.mode[self.level - 1] = DROPPED
                    self.weight[self.level] = self.weight[self.level - 1] - self.weight[self.level]
                    self.now = self.item[self.level - 1]
                    state = NEXT
                else:
                    if self.mode[self.level - 1] == FORCED:
                        self._leave(o)
                    self._restore(o, -1)
                    self.level -= 1
        self.state = state
        return code

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _choose(self) -> cython.int:
        """The unmet item with the fewest ways, the lowest on ties; -1 if there is none. Only called when no item is
        starved."""
        item: cython.int = -1
        least: cython.int = 0
        ways: cython.int
        i: cython.int = self.right[self.n]
        while i != self.n:
            ways = self.size[i] - self.needs[i]
            if item < 0 or ways < least:
                least = ways
                item = i
                if ways == 0:
                    break
            i = self.right[i]
        return item

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _remove(self, o: cython.int, own: cython.int) -> cython.void:
        """Make option o no longer live: remove its nodes, except the node `own`, from all lists that are kept."""
        q: cython.int
        i: cython.int
        u: cython.int
        d: cython.int
        updates: cython.int = 0
        for q in range(self.begin[o], self.begin[o + 1]):
            i = self.top[q]
            if q != own and self.shown[i] == 0 and (self.bounded[i] != 0 or self.needs[i] > 0):
                u = self.up[q]
                d = self.down[q]
                self.down[u] = d
                self.up[d] = u
                if self.size[i] == self.needs[i]:
                    self.starved += 1
                self.size[i] -= 1
                updates += 1
        if not self.minimum or self.costs[o] < 0:
            u = self.before[o]
            d = self.after[o]
            self.after[u] = d
            self.before[d] = u
            updates += 1
        if self.costs[o] < 0:
            self._credit -= self.costs[o]
        if self.rc[o] < 0:
            self.discount -= self.rc[o]
        self._updates += updates

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _restore(self, o: cython.int, own: cython.int) -> cython.void:
        """Undo `_remove`. The order within an option does not matter, since its nodes are in different lists."""
        q: cython.int
        i: cython.int
        for q in range(self.begin[o], self.begin[o + 1]):
            i = self.top[q]
            if q != own and self.shown[i] == 0 and (self.bounded[i] != 0 or self.needs[i] > 0):
                self.down[self.up[q]] = q
                self.up[self.down[q]] = q
                self.size[i] += 1
                if self.size[i] == self.needs[i]:
                    self.starved -= 1
        if not self.minimum or self.costs[o] < 0:
            self.after[self.before[o]] = o
            self.before[self.after[o]] = o
        if self.costs[o] < 0:
            self._credit += self.costs[o]
        if self.rc[o] < 0:
            self.discount += self.rc[o]

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _take(self, o: cython.int) -> cython.void:
        """Take a removed option and pay for it: lower the needs of its items, then close full items and set colours."""
        q: cython.int
        i: cython.int
        r: cython.int
        for q in range(self.begin[o], self.begin[o + 1]):
            i = self.top[q]
            if self.shade[q] == 0:
                if self.size[i] == self.needs[i] - 1:
                    self.starved -= 1
                if self.needs[i] > 0 and self.price[i] > 0:
                    self.promise -= self.price[i]
                self.needs[i] -= 1
                if self.needs[i] == 0:
                    self.right[self.left[i]] = self.right[i]
                    self.left[self.right[i]] = self.left[i]
                    self._updates += 1
        for q in range(self.begin[o], self.begin[o + 1]):
            i = self.top[q]
            if self.shade[q] != 0:
                if self.shown[i] == 0:
                    self.shown[i] = self.shade[q]
                    self.setter[i] = q
                    self._updates += 1
                    r = self.down[i]
                    while r != i:
                        if self.shade[r] != self.shade[q]:
                            self._remove(self.owner[r], r)
                        r = self.down[r]
            elif self.bounded[i] != 0:
                self.rooms[i] -= 1
                if self.price[i] < 0:
                    self.promise -= self.price[i]
                if self.rooms[i] == 0:
                    r = self.down[i]
                    while r != i:
                        self._remove(self.owner[r], r)
                        r = self.down[r]
        self._paid += self.costs[o]
        self.promise -= self.more[o]
        self.taken += 1

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _leave(self, o: cython.int) -> cython.void:
        """Undo `_take`."""
        first: cython.int = self.begin[o]
        q: cython.int = self.begin[o + 1] - 1
        i: cython.int
        r: cython.int
        self._paid -= self.costs[o]
        self.promise += self.more[o]
        self.taken -= 1
        while q >= first:
            i = self.top[q]
            if self.shade[q] != 0:
                if self.setter[i] == q:
                    r = self.up[i]
                    while r != i:
                        if self.shade[r] != self.shade[q]:
                            self._restore(self.owner[r], r)
                        r = self.up[r]
                    self.shown[i] = 0
                    self.setter[i] = 0
            elif self.bounded[i] != 0:
                if self.rooms[i] == 0:
                    r = self.up[i]
                    while r != i:
                        self._restore(self.owner[r], r)
                        r = self.up[r]
                self.rooms[i] += 1
                if self.price[i] < 0:
                    self.promise += self.price[i]
            q -= 1
        q = self.begin[o + 1] - 1
        while q >= first:
            i = self.top[q]
            if self.shade[q] == 0:
                if self.needs[i] == 0:
                    self.right[self.left[i]] = i
                    self.left[self.right[i]] = i
                self.needs[i] += 1
                if self.needs[i] > 0 and self.price[i] > 0:
                    self.promise += self.price[i]
                if self.size[i] == self.needs[i] - 1:
                    self.starved += 1
            q -= 1

    @cython.cfunc
    @cython.inline
    @cython.nogil
    @cython.exceptval(check=False)
    def _is_beyond(self, extra: cython.longlong) -> cython.bint:
        """Whether no answer is cheap enough whose reduced costs from here on add up to `extra`, or more."""
        return self.limited and self._paid - ((-self.promise - self.discount - extra) >> SCALE) >= self.cutoff

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _reduced(self) -> cython.bint:
        """Whether the reduced costs of the cheapest options show that no answer below is cheap enough: those of one
        item, or of several no two of which share an option, by the strike-out of `_classic`."""
        i: cython.int
        p: cython.int
        q: cython.int
        o: cython.int
        least: cython.longlong
        total: cython.longlong = 0
        if self.stamp == 2000000000:
            self.stamp = 0
            for i in range(self.n):
                self.mark[i] = 0
        self.stamp += 1
        i = self.right[self.n]
        while i != self.n:
            least = MOST
            p = self.down[i]
            while p != i:
                if self.rc[self.owner[p]] < least:
                    least = self.rc[self.owner[p]]
                p = self.down[p]
            least = MOST if least > MOST // self.needs[i] else max(least, 0) * self.needs[i]
            if self.mark[i] != self.stamp:
                total = least = min(total + least, MOST)
                p = self.down[i]
                while p != i:
                    o = self.owner[p]
                    for q in range(self.begin[o], self.begin[o + 1]):
                        self.mark[self.top[q]] = self.stamp
                    p = self.down[p]
            if self._is_beyond(least):
                return True
            i = self.right[i]
        return False

    @cython.cfunc
    @cython.nogil
    @cython.exceptval(check=False)
    def _classic(self) -> cython.void:
        """Raise `value` by the strike-out count (minimum/estimates.py), but not beyond the cutoff."""
        i: cython.int
        p: cython.int
        q: cython.int
        o: cython.int
        least: cython.longlong
        price: cython.longlong
        if self.stamp == 2000000000:
            self.stamp = 0
            for i in range(self.n):
                self.mark[i] = 0
        self.stamp += 1
        i = self.right[self.n]
        while i != self.n:
            if self.mark[i] != self.stamp:
                least = HUGE
                p = self.down[i]
                while p != i:
                    o = self.owner[p]
                    price = self.costs[o]
                    if price < 0:
                        price = 0
                    if price < least:
                        least = price
                    for q in range(self.begin[o], self.begin[o + 1]):
                        self.mark[self.top[q]] = self.stamp
                    p = self.down[p]
                self.value += least * self.needs[i]
                if self.limited and self._paid + self.value >= self.cutoff:
                    return
            i = self.right[i]
