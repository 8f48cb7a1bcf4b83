"""What `covr check` says about a model without solving it."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import field

from covr.compiler.compiled import Compiled
from covr.compiler.evaluate.expressions import conjuncts, free_names, pattern_names, replace
from covr.compiler.evaluate.operators import Notes
from covr.compiler.evaluate.scope import Scope
from covr.compiler.evaluate.values import Map
from covr.compiler.evaluate.values.members import Truth
from covr.compiler.lower.families import Family
from covr.compiler.lower.groups import Group, closure
from covr.compiler.lower.keys import KeyPlan, plan_keys
from covr.compiler.lower.lowered import Lowered
from covr.dsl import syntax as s
from covr.dsl.bound_names import unused
from covr.dsl.diagnostics import Diagnostic
from covr.dsl.format import silenced
from covr.dsl.scope import MAX_FAULTS, walk
from covr.dsl.syntax import Expr, Key, Rule
from covr.engine import Problem
from covr.frozen import frozen

# --- loose keys ------------------------------------------------------------------------------------------------------
# Keys that do not depend on the choices of their rule: every choice counts for each of their values. `exactly one rook
# per r`, where nothing says which rook belongs to which `r`, asks for the same thing once for each `r`.


def loose_keys(rule: Rule, families: Sequence[Family], declared: Mapping[str, Group]) -> Iterator[Diagnostic]:
    """A warning (W212) for each key of a rule on which no choice of any of its families depends."""
    plans = [(family, plan_keys(rule.keys, family, declared)) for family in families]
    for at, key in enumerate(rule.keys):
        if any(_depends(at, rule, family, plan) for family, plan in plans):
            continue
        names = " or ".join(f"`{family.name}`" for family in families)
        text = key.span.one_line
        bound = key.pattern.span.one_line if isinstance(key, Key) else text
        indices = ", ".join(f"`{n}`" for n in dict.fromkeys(n for family in families for n in family.indices))
        yield Diagnostic(
            "W212",
            f"no choice of {names} depends on this key: each counts for every value of `{bound}`",
            key.span,
            f"which choices belong to it? say `where …`, with {bound} and {indices}"
            if indices
            else "can it be left out?",
        )


def _depends(at: int, rule: Rule, family: Family, plan: KeyPlan) -> bool:
    """Whether it depends on the choice to which values of key number `at` it belongs, or what it counts there."""
    indices = frozenset(family.indices)
    names, groups = plan.parts[at]
    reached = frozenset(n for g in closure(groups, plan.local) for n in (*g.names, *g.uses)) | frozenset(names)
    if reached & indices:
        return True
    links = [_names(part, plan) for part in conjuncts(rule.where)]
    links += [frozenset((*g.names, *g.uses)) for g in plan.free]
    links += [_names(w, plan) for w, f in zip(rule.weights, rule.families, strict=False) if f.id == family.name]
    while True:
        more = reached.union(*(link for link in links if link & reached))
        if more & indices:
            return True
        if more == reached:
            return False
        reached = more


def _names(part: Expr, plan: KeyPlan) -> frozenset[str]:
    """The index names of a part of the condition, or of a weight; computed keys in it are taken by their own names."""
    return free_names(replace(part, plan.replacements())) & (plan.known | plan.local.keys())


# --- propagate -------------------------------------------------------------------------------------------------------
# Choices that can never be taken: what follows from the matrix by unit propagation alone, without any search.
#
# A taken choice that fills an item excludes the other choices of that item (except those of the same colour), and an
# item with exactly as many options left as it needs takes all of them.


BUDGET = 3_000_000  # how many entries of the matrix are visited at most; this takes some seconds


@frozen
class Propagated:
    """What propagation has proved. taken, dead: for each option, whether it is in every answer, or in none.

    broken: an item that cannot be met, or None. whole: whether the budget was enough to follow every consequence; what
    was found is certain in either case.
    """

    taken: bytearray = field(repr=False)
    dead: bytearray = field(repr=False)
    broken: int | None
    whole: bool


def settle(problem: Problem, given: Iterable[int] = (), *, forced: bool = True, budget: int = BUDGET) -> Propagated:
    """Take the given options and follow the consequences. forced: whether an item with exactly as many options left as
    it needs takes them. If not, options are excluded only by items that are full, among them those with an upper bound
    of 0. Time and memory O(entries of the matrix), at most `budget` entries."""
    return Settler(problem, forced, budget).run(given)


class Settler:
    """The state of the propagation.

    left: for each item, how many of its options are not excluded. held: how many are taken, counting those of one
    colour once. shown: the colour that the item shows.
    """

    def __init__(self, problem: Problem, forced: bool, budget: int) -> None:
        self.problem, self.forced, self.budget = problem, forced, budget
        self.left = list(map(len, problem.holders))
        self.held = [0] * problem.items
        self.shown = [0] * problem.items
        self.taken = bytearray(problem.options)
        self.dead = bytearray(problem.options)
        self.broken: int | None = None
        self.todo: deque[tuple[int, bool]] = deque()

    def run(self, given: Iterable[int]) -> Propagated:
        """Take the given options, and follow what that forces and excludes until nothing changes."""
        self.todo += ((o, True) for o in given)
        for i in range(self.problem.items):
            self.look(i)
        while self.todo and self.broken is None and self.budget > 0:
            o, take = self.todo.popleft()
            if take:
                self.take(o)
            else:
                self.exclude(o)
        return Propagated(self.taken, self.dead, self.broken, self.budget > 0)

    def look(self, i: int) -> None:
        """Draw the conclusions for item i: it is full, or has just as many options left as it needs."""
        low, high = self.problem.low[i], self.problem.high[i]
        if self.left[i] < low or self.held[i] > high:
            self.broken = i if self.broken is None else self.broken
        elif self.held[i] >= high:
            self.budget -= len(self.problem.holders[i])
            for o, colour in self.problem.column(i):
                if not self.taken[o] and not self.dead[o] and not (colour and colour == self.shown[i]):
                    self.todo.append((o, False))
        elif self.forced and self.left[i] == low:
            self.budget -= len(self.problem.holders[i])
            self.todo += ((o, True) for o in self.problem.holders[i] if not self.dead[o] and not self.taken[o])

    def take(self, o: int) -> None:
        """Take option o, unless it is taken already, and exclude what it excludes."""
        if self.taken[o]:
            return
        items = self.problem.option(o)
        if self.dead[o]:
            self.broken = items[0] if len(items) else None
            return
        self.taken[o] = 1
        self.budget -= len(items)
        for i, colour in zip(items, self.problem.option_colours(o), strict=True):
            if not (colour and self.shown[i] == colour):
                self.held[i] += 1
            if colour:
                self.shown[i] = colour
            self.look(i)

    def exclude(self, o: int) -> None:
        """Exclude option o, unless it is excluded already."""
        if self.dead[o]:
            return
        self.dead[o] = 1
        items = self.problem.option(o)
        self.budget -= len(items)
        if self.taken[o]:
            self.broken = items[0]
            return
        for i in items:
            self.left[i] -= 1
            if self.left[i] < self.problem.low[i] or (self.forced and self.left[i] == self.problem.low[i]):
                self.look(i)


# --- review ----------------------------------------------------------------------------------------------------------
# What `covr check` says about a model: everything that can be said without solving it, in source order.
#
# A warning is given only where it is nearly always right: no model of the gallery has one. A choice is called dead if
# it is excluded whatever is given, or if nothing is left of its family; givens are meant to exclude choices.


MOST_LOOKED_UP = 20  # how deep nested calls of functions are followed from a key


def review(compiled: Compiled, noted: Notes | None = None) -> tuple[Diagnostic, ...]:
    """Every warning about a model that its comments do not allow; last, why it has no answer, if that can be seen.
    noted: what was noted of its comparisons while it was compiled. Time linear in the size of the matrix, and bounded.
    """
    model, lowered = compiled.model, compiled.lowered
    statements = own_statements(model)
    first = list(unused(statements))
    unmentioned = {d.span.start for d in first if d.code == "W102" and d.span is not None}
    found = [*first, *(d for d in compiled.warnings if not _about(d, unmentioned, statements))]
    found = [d for d in found if d.code not in ("W210", "W215") or not _by_data(d, compiled)]
    found += _idle(_rules(model), compiled)
    found += _alike(lowered)
    found += (d for rule in _rules(model) for d in computed_keys(rule, compiled))
    asking = {id(origin.statement) for origin in (*lowered.origins, *lowered.side_origins)}
    for rule in _rules(model):
        if id(rule) in asking:
            found += loose_keys(rule, _families(rule, lowered), lowered.declared)
    settled = settle(compiled.problem, compiled.problem.given)
    found += _dead(compiled, settled)
    found += _idle_symmetries(compiled)
    found += _unlike_costs(compiled)
    found += () if noted is None else (d for d in noted.remarks() if d.span and d.span.source == model.source)
    reason = compiled.impossible or _contradiction(compiled, settled)
    expected = any(isinstance(st, s.Expect) and st.kind == "none" and not st.settings for st in statements)
    if reason is not None and not expected:
        found.append(reason)
    kept = silenced(found, model.source, [st for st in statements if not isinstance(st, s.Title)])
    ordered = sorted(dict.fromkeys(kept), key=Diagnostic.order)
    return tuple([d for at, d in enumerate(ordered) if at < MAX_FAULTS or d.word])


def own_statements(model: s.CheckedModel) -> list[s.Statement]:
    """The statements of the model's own file, in source order."""
    own: list[s.Statement] = [d for d in model.definitions if d.span.source is model.source]
    if model.title is not None:
        own.append(s.Title(model.title, model.title.span))
    return sorted([*own, *model.statements], key=lambda st: st.span.start)


