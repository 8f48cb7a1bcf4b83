"""Counts the answers of a problem by CP-SAT. Connections and loops are cuts, added wherever an answer breaks them.
Shares nothing with covr's engines but the `Problem`."""

from __future__ import annotations

from typing import Any

from covr.engine.problem import Areas, Circuit, Connection, Forest, Problem, Total


class Counting:
    """One problem, handed to CP-SAT."""

    def __init__(self, problem: Problem) -> None:
        from ortools.sat.python import cp_model

        self.problem = problem
        self.model = cp_model.CpModel()
        self.taken = [self.model.new_bool_var("") for _ in range(problem.options)]
        for i in range(problem.items):
            self._item(i)
        for o in problem.given:
            self.model.add(self.taken[o] == 1)
        for side in problem.sides:
            if isinstance(side, Total):
                added = sum(n * self.taken[o] for o, n in side.terms)
                allowed = cp_model.Domain.from_intervals([list(pair) for pair in side.sums])
                self.model.add_linear_expression_in_domain(added, allowed)
            elif isinstance(side, Circuit):
                self._circuit(side)
            elif isinstance(side, Areas):
                area_rules(self.model, self.taken, side)
        self.solver = cp_model.CpSolver()
        self.solver.parameters.num_workers = 1
        self.found = (cp_model.OPTIMAL, cp_model.FEASIBLE)

    def _item(self, i: int) -> None:
        problem, x = self.problem, self.taken
        low, high = problem.low[i], problem.high[i]
        colours: dict[int, Any] = {}
        parts, held = [], []
        for o, colour in problem.column(i):
            held.append(x[o])
            if not colour:
                parts.append(x[o])
                continue
            if colour not in colours:
                colours[colour] = self.model.new_bool_var("")
                parts.append(colours[colour])
            self.model.add_implication(x[o], colours[colour])
        self.model.add(sum(parts) <= high)
        self.model.add(sum(held) >= low)

    def _circuit(self, side: Circuit) -> None:
        at: dict[int, list[Any]] = {}
        for o, u, v in side.ends:
            at.setdefault(u, []).append(self.taken[o])
            at.setdefault(v, []).append(self.taken[o])
        for lines in at.values():
            self.model.add(sum(lines) == 2 * self.model.new_bool_var(""))
        self.model.add(sum(self.taken[o] for o, _, _ in side.ends) >= 1)

    def count(self, most: int) -> int:
        """How many answers there are, at most so many."""
        number = 0
        while number < most and self.solver.solve(self.model) in self.found:
            answer = {o for o, x in enumerate(self.taken) if self.solver.value(x)}
            broken = [self._cut(side, answer) for side in self.problem.sides]  # each adds its cut
            if any(broken):
                continue
            number += 1
            self.model.add_bool_or([x.Not() if o in answer else x for o, x in enumerate(self.taken)])
        return number

    def _cut(self, side: Any, answer: set[int]) -> bool:
        """Whether an answer breaks a side; then no later one does in the same way."""
        if isinstance(side, Connection):
            return self._parted(side, answer)
        if isinstance(side, Forest):
            return self._ring(side, answer)
        return isinstance(side, Circuit) and self._loops(side, answer)

    def _ring(self, side: Forest, answer: set[int]) -> bool:
        """Whether something is left when all that touches one other at most is taken away, again and again."""
        stands = {v: o for o, v in side.places if o in answer}
        while leaves := [v for v in stands if sum(v in edge and stands.keys() >= {*edge} for edge in side.edges) < 2]:
            for v in leaves:
                del stands[v]
        if stands:
            self.model.add_bool_or([self.taken[o].Not() for o in set(stands.values())])
        return bool(stands)

    def _parted(self, side: Connection, answer: set[int]) -> bool:
        near: dict[int, set[int]] = {}
        for u, v in side.edges:
            near.setdefault(u, set()).add(v)
            near.setdefault(v, set()).add(u)
        stands = {v: o for o, v in side.places if o in answer}
        if not stands:
            return False
        piece, todo = set(), [min(stands)]
        while todo:
            v = todo.pop()
            if v not in piece:
                piece.add(v)
                todo += [w for w in near.get(v, ()) if w in stands]
        outside = [o for v, o in stands.items() if v not in piece]
        if not outside:
            return False
        rim = set().union(*(near.get(v, set()) for v in piece)) - piece
        bridge = sum(self.taken[o] for o in {o for o, v in side.places if v in rim})
        inside = stands[min(piece)]
        for other in set(outside):
            self.model.add(self.taken[inside] + self.taken[other] <= 1 + bridge)
        return True

    def _loops(self, side: Circuit, answer: set[int]) -> bool:
        ends = {o: (u, v) for o, u, v in side.ends if o in answer}
        loop, places = {min(ends)}, set(ends[min(ends)])
        while more := {o for o, pair in ends.items() if o not in loop and places & set(pair)}:
            loop |= more
            places |= {v for o in more for v in ends[o]}
        others = [self.taken[o] for o, _, _ in side.ends if o not in loop]
        if len(loop) == len(ends):
            return False
        self.model.add(sum(others) <= len(others) * (len(loop) - sum(self.taken[o] for o in loop)))
        return True


