"""Names: each must be bound, once, and used. These checks need no data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from covr.dsl import syntax as s
from covr.dsl.definitions import check_definition, check_definitions, merge, order, twice
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span, suggest
from covr.dsl.format import allowances
from covr.dsl.scope import MAX_FAULTS, Definition, KnownNames, Meaning, asked, attributes, bound_by, bound_by_all, walk
from covr.frozen import evolve

# --- bound names -----------------------------------------------------------------------------------------------------
# Names: each must be bound, and bound only once. These checks need no data.
#
# There is one method for each kind of statement. In a rule over several families a name may be used if one of them has
# it as an index; the compiler decides which part of a condition concerns which family.


MANY = 1_000  # how many families of choices, and how many declared indices, a model may have


class NameChecker:
    """Checks the names of one model.

    libraries: in the order in which their definitions are read; module: the model itself.
    declared: the names that `cells` and `values` have declared so far.
    meanings: if given, what each name means is added.
    """

    def __init__(self, libraries: Sequence[s.Module], module: s.Module, meanings: list[Meaning] | None = None) -> None:
        self.modules = (*libraries, module)
        self.module = module
        self.meanings = meanings
        self.faults: list[Diagnostic] = []
        self.families: dict[str, s.Choose] = {}
        self.declared: dict[str, s.Name] = {}
        self.goal: s.Optimize | None = None
        self.divided: set[str] = set()  # those that were met
        self.walls: frozenset[str] = frozenset()  # the families of all `divide`
        self.title: s.Title | None = None
        self.answers: s.AnswersBy | None = None

    def model(self) -> s.CheckedModel:
        """The model, merged with its libraries. Adds what is wrong to `faults`; raises ModelErrors only for E012."""
        definitions = merge(self.modules, self.faults)
        indices: dict[str, s.Name] = {}
        for statement in self.module.statements:
            if isinstance(statement, s.Choose):
                self.add_family(statement)
            elif isinstance(statement, s.Declare):
                self.add_indices(statement, indices)
        self.walls = frozenset(st.family.id for st in self.module.statements if isinstance(st, s.Divide))
        if any(fault.code == "E012" for fault in self.faults):
            raise ModelErrors(self.faults[:MAX_FAULTS])
        self.scope = KnownNames(definitions, self.families, indices, self.faults, meanings=self.meanings)
        uses = check_definitions(self.modules, definitions, self.definition)
        ordered = order(definitions, uses, self.faults)
        others = []
        for statement in self.module.statements:
            if isinstance(statement, s.Title):
                self.heading(statement)
            elif not isinstance(statement, s.Use | s.Param | s.Let):
                self.statement(statement)
                others.append(statement)
        return s.CheckedModel(
            self.module.source,
            None if self.title is None else self.title.text,
            ordered,
            tuple(others),
            tuple(m.source for m in self.modules[:-1]),
        )

    def add_family(self, choose: s.Choose) -> None:
        """Enter the family of a `choose`; a name that is used twice is a fault."""
        name = choose.name
        if name.id in self.families:
            self.faults.append(twice(name, self.families[name.id].name))
        elif not self.full(self.families, "families of choices", name.span):
            self.families[name.id] = choose

    def full(self, things: Mapping[str, object], what: str, span: Span) -> bool:
        """Whether there are as many things of a kind as allowed. Reports that once, as a fault."""
        if len(things) < MANY:
            return False
        message = f"a model has at most {MANY:,} {what}"
        if not any(fault.message == message for fault in self.faults):
            self.faults.append(Diagnostic("E012", message, span))
        return True

    def add_indices(self, declare: s.Declare, indices: dict[str, s.Name]) -> None:
        """Enter the names that a `declare` binds; a name that is used twice is a fault."""
        for name in bound_by_all(declare.generators):
            if name.id in indices:
                self.faults.append(twice(name, indices[name.id]))
            elif not self.full(indices, "declared indices", name.span):
                indices[name.id] = name

    # --- help ----------------------------------------------------------------------------------------------

    def family(self, name: s.Name) -> s.Choose | None:
        """The family of that name; None, with a fault reported, if there is none."""
        found = self.families.get(name.id)
        if found is None:
            help = asked(suggest(name.id, self.families)) or self.owned(name)
            self.scope.fault("E102", f"`{name.id}` is not a family of choices", name.span, help)
        else:
            self.scope.means(name, found.name)
        return found

    def owned(self, name: s.Name) -> str:
        """A help text if an index is written for its family, and only one family has that index."""
        owners = [f for f, choose in self.families.items() if any(n.id == name.id for n in choose.indices)]
        return f"{asked(owners[0])} `{name.id}` is one of its indices" if len(owners) == 1 else ""

    def inside(self, names: Sequence[s.Name], extra: Iterable[s.Name] = ()) -> KnownNames | None:
        """The scope of a statement about families, with their indices and `extra`; None if a family is unknown."""
        found = [self.family(name) for name in names]
        if any(f is None for f in found):
            return None
        indices = [n for f in found if f is not None for n in f.indices]
        known = self.scope.with_local(extra)
        return known.with_local(indices, " or ".join(f"`{n}`" for n in dict.fromkeys(n.id for n in names)))

    def arity(self, family: s.Name, args: Sequence[object], span: Span) -> None:
        """Check that a choice of the family is written with as many arguments as it has indices."""
        if family.id not in self.families:
            return
        indices = [n.id for n in self.families[family.id].indices]
        if len(args) != len(indices):
            some = f"{len(indices) or 'no'} ind{'ex' if len(indices) == 1 else 'ices'}"
            listed = f" ({', '.join(indices)})" if indices else ""
            self.scope.fault("E105", f"`{family.id}` has {some}{listed}, not {len(args)}", span)

    def definition(self, definition: Definition, later: dict[str, Definition], used: set[str]) -> None:
        """Check one definition. later: definitions that it may not use yet; used: gets those that it uses."""
        check_definition(definition, evolve(self.scope, later=later, used=used, defining=definition.name.id))

    def statement(self, statement: s.Statement) -> None:
        """Check one statement of any other kind."""
        match statement:
            case s.Assert():
                self.scope.check(statement.test, statement.text)
            case s.Declare():
                self.declare(statement)
            case s.Choose():
                self.choose(statement)
            case s.Rule():
                self.rule(statement)
            case s.Needs():
                self.needs(statement)
            case s.AreaRule():
                self.areas(statement)
            case s.Divide():
                if statement.family.id in self.divided:
                    self.scope.fault("E104", f"two statements divide by `{statement.family.id}`", statement.family.span)
                self.divided.add(statement.family.id)
                self.scope.check(statement.places, statement.label)
                self.of_choice(statement.family, statement.ends, (), "which places a wall parts")
            case s.Connected():
                self.connected(statement)
            case s.Loop():
                self.loop(statement)
            case s.Prefer():
                self.prefer(statement)
            case s.Agree():
                self.agree(statement)
            case s.Alike():
                self.alike(statement)
            case s.Given():
                self.given(statement)
            case s.Forbid():
                self.forbid(statement)
            case s.Clue():
                self.clue(statement)
            case s.Optimize():
                self.optimize(statement)
            case s.UpTo():
                self.up_to(statement)
            case s.AnswersBy():
                self.answers_by(statement)
            case s.Show():
                self.show(statement)
            case s.Print():
                self.print(statement)
            case s.Outline():
                self.outline(statement)
            case s.Expect():
                self.expect(statement)

    # --- statements ----------------------------------------------------------------------------------------

    def heading(self, title: s.Title) -> None:
        """Check a title; there may be only one."""
        if self.title is not None:
            line, _ = self.title.span.place
            self.scope.fault("E104", "the model has two titles", title.span, note=f"the first is on line {line}")
        else:
            self.title = title
        self.scope.check(title.text)

    def declare(self, declare: s.Declare) -> None:
        """Check the generators of a `declare`."""
        for generator in declare.generators:
            self.scope.with_local(self.declared.values()).check_set(generator.over, self.scope.indices.values())
            self.walked(generator.over)
            for name in (n for p in generator.patterns for n in bound_by(p)):
                self.scope.bindable(name)
                self.declared.setdefault(name.id, name)

    def walked(self, over: s.Expr) -> None:
        """Check the set of an index: `[1..4]` has one member, a range, which is not what is meant."""
        if isinstance(over, s.ListOf | s.SetOf) and len(over.items) == 1 and isinstance(over.items[0], s.Range):
            kind = "list" if isinstance(over, s.ListOf) else "set"
            message = f"this {kind} has one member, a range, and an index runs over members"
            self.scope.fault("E209", message, over.span, f"write `{over.items[0].span.one_line}`")

    def choose(self, choose: s.Choose) -> None:
        """Check a `choose`: its indices, sets and conditions."""
        for generator in choose.generators:
            self.walked(generator.over)
        self.scope.distinct(choose.indices, set())
        declared = [self.declared[n.id] for n in choose.indices if n.id in self.declared]
        scope = self.scope.with_local(declared, f"`{choose.name.id}`")
        scope = scope.bind(choose.generators, self.scope.indices.values())
        scope.bound_by("for").check(choose.where)
        bound = {n.id: n for n in [*declared, *bound_by_all(choose.generators)]}
        for name in choose.indices:
            if name.id in bound:
                self.scope.means(name, bound[name.id])
            else:
                self.unbound(name)

    def unbound(self, name: s.Name) -> None:
        """Report an index of a `choose` that nothing gives a value."""
        late = self.scope.indices.get(name.id)
        meant = suggest(name.id, self.declared)
        help = asked(meant) or f"say what it ranges over: `for {name.id} in …`"
        if late is not None:
            help = f"it is declared only below, on line {late.span.place[0]}"
        self.scope.fault("E106", f"the index `{name.id}` has no set to range over", name.span, help)

    def prefer(self, prefer: s.Prefer) -> None:
        """Check a wish. Its price may use what its label may use."""
        if isinstance(prefer.rule, s.Rule):
            self.rule(prefer.rule, prefer.price)
        else:
            self.needs(prefer.rule, prefer.price)

    def rule(self, rule: s.Rule, price: s.Expr | None = None) -> None:
        """Check a rule. price: what it costs to break it."""
        scope = self.inside(rule.families, self.declared.values())
        if scope is None:
            return
        scope = self.keys(scope, rule.keys, "per")
        scope.check(rule.quantity, rule.where, rule.label, price)
        bound = [n.id for key in rule.keys for n in self.key_names(key)]
        keys = [name for key in dict.fromkeys(bound) for name in scope.local.get(key, ())]
        for weight, family in zip(rule.weights, rule.families, strict=False):
            self.weight(family, weight, keys)

    def key_names(self, key: s.Expr | s.Key) -> list[s.Name]:
        """The names that a key binds or mentions."""
        return (
            list(bound_by(key.pattern)) if isinstance(key, s.Key) else [n for n in walk(key) if isinstance(n, s.Name)]
        )

    def weight(self, family: s.Name, weight: s.Expr, keys: Sequence[s.Name]) -> None:
        """Check what the choices of a family count in a total: it may use their indices and the keys of the rule."""
        scope = self.inside([family])
        if scope is None:
            return
        scope = scope.with_local(name for name in keys if name.id not in scope.local)
        own = [n.id for n in self.families[family.id].indices]
        listed = f" ({', '.join(f'`{i}`' for i in own)})" if own else ""
        barred = {
            name: (f"`{name}` is neither an index of `{family.id}`{listed} nor a key of this rule",
                   f"name it after `per`: `per {name}`")
            for name in self.declared
        }  # fmt: skip
        evolve(scope, barred=barred).check(weight)

    def of_choice(self, family: s.Name, expr: s.Expr | None, keys: Sequence[s.Expr | s.Key], what: str) -> None:
        """Check an expression about each choice of a family: it may use its indices and global values. keys: names of
        the statement's keys, which have no value there; what: the expression's purpose, for messages."""
        scope = self.inside([family])
        if scope is None or expr is None:
            return
        own = [n.id for n in self.families[family.id].indices]
        bound = [n.id for key in keys if isinstance(key, s.Key) for n in bound_by(key.pattern)]
        bound += [key.id for key in keys if isinstance(key, s.Name)]
        listed = f" ({', '.join(f'`{i}`' for i in own)})" if own else ""
        barred = {
            name: (
                f"`{name}` is a key of this statement, and {what} can't depend on keys",
                f"use the indices of `{family.id}`{listed}, or write a statement for each `{name}`",
            )
            for name in bound
        }
        evolve(scope, barred=barred).check(expr)

    def needs(self, needs: s.Needs, price: s.Expr | None = None) -> None:
        """Check an `if … then`, or an `if and only if`. price: what it costs to break it."""
        named = (*needs.before, *needs.after)
        for part in needs.then:
            self.joined(part, len(needs.then) > 1)
        scope = self.inside([c.family for c in named], self.declared.values())
        if scope is None:
            return
        for choice in named:
            self.arity(choice.family, choice.args, choice.family.span)
        args = [a for choice in named for a in choice.args]
        counts = [e for part in needs.then for e in (part.quantity, *part.weights)]
        self.binding(scope, needs.generators).check(*args, *counts, needs.where, needs.label, price)

    def joined(self, part: s.Then, beside: bool) -> None:
        """Check the `or` in a part of what stands after `then`. beside: whether `and` joins it with others."""
        if len(part.choices) < 2:
            return
        first, other = part.choices[0].span.one_line, part.choices[1]
        if part.kind == "all":
            message = "after `then all` stands one choice, and `or` would not say whether all of both are meant"
            help = f"for both write `all {first} and all {other.span.one_line}`; or is `some {first} or …` meant?"
            self.scope.fault("E117", message, other.span, help)
        elif beside and part.kind in ("", "not"):
            said = part.span.one_line
            word, rest = ("some", said) if not part.kind else ("no", said.removeprefix("not").lstrip())
            message = "`and` and `or` after `then` do not say what belongs together"
            help = (
                f"is `{word} {rest}` meant, as one part? if not, write a statement for each part that holds by itself"
            )
            self.scope.fault("E120", message, part.span, help)

    def areas(self, areas: s.AreaRule) -> None:
        """Check a rule about areas. Its quantity, label and anchor know the keys after the second `per`, its condition
        and weights the names of places as well."""
        rule, area = areas.rule, areas.area
        if isinstance(area, s.Stretch):
            self.stretch(rule, area)
            return
        self.scope.check(area.along)
        if area.divided and self.family(area.families[0]) is not None:
            name = area.families[0]
            if name.id not in self.walls:
                help = f"say what it divides: `divide PLACES by {name.id} along PAIR`"
                self.scope.fault("E123", f"no `divide` names `{name.id}`", name.span, help)
        scope = self.inside(rule.families if area.divided else areas.families, self.declared.values())
        if scope is None:
            return
        scope = self.keys(scope, rule.keys, "per")
        scope.check(rule.quantity, rule.label, area.anchor)
        self.keys(scope, area.at, "at").check(rule.where)
        bound = [n.id for key in (*rule.keys, *area.at) for n in self.key_names(key)]
        keys = [name for key in dict.fromkeys(bound) for name in scope.local.get(key, ())]
        for weight, family in zip(rule.weights, rule.families, strict=False):
            self.weight(family, weight, keys)

    def stretch(self, rule: s.Rule, stretch: s.Stretch) -> None:
        """Check a rule about stretches, all of which knows its keys alone."""
        name = stretch.family
        scope = self.inside([name], self.declared.values())
        if scope is not None:
            drawn = [st for st in self.module.statements if s.draws(st, name.id)]
            if len(drawn) != 1:
                how = "several statements draw" if drawn else "no `loop` or `path` draws"
                help = "" if drawn else f"say how its lines run: `loop {name.id} along ENDS`"
                self.scope.fault("E124", f"{how} `{name.id}`", name.span, help)
            scope = self.keys(scope, rule.keys, "per")
            scope.check(rule.quantity, rule.label, stretch.within, stretch.anchor, rule.where)

    def connected(self, connected: s.Connected) -> None:
        """Check a `connected`. The pairs of its `along` are the same for all its keys."""
        self.scope.check(connected.along)
        scope = self.inside(connected.families, self.declared.values())
        if scope is not None:
            scope = self.keys(scope, connected.keys, "per")
            scope.check(connected.label)
            self.keys(scope, connected.at, "at").check(connected.where)

    def loop(self, loop: s.Loop) -> None:
        """Check a `loop`, or another shape of lines."""
        self.of_choice(loop.family, loop.ends, loop.keys, "which places a choice joins")
        self.scope.check(loop.crossing)
        scope = self.inside([loop.family], self.declared.values())
        if scope is not None:
            self.keys(scope, loop.keys, "per").check(loop.where, *loop.stops, loop.through, loop.label)

    def keys(self, scope: KnownNames, keys: Sequence[s.Expr | s.Key], word: str) -> KnownNames:
        """Check keys from left to right; the scope in which the names that they bind have values."""
        seen: set[str] = set()
        bound = [n for key in keys if isinstance(key, s.Key) for n in bound_by(key.pattern)]
        scope = scope.without((n.id for n in bound), word)
        for key in keys:
            if isinstance(key, s.Key):
                scope.check_set(key.over, bound)
                names = list(bound_by(key.pattern))
                scope.distinct(names, seen)
                scope = scope.with_local(names)
            else:
                scope.check(key)
        return scope

    def agree(self, agree: s.Agree) -> None:
        """Check an `agree`."""
        for shown in agree.shown:
            scope = self.inside([shown.family], self.declared.values())
            if scope is not None:
                self.binding(scope, agree.generators).check(*(e for pair in shown.pairs for e in pair))
        scope = self.inside([shown.family for shown in agree.shown], self.declared.values())
        if scope is not None:
            self.binding(scope, agree.generators).check(agree.where, agree.label)

    def alike(self, alike: s.Alike) -> None:
        """Check an `all different` or `all alike`. What is compared must follow from indices alone."""
        scope = self.inside([alike.family], self.declared.values())
        if scope is None:
            return
        scope = self.keys(scope, alike.keys, "per")
        scope.check(alike.label)
        self.keys(scope, alike.things, "of").check(*(alike.seen or ()), alike.where)
        own = [n.id for n in self.families[alike.family.id].indices]
        for thing in alike.things if alike.seen is None else ():
            if not (isinstance(thing, s.Name) and thing.id in own):
                message = f"`{thing.span.one_line}` is not an index of `{alike.family.id}`, so say what is compared"
                help = f"write it after `on`: `of {alike.family.id} on {', '.join(own) or 'VALUE'}`"
                self.scope.fault("E121", message, thing.span, help)

    def binding(self, scope: KnownNames, generators: tuple[s.Generator, ...]) -> KnownNames:
        """Bind a statement's own `for`. If it binds a declared name again, that name has no value before that point."""
        return scope.without(n.id for n in bound_by_all(generators)).bind(generators, binding="for")

    def given(self, given: s.Given) -> None:
        """Check a `given`."""
        scope = self.inside([given.family], self.declared.values())
        if scope is not None:
            self.arity(given.family, given.args, given.family.span)
            self.binding(scope, given.generators).check(*given.args, given.where, given.label)

    def forbid(self, forbid: s.Forbid) -> None:
        """Check a `forbid`."""
        scope = self.inside([forbid.family], self.declared.values())
        if scope is None:
            return
        if forbid.args is not None:
            self.arity(forbid.family, forbid.args, forbid.family.span)
        self.binding(scope, forbid.generators).check(*(forbid.args or ()), forbid.where)

    def clue(self, clue: s.Clue) -> None:
        """Check a `clue`. In it the name of a family is the set of its choices that are taken."""
        self.setting(clue.param)
        taken = [choose.name for choose in self.families.values()]
        scope = self.binding(self.scope.with_local(self.declared.values()), clue.generators)
        scope.check(*clue.keys, clue.other)
        scope = scope.with_local(taken)
        scope.check(clue.where)
        if clue.family is None:
            scope.check(clue.value)
            return
        choose = self.family(clue.family)
        if choose is not None:
            scope.with_local(choose.indices, f"`{choose.name.id}`").check(clue.value, clue.among)

    def optimize(self, optimize: s.Optimize) -> None:
        """Check `minimize` or `maximize`; goals in order apart, a model has at most one of them."""
        if optimize.then:
            if not any(isinstance(st, s.Optimize | s.Prefer) for st in self.module.statements[: self._place(optimize)]):
                message = f"there is no goal before this, so nothing is left for `then {optimize.kind}` to choose from"
                self.scope.fault("E119", message, optimize.span, f"write `{optimize.kind} …`")
        elif self.goal is None:
            self.goal = optimize
        elif self.goal.kind != optimize.kind:
            line, _ = self.goal.span.place
            message = f"a model can't both {self.goal.kind} and {optimize.kind}"
            note = f"`{self.goal.kind}` stands on line {line}"
            self.scope.fault("E111", message, optimize.span, "turn the sign of one of them", note)
        for goal in optimize.goals:
            scope = self.inside([goal.family])
            if scope is not None:
                self.binding(scope, goal.generators).check(goal.value, goal.where)

    def _place(self, statement: s.Statement) -> int:
        return next(at for at, st in enumerate(self.module.statements) if st is statement)

    def up_to(self, upto: s.UpTo) -> None:
        """Check the symmetries of an `up to`."""
        for symmetry in upto.symmetries:
            if not isinstance(symmetry, s.SymmetryMap):
                self.scope.check(symmetry)
                continue
            if self.family(symmetry.family) is not None:
                self.arity(symmetry.family, symmetry.parameters, symmetry.family.span)
            if self.family(symmetry.image) is not None:
                self.arity(symmetry.image, symmetry.args, symmetry.image.span)
            self.scope.distinct(symmetry.parameters, set())
            self.scope.with_local(symmetry.parameters).check(*symmetry.args)

    def answers_by(self, answers: s.AnswersBy) -> None:
        """Check an `answers by`: its families, and that a model has only one such statement."""
        for name in answers.families:
            self.family(name)
        if self.answers is not None:
            line, _ = self.answers.span.place
            help = "name all its families in one statement: `answers by f, g`"
            note = f"the first is on line {line}"
            self.scope.fault("E104", "the model says `answers by` twice", answers.span, help, note)
        else:
            self.answers = answers

    def show(self, show: s.Show) -> None:
        """Check a `show`."""
        scope = self.inside([show.family], self.declared.values())
        if scope is None:
            return
        indices = {n.id for n in self.families[show.family.id].indices}
        for name in bound_by_all(show.generators):
            if name.id in indices:
                message = f"`{name.id}` is bound here, and is an index of `{show.family.id}`"
                self.scope.fault("E104", message, name.span, "choose another name")
        scope = self.binding(scope, show.generators)
        self.keys(scope, show.at, "at").check(*show.values, show.where)

    def print(self, printed: s.Print) -> None:
        """Check a `print`."""
        scope = self.scope.with_local(self.declared.values())
        self.binding(scope, printed.generators).check(*printed.values, *printed.at, printed.where)

    def outline(self, outline: s.Outline) -> None:
        """Check an `outline`; without `for`, its places are what `cells` declares."""
        scope = self.scope.with_local(self.declared.values())
        self.binding(scope, outline.generators).check(outline.value)
        if not outline.generators and not any(
            isinstance(st, s.Declare) and st.kind == "cells" for st in self.module.statements
        ):
            help = "say which: `outline VALUE for (r, c) in SET`"
            self.scope.fault("E442", "this `outline` has no places", outline.span, help)

    def expect(self, expect: s.Expect) -> None:
        """Check an `expect`, and the values that it gives to params."""
        self.scope.check(expect.value)
        goals = [st for st in self.module.statements if isinstance(st, s.Optimize) and not st.then]
        if expect.kind == "maximum" and goals and goals[0].kind == "minimize":
            message = "this model minimizes, and this promises its greatest value"
            note = f"`minimize` stands on line {goals[0].span.place[0]}"
            self.scope.fault("E116", message, expect.span, "write `expect minimum …`", note)
        seen: set[str] = set()
        for name, value in expect.settings:
            self.scope.check(value)
            self.setting(name)
            if name.id in seen:
                self.scope.fault("E104", f"`{name.id}` is set twice", name.span)
            seen.add(name.id)

    def setting(self, name: s.Name) -> None:
        """Check that a name set by `expect` is a param."""
        found = self.scope.definitions.get(name.id)
        if isinstance(found, s.Param):
            self.scope.means(name, found.name)
            return
        help = asked(suggest(name.id, [n for n, d in self.scope.definitions.items() if isinstance(d, s.Param)]))
        if found is not None:
            help = f"`{name.id}` is defined with `let`; what may be set is a `param`"
        self.scope.fault("E114", f"`{name.id}` is not a param of this model", name.span, help)