def _about(warning: Diagnostic, unmentioned: set[int], statements: Sequence[s.Statement]) -> bool:
    """Whether a W201 is about a family that no rule mentions, which has a warning of its own."""
    return warning.code == "W201" and any(
        isinstance(st, s.Choose) and st.name.span.start in unmentioned and st.span == warning.span for st in statements
    )


def _families(rule: s.Rule, lowered: Lowered) -> list[Family]:
    return [lowered.families[name] for name in dict.fromkeys(f.id for f in rule.families)]


def _rules(model: s.CheckedModel) -> list[s.Rule]:
    return [st for st in model.statements if isinstance(st, s.Rule)]


# --- rules that do nothing, or nothing new -------------------------------------------------------------------


def _idle(rules: Sequence[s.Rule], compiled: Compiled) -> Iterator[Diagnostic]:
    """Rules that have no effect: they have no items, or they reach no choice and want none. If a rule wants choices and
    reaches none, there is no answer, and W203 says so. A rule about data, such as the signs on a board, is for other
    boards, too: that this board has none of a sign says nothing of the rule."""
    lowered = compiled.lowered
    items: dict[int, list[int]] = defaultdict(list)
    for i, origin in enumerate(lowered.origins):
        items[id(origin.statement)].append(i)
    summed = {id(origin.statement) for origin in lowered.side_origins}
    reached = set(lowered.problem.members)
    for rule in rules:
        own = items[id(rule)]
        if id(rule) in summed or rests_on_data([rule.quantity, *rule.keys, rule.where], compiled):
            continue
        if not own:
            help = "the sets of its keys are empty, or its condition never holds, or it wants `at least 0`"
            yield Diagnostic("W204", "this rule asks nothing", rule.span, help)
        elif not any(lowered.problem.low[i] for i in own) and reached.isdisjoint(own):
            help = "no choice meets its keys and condition"
            yield Diagnostic("W204", "this rule reaches no choice", rule.span, help)


