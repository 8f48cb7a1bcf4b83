"""What could be left out of a model, in words: what `covr spare` prints, and what `print` shows of a `Spare`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from covr.draw.styled import Line, Part, plain
from covr.dsl.source import Span
from covr.explain.member import Member
from covr.explain.spare import Spare, SpareRule
from covr.explain.why_text import placed, said

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
        yield said(needed(spare))


def needed(spare: Spare) -> str:
    """How much is needed, where something could be left out."""
    if spare.needed:
        return f"{_counted(spare.needed)} {_are(len(spare.needed))} needed"
    return "by itself, nothing is needed" if not spare.open else "nothing is known to be needed"


def _together(spare: Spare) -> Iterator[Line]:
    words = together(spare)
    if words:
        yield said(words)
        if 1 < len(spare.together) < len(spare.alone):
            yield from _table(grouped(spare.together, spare.rules))


def together(spare: Spare) -> str:
    """How much could be left out together; empty where that goes without saying."""
    count = len(spare.together)
    if len(spare.alone) < 2 or not count:
        return ""
    then = "then nothing more can be left out" if spare.minimal else "it is not proved that then all others are needed"
    if count == 1:
        return f"with {spare.together[0].name} left out, nothing more can be" if spare.minimal else ""
    return f"{'all of them' if count == len(spare.alone) else f'these {count}'} could be left out together; {then}"


def _open(spare: Spare) -> Iterator[Line]:
    if spare.open:
        yield said(f"not known of {_counted(spare.open)}")
        yield from _table(grouped(spare.open, spare.rules))


def grouped(members: Sequence[Member], rules: Sequence[SpareRule], whole: bool = False) -> list[Member]:
    """The members, with one in place of all the instances of a rule. whole: whether to say that the whole rule could be
    left out."""
    by_place: dict[tuple[str, Span], list[Member]] = {}
    for member in members:
        by_place.setdefault((member.kind, member.span), []).append(member)
    all_of = {rule.rule.span: rule for rule in rules if rule.instances > 1}
    told: list[Member] = []
    for (kind, span), found in by_place.items():
        rule = all_of.get(span)
        if kind != "rule" or rule is None or len(found) < rule.instances:
            told += found
            continue
        added = ", or the whole rule" if whole and rule.whole else ""
        told.append(Member("rule", f"all {rule.instances} of `{rule.rule.name}`{added}", span))
    return told


def _table(members: Sequence[Member]) -> Iterator[Line]:
    yield from placed([(member.name, member.place) for member in members[:MOST_LISTED]])
    if len(members) > MOST_LISTED:
        yield said(f"  … and {len(members) - MOST_LISTED} more; --json has them all")


def _counted(members: Sequence[Member]) -> str:
    """How many givens and rules there are; each instance of a rule counts."""
    givens = sum(member.kind == "given" for member in members)
    rules = len(members) - givens
    texts = []
    if givens:
        texts.append(f"{givens} given{'' if givens == 1 else 's'}")
    if rules:
        texts.append(f"{rules} rule{'' if rules == 1 else 's'}")
    return " and ".join(texts)


def _are(count: int) -> str:
    return "is" if count == 1 else "are"