# --- unused ----------------------------------------------------------------------------------------------------------
# Warnings that need no data: what a model defines and never uses, and what it should say and does not.
#
# A name counts as used if it is mentioned anywhere outside its own definition, whatever it means there. So an unused
# name may be taken for a used one, but never the other way round. A file that only defines things is a library, whose
# definitions are for other files.


def unused(statements: Sequence[s.Statement]) -> Iterator[Diagnostic]:
    """W101, W102 and W105 for the statements of a model's own file. Time O(size of the tree)."""
    if not any(isinstance(st, s.Choose) for st in statements):
        others = [st for st in statements if not isinstance(st, LIBRARY)]
        if not statements:
            yield Diagnostic("W105", "this model is empty", None, "`covr new FILE` writes a model to begin with")
            return
        if not others:
            return
        yield Diagnostic(
            "W105",
            "this model has nothing to choose, so its only answer is empty",
            others[0].span,
            "say what may be chosen: `choose f(x) for x in SET`",
        )
    mentioned = [mentions(st) for st in statements]
    uses = Counter[str]()
    for own in mentioned:
        uses.update(own)
    for st, own in zip(statements, mentioned, strict=True):
        match st:
            case s.Param() | s.Let():
                yield from _definition(st, uses, own)
            case s.Declare():
                yield from _indices(st, uses)
            case s.Choose():
                yield from _generators(st)
    yield from _families(statements)