def rests_on_data(exprs: Sequence[object], compiled: Compiled) -> bool:
    """Whether expressions mention a param that holds data, such as a grid or a table and no single number, or anything
    that is defined by one."""
    definitions = {d.name.id: d for d in compiled.model.definitions}
    values = compiled.scope.known_values
    todo = [name for expr in exprs for name in _named(expr)]
    met: set[str] = set()
    while todo:
        name = todo.pop()
        definition = definitions.get(name)
        if name in met or definition is None:
            continue
        met.add(name)
        if isinstance(definition, s.Param):
            if not isinstance(values.get(name, 0), int | Truth):
                return True
        else:
            todo += _named(definition.value)
    return False


def _named(expr: object) -> list[str]:
    """The names that an expression mentions, those of functions among them."""
    return [node.id for node in walk(expr) if isinstance(node, s.Name)] if expr is not None else []


def _alike(lowered: Lowered) -> Iterator[Diagnostic]:
    """Rules that say the same: they have equally many items, with the same bounds and totals, and reach the same
    choices. And rules of which each item is one of another rule that asks for as many, unless their keys name an index
    that the keys of the other do not: `per k` says of each clue what `per x where x in s` implies, and is meant."""
    problem = lowered.problem
    said: dict[int, set[object]] = defaultdict(set)
    rules: dict[int, s.Rule] = {}
    empty: set[object] = set()
    for i, origin in enumerate(lowered.origins):
        if isinstance(origin.statement, s.Rule):
            rules[id(origin.statement)] = origin.statement
            item = (problem.low[i], problem.high[i], problem.holders[i])
            said[id(origin.statement)].add(item)
            empty.update([] if problem.holders[i] else [item])
    for side, origin in zip(problem.sides, lowered.side_origins, strict=True):
        if isinstance(origin.statement, s.Rule):
            rules[id(origin.statement)] = origin.statement
            said[id(origin.statement)].add(side)
    known: dict[frozenset[object], s.Rule] = {}
    ordered = sorted(rules.values(), key=lambda r: r.span.start)
    larger = _larger({frozenset(said[id(rule)]): None for rule in ordered})
    ways: dict[frozenset[object], dict[object, s.Rule]] = defaultdict(dict)  # the first rule of each way to say it
    for rule in ordered:
        ways[frozenset(said[id(rule)])].setdefault((_asked(rule), _keyed(rule, lowered)), rule)
    for rule in ordered:
        key = frozenset(said[id(rule)])
        if key <= empty:
            continue
        asked, keyed = _asked(rule), _keyed(rule, lowered)
        wholes = [r for whole in larger[key] for r in ways[whole].values()]
        wholes = [r for r in wholes if _asked(r) == asked and keyed <= _keyed(r, lowered)]
        if wholes:
            line = max(wholes, key=lambda r: (len(said[id(r)]), -r.span.start)).span.place[0]
            number = "its item is" if len(key) == 1 else f"each of its {len(key)} items is"
            yield Diagnostic(
                "W206",
                f"this rule adds nothing to the one on line {line}: {number} one of that rule, too",
                rule.span,
                "is each choice to meet a condition, such as what a piece holds? that is a `where` of `choose`",
            )
            continue
        other = known.setdefault(key, rule)
        if other is not rule:
            line = other.span.place[0]
            message = f"this rule says the same as the one on line {line}"
            yield Diagnostic("W206", message, rule.span, "leave one of them out", (f"it has the same {_items(key)}",))