def area_rules(model: Any, taken: list[Any], side: Areas) -> None:
    """States areas. Each vertex that is met has the least vertex of its area as its root, and a parent beside it, down
    to the root."""
    from ortools.sat.python import cp_model

    standing: dict[int, list[Any]] = {v: [] for v in (*side.always, *(v for _, v in side.places))}
    for o, v in side.places:
        standing[v].append(taken[o])
    order = sorted(standing)
    met = {v: model.new_bool_var("") for v in order}
    for v in order:
        model.add_max_equality(met[v], [*standing[v], *([1] if v in side.always else [])])
    rooted = {v: {r: model.new_bool_var("") for r in order if r <= v} for v in order}
    depth = {v: model.new_int_var(0, len(order), "") for v in order}
    parents: dict[int, list[Any]] = {v: [rooted[v][v]] for v in order}
    for v in order:
        model.add(sum(rooted[v].values()) == met[v])
        for r, own in rooted[v].items():
            model.add_implication(own, rooted[r][r])
    for u, v in side.edges:
        if u not in met or v not in met:
            continue
        walls = [taken[o] for o, a, b in side.cuts if (a, b) == (u, v)]
        for r in order:
            one, other = (rooted[w].get(r, 0) for w in (u, v))
            model.add(one == other).only_enforce_if([met[u], met[v], *(wall.Not() for wall in walls)])
            for wall in walls:
                model.add(one + other <= 1).only_enforce_if(wall)
        for a, b in ((u, v), (v, u)):
            arc = model.new_bool_var("")
            for needed in (met[a], *(wall.Not() for wall in walls)):
                model.add_implication(arc, needed)
            model.add(depth[b] == depth[a] + 1).only_enforce_if(arc)
            parents[b].append(arc)
    for v in order:
        model.add(sum(parents[v]) == met[v])
    for one in side.demands:
        sums = cp_model.Domain.from_intervals([list(pair) for pair in one.sums])
        asked = [([r], rooted[r][r]) for r in order]
        if one.anchors is not None:
            held = {r: model.new_bool_var("") for r in order}
            for r in order:
                model.add_max_equality(held[r], [0, *(rooted[a][r] for a in one.anchors if r in rooted.get(a, ()))])
            some = model.new_bool_var("")
            model.add_max_equality(some, [0, *held.values()])
            asked = [(order, some if one.waived else None)]
        for roots, when in asked:
            parts = []
            for o, v, weight in one.terms:
                for r in roots:
                    if r in rooted.get(v, ()):
                        both = [taken[o], rooted[v][r], *([] if one.anchors is None else [held[r]])]
                        counts = model.new_bool_var("")
                        model.add_min_equality(counts, both)
                        parts.append(weight * counts)
            kept = model.add_linear_expression_in_domain(sum(parts), sums)
            kept.only_enforce_if([] if when is None else [when])


def answers_by_cpsat(problem: Problem, most: int = 2) -> int:
    """How many answers a problem has, at most so many."""
    return Counting(problem).count(most)