def unpromised(source: Source, statements: Sequence[s.Statement]) -> list[Diagnostic]:
    """W103, unless a comment allows it, for a model without `expect`. Only `covr test` says so: while a model is being
    written its author can't know what it could promise."""
    last = next((st for st in reversed(statements) if isinstance(st, s.Choose)), None)
    if last is None or any(isinstance(st, s.Expect) for st in statements):
        return []
    help = "say what is known of its answers: `expect unique`, `expect N solutions` or `expect minimum N`"
    found = Diagnostic("W103", "this model promises nothing, so there is nothing to test", last.span, help)
    allowed, _ = allowances(source, statements)
    return [] if any(allowance.covers(found) for allowance in allowed) else [found]


def _definition(definition: s.Param | s.Let, uses: Counter[str], own: Counter[str]) -> Iterator[Diagnostic]:
    name = definition.name
    if uses[name.id] <= own[name.id]:
        what = "param" if isinstance(definition, s.Param) else "name"
        if isinstance(definition, s.Let) and definition.parameters is not None:
            what = "function"
        yield Diagnostic("W101", f"the {what} `{name.id}` is never used", name.span, "remove it")
    if isinstance(definition, s.Let) and definition.parameters is not None:
        for parameter in definition.parameters:
            if not own[parameter.id]:
                message = f"`{name.id}` never uses its `{parameter.id}`"
                yield Diagnostic("W101", message, parameter.span, "remove it, here and in every call")