def _larger(contents: Collection[frozenset[object]]) -> dict[frozenset[object], list[frozenset[object]]]:
    """For each set of items, those that contain it and more, found by the item that the fewest of them hold."""
    holders: dict[object, list[frozenset[object]]] = defaultdict(list)
    for content in contents:
        for item in content:
            holders[item].append(content)
    found = {}
    for content in contents:
        fewest = min((holders[item] for item in content), key=len, default=[])
        found[content] = [other for other in fewest if len(other) > len(content) and content <= other]
    return found


def _asked(rule: s.Rule) -> tuple[object, ...]:
    """How many choices a rule asks for, as it is written: what data make the same may be another thing tomorrow."""
    return rule.kind, rule.quantity, rule.weights


def _keyed(rule: s.Rule, lowered: Lowered) -> frozenset[str]:
    """The indices of its families that the keys of a rule name."""
    indices = {n for family in _families(rule, lowered) for n in family.indices}
    named = {
        n for key in rule.keys for n in (pattern_names(key.pattern) if isinstance(key, s.Key) else free_names(key))
    }
    return frozenset(named & indices)


def _items(key: frozenset[object]) -> str:
    return "item" if len(key) == 1 else f"{len(key)} items"


# --- keys that leave something unchecked ---------------------------------------------------------------------


