"""What could be left out of a model without a change to its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import attrs
from attrs import field

from covr.compiler.lower.lowered import AgreeItems
from covr.compiler.lower.rules import RuleItems
from covr.draw.canvas import Line, Part, plain
from covr.dsl.diagnostics import Span
from covr.engine.base.limits import LimitReached, limits_checked_by
from covr.engine.proofs.conflict import ConflictBudget, Unit
from covr.engine.proofs.spare import SpareUnits, Sparing
from covr.explain.why import own_keys
from covr.explain.why_text import Member, fields_of, placed, text_line
from covr.frozen import frozen
from covr.questions.options import Options
from covr.text import quantity

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.lower.lowered import ItemOrigin

# --- spare -----------------------------------------------------------------------------------------------------------
# A labelled rule says something for each of its keys: an *instance*, which is known by its label and left out alone.
# Where
# all instances are spare, the whole rule is tried. Rules without a label, `forbid` and wishes stay.
#
# Answers are those of the rules: `minimize`, `prefer` and `up to` play no part. What two instances of an `if … then`
# both
# demand belongs to the first. An `agree` also removes choices that show two colours at one key; what would change if
# they
# came back is not looked at, so nothing is known of its instances.


KINDS = ("all", "givens", "rules")
SECONDS = 60.0  # how many seconds it may take if no limit is given


@frozen
class SpareRule:
    """A labelled rule.
    rule: the statement.  instances: how many there are.  spare: how many of them are spare, each by itself.
    whole: whether the whole rule is; None if that is not known."""

    rule: Member
    instances: int
    spare: int
    whole: bool | None

    def as_fields(self) -> dict[str, Any]:
        """For `json`: the statement, and how many of its instances are spare."""
        return {**self.rule.as_fields(), "instances": self.instances, "spare": self.spare, "whole": self.whole}


@frozen(kw_only=True)
class Spare:
    """What could be left out. `print` shows it in words.
    alone: givens and instances of rules of which each, by itself, could be left out.  needed: those that could not.
    open: those that are not decided.  together: a set that can be left out together.
    minimal: whether it is proved that nothing more of what then remains can be left out.
    rules: the labelled rules.  stopped: whether a limit was reached, or Ctrl-C was pressed, before all was known."""

    compiled: Compiled = field(repr=False)
    alone: tuple[Member, ...]
    needed: tuple[Member, ...] = field(repr=False)
    open: tuple[Member, ...]
    together: tuple[Member, ...]
    minimal: bool
    rules: tuple[SpareRule, ...] = field(repr=False)
    stopped: bool = False

    def __str__(self) -> str:
        return as_text(self)

    def as_fields(self) -> dict[str, Any]:
        """For `json`: all that was found, and its text."""
        return {
            "alone": fields_of(self.alone),
            "needed": fields_of(self.needed),
            "open": fields_of(self.open),
            "together": fields_of(self.together),
            "minimal": self.minimal,
            "rules": [rule.as_fields() for rule in self.rules],
            "text": as_text(self),
        }


class SpareInquiry:
    """A question "what is spare". After `interrupt`, `find` returns what is known."""

    def __init__(self, compiled: Compiled, options: Options, only: str = "all") -> None:
        """only: what is looked at, one of KINDS; everything else stays. Raises ValueError for anything else."""
        if only not in KINDS:
            raise ValueError(f"`only` is one of {', '.join(map(repr, KINDS))}, not {only!r}")
        self.only = only
        self.compiled = compiled
        self.problem = compiled.rules_alone
        self.options = options if options.limit_time is not None else attrs.evolve(options, limit_time=SECONDS)
        self.budget = ConflictBudget(self.options.limits().seconds, self.options.limit_nodes)
        self.named: list[tuple[Member, Unit, Span | None]] = []  # a unit, and the statement of the rule that it is of
        self._obscure: list[tuple[Member, Span | None]] = []  # what is not looked at
        self._silent: list[int] = []

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread. What is known by then is the result."""
        self.budget.interrupt()

    def find(self) -> Spare:
        """What is spare. Time: bounded by the options, apart from what is linear in the size of the matrix."""
        self._read()
        try:
            with limits_checked_by(self.budget.stop):
                sparing = Sparing(self.problem, [unit for _, unit, _ in self.named], self.budget, self._silent)
                found = sparing.find()
                return self._spare(found, self._rules(found, sparing))
        except LimitReached:
            found = SpareUnits((), tuple(range(len(self.named))), (), False)
            return self._spare(found, self._rules(found, None))

    # --- what there is ---

    def _read(self) -> None:
        if self.only != "rules":
            self._read_givens()
        if not self.compiled.is_matrix:
            self._read_rules()
        elif self.only != "givens":
            for item in range(self.problem.items):
                name = self.problem.item_names[item]
                self.named.append((Member("rule", name, self._nowhere), (item,), None))

    @property
    def _nowhere(self) -> Span:
        return Span(self.compiled.model.source, 0, 0)

    def _read_givens(self) -> None:
        lowered, problem = self.compiled.lowered, self.problem
        if self.compiled.is_matrix:
            givens = [(o, problem.option_names[o], self._nowhere) for o in problem.given]
        else:
            givens = [(lowered.choice_options[g.number], g.name, g.span) for g in self.compiled.givens]
        once: dict[int, Member] = {}
        for option, name, span in givens:
            once.setdefault(option, Member("given", name, span))
        self.named += [(member, (problem.items + option,), None) for option, member in once.items()]

    def _read_rules(self) -> None:
        lowered, problem = self.compiled.lowered, self.problem
        wishes = {id(wish.source) for wish in lowered.wishes}
        removing = {id(statement) for statement in lowered.dropped.values()}
        units: dict[tuple[object, ...], tuple[Member, list[int], Span]] = {}
        first_side = problem.items + problem.options
        origins = [*enumerate(lowered.origins), *enumerate(lowered.side_origins, first_side)]
        for constraint, origin in origins:
            if id(origin.source) in wishes:
                self._silent.append(constraint)
                continue
            span = origin.statement.span
            if origin.statement.label is None or self.only == "givens":
                continue
            name = origin.name(self.compiled.scope) + own_keys(origin)
            key = self._key(origin, name)
            if key not in units:
                units[key] = (Member("rule", name, span), [], span)
            units[key][1].append(constraint)
        for (kind, *_), (member, constraints, span) in sorted(units.items(), key=lambda u: u[1][2].start):
            if kind in removing:
                self._obscure.append((member, span))
            else:
                self.named.append((member, tuple(constraints), span))

    def _key(self, origin: ItemOrigin, name: str) -> tuple[object, ...]:
        """A key that all constraints of one instance share; it begins with that of its statement."""
        one = origin.at if isinstance(origin.source, RuleItems | AgreeItems) else name
        return (id(origin.statement), one)

    # --- what was found ---

    def _rules(self, found: SpareUnits, sparing: Sparing | None) -> tuple[SpareRule, ...]:
        units: dict[Span, list[int]] = {}
        for number, (_, _, span) in enumerate(self.named):
            if span is not None:
                units.setdefault(span, []).append(number)
        spare, rules = set(found.alone), []
        for span, numbers in units.items():
            several = [n for n in numbers if n in spare]
            whole: bool | None = False
            if len(several) == len(numbers):
                whole = True if len(numbers) == 1 else sparing.all_spare(numbers) if sparing else None
            elif not set(numbers).isdisjoint(found.open):
                whole = False if self._any_needed(numbers, found) else None
            rules.append(SpareRule(Member("statement", span.one_line, span), len(numbers), len(several), whole))
        for span in dict.fromkeys(span for _, span in self._obscure if span is not None):
            members = [m for m, own in self._obscure if own is span]
            rules.append(SpareRule(Member("statement", span.one_line, span), len(members), 0, None))
        return tuple(sorted(rules, key=lambda rule: rule.rule.span.start))

    def _any_needed(self, numbers: Sequence[int], found: SpareUnits) -> bool:
        known = {*found.alone, *found.open}
        return any(n not in known for n in numbers)

    def _spare(self, found: SpareUnits, rules: tuple[SpareRule, ...]) -> Spare:
        members = [member for member, _, _ in self.named]
        known = {*found.alone, *found.open}
        return Spare(
            compiled=self.compiled,
            alone=tuple(members[n] for n in found.alone),
            needed=tuple(member for n, member in enumerate(members) if n not in known),
            open=(*(members[n] for n in found.open), *(member for member, _ in self._obscure)),
            together=tuple(members[n] for n in found.together),
            minimal=found.minimal and not self._obscure,
            rules=rules,
            stopped=self.budget.spent or bool(found.open),
        )