def _indices(declare: s.Declare, uses: Counter[str]) -> Iterator[Diagnostic]:
    """A warning for declared indices that are never used. Of names that are bound together, one use is enough."""
    for pattern in (p for g in declare.generators for p in g.patterns):
        names = list(bound_by(pattern))
        if not any(uses[name.id] for name in names):
            listed = " and ".join(f"`{name.id}`" for name in names)
            verb = "is" if len(names) == 1 else "are"
            yield Diagnostic("W101", f"the ind{'ex' if len(names) == 1 else 'ices'} {listed} {verb} never used",
                             pattern.span, "remove it" if len(names) == 1 else "remove them")  # fmt: skip


def _generators(choose: s.Choose) -> Iterator[Diagnostic]:
    """A warning for a name after `for` that is not an index and is used nowhere else: it only repeats the choices."""
    used = {n.id for n in choose.indices} | set(mentions([g.over for g in choose.generators]))
    used |= set(mentions([choose.where]))
    for pattern in (p for g in choose.generators for p in g.patterns):
        names = list(bound_by(pattern))
        if names and not any(n.id in used for n in names):
            message = f"`{names[0].id}` is not an index of `{choose.name.id}` and is never used"
            yield Diagnostic("W101", message, pattern.span, "remove it")


def _families(statements: Sequence[s.Statement]) -> Iterator[Diagnostic]:
    """A warning for each family that no rule, `given` or `forbid` mentions."""
    goal = any(isinstance(statement, s.Optimize) for statement in statements)
    asked: set[str] = set()
    for statement in statements:
        st: object = statement.rule if isinstance(statement, s.Prefer) else statement
        if isinstance(st, s.Given | s.Forbid):
            asked.add(st.family.id)
        elif isinstance(st, s.Rule | s.AreaRule | s.Connected):
            asked |= {f.id for f in st.families}
        elif isinstance(st, s.Needs):
            asked |= {c.family.id for c in (*st.before, *st.after)}
        elif isinstance(st, s.Agree):
            asked |= {shown.family.id for shown in st.shown}
        elif isinstance(st, s.Loop | s.Alike | s.Divide):
            asked.add(st.family.id)
    for choose in statements:
        if isinstance(choose, s.Choose) and choose.name.id not in asked:
            yield Diagnostic(
                "W102",
                f"no rule mentions `{choose.name.id}`" + ("" if goal else ": any of its choices may be taken or left"),
                choose.name.span,
                f"is one missing, such as `exactly one {choose.name.id} per …`?",
            )


def mentions(nodes: object) -> Counter[str]:
    """How often every name is mentioned as a value, an index or a function; the places that bind it do not count."""
    return Counter(node.id for node in walk(nodes, _used_in) if isinstance(node, s.Name))


def _used_in(node: object) -> Iterable[object]:
    """The parts of a node in which names are used, and not bound or set."""
    if isinstance(node, s.Expect):
        return (node.value, *(value for _, value in node.settings))
    bound = BOUND.get(type(node), ())
    return [getattr(node, name) for name in attributes(type(node)) if name not in bound]


LIBRARY = (s.Title, s.Use, s.Param, s.Let, s.Assert)  # what a library consists of
BOUND: dict[type, tuple[str, ...]] = {
    s.Param: ("name",),
    s.Let: ("name", "parameters"),
    s.Generator: ("patterns",),
    s.Key: ("pattern",),
    s.SymmetryMap: ("parameters",),
}