def computed_keys(rule: s.Rule, compiled: Compiled) -> Iterator[Diagnostic]:
    """Computed keys that combine several look-ups of data: the rule has no item for a combination that never occurs. A
    single look-up, as in `per region[r, c]`, or arithmetic on indices, as in `per band(r)`, takes every value that
    exists. Only rules that want something are considered; an `at most` rule cannot miss anything."""
    if rule.kind == "at most":
        return
    local = {name for f in rule.families for name in compiled.lowered.families[f.id].index_groups}
    for key in rule.keys:
        if isinstance(key, s.Key) or (isinstance(key, s.Name) and key.id in local):
            continue
        if look_ups(key, compiled.scope, MOST_LOOKED_UP) > 1:
            text = key.span.one_line
            yield Diagnostic(
                "W207",
                "only values of this key that some choice has are asked for",
                key.span,
                "must other values occur, too? then name them: "
                + (f"`per x in SET where x = {text}`" if len(text) < 50 else "`per x in SET where x = …`"),
            )


def look_ups(expr: object, scope: Scope, depth: int) -> int:
    """How many different places of data an expression looks at, through the functions it calls."""
    if depth == 0:
        return 0
    places: set[object] = set()
    inner = 0
    for node in walk(expr):
        if isinstance(node, s.Index) and isinstance(node.of, s.Name) and _is_map(node.of.id, scope):
            places.add(node)
        elif isinstance(node, s.Call):
            body = _body(node.function.id, scope)
            inner += 0 if body is None else look_ups(body, scope, depth - 1)
    return len(places) + inner


def _is_map(name: str, scope: Scope) -> bool:
    return scope.defines(name) and name in scope.known_values and isinstance(scope.known_values[name], Map)


def _body(name: str, scope: Scope) -> s.Expr | None:
    model = scope.model
    if model is None:
        return None
    for d in model.definitions:
        if d.name.id == name and isinstance(d, s.Let) and d.parameters is not None:
            return d.value
    return None


# --- choices that can't be taken, rules that can't be kept ---------------------------------------------------


def _idle_symmetries(compiled: Compiled) -> Iterator[Diagnostic]:
    """Symmetries that move no choice. Those of an area move indices that are cells, not separate rows and columns."""
    for span in compiled.symmetry.idle if compiled.symmetry is not None else ():
        yield Diagnostic(
            "W209",
            "this symmetry moves no choice",
            span,
            "the symmetries of an area move indices that are cells or sets of cells; "
            "are a row and a column apart to be moved? a map does that: `queen(r, c) -> queen(c, r)`",
        )


def _unlike_costs(compiled: Compiled) -> Iterator[Diagnostic]:
    """Symmetries that break the goal: the image of a best answer need not be one, and then they are two classes."""
    for broken in compiled.symmetry.unlike if compiled.symmetry is not None else ():
        one, other = (f"`{compiled.choice(o)}`" for o in (broken.option, broken.image))
        value, image = (compiled.objective([o]) for o in (broken.option, broken.image))
        yield Diagnostic(
            "W214",
            f"this symmetry breaks the goal: it sends {one}, which counts {value}, to {other}, which counts {image}",
            broken.span,
            "only best answers count as one: is a symmetry meant that keeps the goal?",
        )