# --- spare text ------------------------------------------------------------------------------------------------------


MOST_LISTED = 60  # how many lines a list has, at most


def as_text(spare: Spare) -> str:
    """What could be left out as plain text."""
    return plain(lines(spare))


def lines(spare: Spare) -> list[Line]:
    """What could be left out, line by line; the first line says how much there is."""
    return [(Part(head(spare), "title"),), *_alone(spare), *_together(spare), *_open(spare)]


def head(spare: Spare) -> str:
    """How much could be left out."""
    every = len(spare.alone) + len(spare.needed) + len(spare.open)
    if not every:
        return "there is nothing to look at: the givens and the rules with a label are what could be left out"
    if not spare.alone:
        known = "nothing can be left out" if not spare.open else "nothing is known that can be left out"
        return f"{known}: {_counted(spare.needed)} {_are(len(spare.needed))} needed" if spare.needed else known
    return f"{_counted(spare.alone)} could be left out, each by itself, without a change to the answers"


def _alone(spare: Spare) -> Iterator[Line]:
    if spare.alone:
        yield from _table(grouped(spare.alone, spare.rules, whole=True))
        yield text_line(needed(spare))


def needed(spare: Spare) -> str:
    """How much is needed, if something could be left out."""
    if spare.needed:
        return f"{_counted(spare.needed)} {_are(len(spare.needed))} needed"
    return "by itself, nothing is needed" if not spare.open else "nothing is known to be needed"