def _dead(compiled: Compiled, settled: Propagated) -> Iterator[Diagnostic]:
    """Choices that the rules exclude whatever else is taken, and families of which nothing is left."""
    problem = compiled.problem
    if settled.broken is not None:
        return
    # Without givens and forced options nothing is taken, so only items with an upper bound of 0 exclude anything.
    alone = settle(problem, (), forced=False).dead if 0 in problem.high else bytearray(problem.options)
    for family in compiled.lowered.families.values():
        numbers = range(family.first, family.first + len(family.choices))
        options = [o for n in numbers if (o := compiled.lowered.choice_options[n]) >= 0]
        if not options:
            choose = family.statement
            if len(compiled.lowered.families) > 1 and rests_on_data([*choose.generators, choose.where], compiled):
                continue  # few boards have what it is about
            yield Diagnostic(
                "W205",
                f"`{family.name}` has no choices",
                family.statement.span,
                "its sets are empty, or its condition never holds, or `forbid` removes all",
            )
            continue
        blamed = (s.Needs,) if all(alone[o] for o in options) else (s.Needs, s.Alike)
        dead = [o for o in options if alone[o] and not _explained(compiled, o, blamed)]
        if not dead and not any(alone[o] for o in options) and all(settled.dead[o] for o in options):
            message = f"no choice of `{family.name}` can be taken: what must be taken excludes them all"
            yield Diagnostic("W205", message, family.statement.span, "`covr why` says which rules do that")
        elif dead:
            number = "no choice" if len(dead) == len(options) else f"{len(dead)} of {len(options)} choices"
            can = "can" if number == "no choice" else "can never"
            yield Diagnostic(
                "W205",
                f"{number} of `{family.name}` {can} be taken, `{compiled.choice(dead[0])}` for one",
                family.statement.span,
                f'"{_excluder(compiled, dead[0])}" wants none: should a `where` keep `choose` from making them?',
            )


def _explained(compiled: Compiled, option: int, kinds: tuple[type, ...]) -> bool:
    """Whether statements of these kinds alone exclude a choice: an `if … then`, which W210 is about, an `all alike`,
    which does so wherever a thing can't show what another could; or a clue, such as a 0 on a board, which is there to
    exclude choices."""
    problem = compiled.problem
    excluding = (compiled.lowered.origins[i].statement for i in problem.option(option) if problem.high[i] == 0)
    return all(isinstance(by, kinds) or _is_clue(by, compiled) for by in excluding)


def _is_clue(statement: object, compiled: Compiled) -> bool:
    """Whether data say how many choices a rule wants, or of which."""
    if not isinstance(statement, s.Rule):
        return False
    return rests_on_data([statement.quantity, *statement.weights, *statement.keys, statement.where], compiled)


def _by_data(said: Diagnostic, compiled: Compiled) -> bool:
    """Whether a warning is about an `if … then` that speaks of data."""
    return said.span is not None and any(
        isinstance(st, s.Needs)
        and st.span.start <= said.span.start < st.span.end
        and rests_on_data([*st.before, *st.then, *st.generators, st.where], compiled)
        for st in compiled.model.statements
    )


def _excluder(compiled: Compiled, option: int) -> str:
    problem = compiled.problem
    return problem.item_names[next(i for i in problem.option(option) if problem.high[i] == 0)]


def _contradiction(compiled: Compiled, settled: Propagated) -> Diagnostic | None:
    """Why there is no answer, if that follows step by step from the rules and the givens."""
    if settled.broken is None:
        return None
    statement = compiled.lowered.origins[settled.broken].statement
    after = " together with what is given" if compiled.problem.given else " together with the other rules"
    return Diagnostic(
        "W208",
        f'"{compiled.problem.item_names[settled.broken]}" cannot be kept{after}',
        statement.span,
        "`covr why` says which rules contradict each other",
        word="no solution",
    )