def _together(spare: Spare) -> Iterator[Line]:
    words = together(spare)
    if words:
        yield text_line(words)
        if 1 < len(spare.together) < len(spare.alone):
            yield from _table(grouped(spare.together, spare.rules))


def together(spare: Spare) -> str:
    """How much could be left out together; empty if the line before says so."""
    count = len(spare.together)
    if len(spare.alone) < 2 or not count:
        return ""
    then = "then nothing more can be left out" if spare.minimal else "it is not proved that then all others are needed"
    if count == 1:
        return f"with {spare.together[0].name} left out, nothing more can be" if spare.minimal else ""
    return f"{'all of them' if count == len(spare.alone) else f'these {count}'} could be left out together; {then}"


def _open(spare: Spare) -> Iterator[Line]:
    if spare.open:
        yield text_line(f"not known of {_counted(spare.open)}")
        yield from _table(grouped(spare.open, spare.rules))


def grouped(members: Sequence[Member], rules: Sequence[SpareRule], whole: bool = False) -> list[Member]:
    """The members, with one for all the instances of a rule. whole: say that the whole rule could be left out."""
    by_place: dict[tuple[str, Span], list[Member]] = {}
    for member in members:
        by_place.setdefault((member.kind, member.span), []).append(member)
    all_of = {rule.rule.span: rule for rule in rules if rule.instances > 1}
    shown: list[Member] = []
    for (kind, span), found in by_place.items():
        rule = all_of.get(span)
        if kind != "rule" or rule is None or len(found) < rule.instances:
            shown += found
            continue
        added = ", or the whole rule" if whole and rule.whole else ""
        shown.append(Member("rule", f"all {rule.instances} of `{rule.rule.name}`{added}", span))
    return shown


def _table(members: Sequence[Member]) -> Iterator[Line]:
    yield from placed([(member.name, member.place) for member in members[:MOST_LISTED]])
    if len(members) > MOST_LISTED:
        yield text_line(f"  … and {len(members) - MOST_LISTED} more; --json has them all")


def _counted(members: Sequence[Member]) -> str:
    givens = sum(member.kind == "given" for member in members)
    rules = len(members) - givens
    texts = []
    if givens:
        texts.append(quantity(givens, "given"))
    if rules:
        texts.append(quantity(rules, "rule"))
    return " and ".join(texts)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
