"""`up to`: the group that the symmetries of a model generate, as permutations of its options.

Two answers count as one when a member of the group carries one into the other. The answer listed for a class is its
*canonical* member: the smallest, compared as increasing tuples of option numbers. A member that does not preserve the
problem (a given may stand on one side only) may carry an answer to something that is none; such an image is left out,
and so is one of another cost, as all best answers cost the same. Every question compares answers here.

A small group is listed; memory is group size × options. A larger one is kept as a base and strong generating set
(engine/symmetries.py), if every member carries answers to answers; otherwise it is refused.

Source: orderly generation by canonical representatives, R. C. Read 1978; McKay 1998 discusses cheaper tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field

from covr.compiler.evaluate import EvalFault, Scope
from covr.compiler.evaluate.limits import CHOICE, CompileLimits, met
from covr.compiler.evaluate.values import Isometry, Motion, Set, abbreviate
from covr.compiler.lattices import CUBES, SQUARE, lattice_of
from covr.compiler.lower.families import Family, FaultCollector
from covr.dsl.diagnostics import Diagnostic, Span
from covr.dsl.syntax import Call, Expr, SymmetryMap, UpTo
from covr.engine import Problem, check
from covr.engine.base.limits import check_limits
from covr.engine.check import cost
from covr.engine.problem import Areas, Circuit, Connection, Side, Total
from covr.frozen import evolve, frozen

if TYPE_CHECKING:
    from covr.engine.symmetries import ChainGroup

Permutation = tuple[int, ...]

LISTED = 1000  # members; a group is listed up to this size before anything else is tried
MOST_CHECKED = 1_000_000  # members of the group times entries of the matrix, at most, for `keeping`: about a second


@frozen
class UnlikeCosts:
    """Where a symmetry of the model breaks its goal: two options that it carries into each other, of unlike costs.
    span: the symmetry, as it is written. option, image: option numbers."""

    span: Span
    option: int
    image: int


@frozen(eq=False)
class Symmetry:
    """The group of a model. images: for each member except the identity, where it sends each option; -1: to no option.

    faithful: whether every member carries answers to answers, so that images need no check.
    idle: the symmetries of the model that move no choice at all.  unlike: for each that breaks the goal, where it does.
    large: the group, where it is too large to be listed; then it is faithful, and there are no images.
    """

    problem: Problem = field(repr=False)
    images: tuple[Permutation, ...] = field(repr=False)
    faithful: bool
    idle: tuple[Span, ...] = field(default=(), repr=False)
    large: ChainGroup | None = field(default=None, repr=False)
    unlike: tuple[UnlikeCosts, ...] = field(default=(), repr=False)

    @property
    def size(self) -> int:
        """How many members the group has."""
        return len(self.images) + 1 if self.large is None else self.large.order

    @property
    def maps(self) -> Sequence[Permutation]:
        """Members that generate the group; all of them but the identity, where it is listed."""
        return self.images if self.large is None else self.large.given

    def group(self) -> Sequence[Permutation] | ChainGroup:
        """What a search for one answer of each class needs to know: the members that carry the problem to itself, or
        the whole group where it is not listed."""
        return self.keeping() if self.large is None else self.large

    def keeping(self) -> tuple[Permutation, ...]:
        """The members that carry the problem to itself, and so answers to answers; they form a group, from which the
        identity is left out. None of them where finding them would take long."""
        if self.faithful:
            return self.images
        if self.size * len(self.problem.members) > MOST_CHECKED:
            return ()
        return tuple(image for image in self.images if preserves(self.problem, image))

    def canonical(self, answer: Sequence[int]) -> tuple[int, ...]:
        """The smallest answer of the class of `answer`, as an increasing tuple of option numbers."""
        if self.large is not None:
            return tuple(sorted([*self.problem.given, *self.large.smallest(self._free(answer))]))
        best = tuple(sorted(answer))
        for image in self.images:
            other = tuple(sorted([image[o] for o in answer]))
            if other < best and self._counts(other, answer):
                best = other
        return best

    def orbit(self, answer: Sequence[int]) -> set[tuple[int, ...]]:
        """The class of `answer`, itself included, each as an increasing tuple. Only for a group that is listed."""
        assert self.large is None, "a large group is not listed"
        found = {tuple(sorted(answer))}
        for image in self.images:
            other = tuple(sorted([image[o] for o in answer]))
            if other not in found and self._counts(other, answer):
                found.add(other)
        return found

    def is_canonical(self, answer: Sequence[int]) -> bool:
        """Whether `answer` is the one listed for its class. Cheaper than `canonical`, since most others fail early."""
        if self.large is not None:
            check_limits()
            return self.large.is_smallest(self._free(answer))
        own = tuple(sorted(answer))
        if not own:
            return True
        first = own[0]
        for image in self.images:
            moved = [image[o] for o in own]
            least = min(moved)
            if least > first:
                continue
            other = tuple(sorted(moved))
            if other < own and self._counts(other, own):
                return False
        return True

    def _free(self, answer: Sequence[int]) -> list[int]:
        """The options of an answer that are not given, increasing. A large group carries given options to each other,
        so that they never tell which of two answers is smaller."""
        return sorted(set(answer).difference(self.problem.given))

    def _counts(self, image: Sequence[int], answer: Sequence[int]) -> bool:
        """Whether an image of an answer, increasing, belongs to its class: it is an answer too, of the same cost."""
        if self.faithful or not image:
            return True
        if image[0] < 0 or check(self.problem, tuple(image)) is not None:
            return False
        return cost(self.problem, image) == cost(self.problem, answer)


def build_symmetry(
    statements: Iterable[UpTo],
    families: Mapping[str, Family],
    numbers: Sequence[int],
    problem: Problem,
    scope: Scope,
) -> Symmetry | None:
    """The group that all `up to` statements together generate; None if there are no such statements. numbers: for each
    choice, its option number, or -1 if it was forbidden."""
    generators: list[Permutation] = []
    spans: list[Span] = []
    idle: list[Span] = []
    unlike: list[UnlikeCosts] = []
    still = list(range(len(numbers)))
    faults = FaultCollector()
    for statement in statements:
        for symmetry in statement.symmetries:
            with faults.of(statement):
                if isinstance(symmetry, SymmetryMap):
                    moved = [_by_map(symmetry, families, scope)]
                else:
                    moved = _by_isometries(symmetry, families, scope)
                generators += map(tuple, moved)
                spans.append(symmetry.span)
                if all(choices == still for choices in moved):
                    idle.append(symmetry.span)
                unlike += _unlike_costs(moved, numbers, problem, symmetry.span)
    faults.raise_if_any()
    if not spans:
        return None
    distinct = [_on_options(g, numbers, problem.options) for g in dict.fromkeys(generators)]
    faithful = all(preserves(problem, g) for g in distinct)
    limits = scope.budget.limits
    members = _closure(generators, len(numbers), evolve(limits, group=min(limits.group, LISTED)))
    if members is None:
        large = _large(distinct, problem, limits, spans[0]) if faithful else None
        if large is not None:
            return Symmetry(problem, (), True, tuple(idle), large)
        members = _closure(generators, len(numbers), limits)
    if members is None:
        raise EvalFault(_too_many(generators, len(numbers), spans[0]))
    images = tuple(_on_options(m, numbers, problem.options) for m in members)
    if -1 in numbers:  # members that differ in choices that are removed are the same for the options
        images = tuple(dict.fromkeys(image for image in images if image != tuple(range(problem.options))))
    return Symmetry(problem, images, faithful, tuple(idle), unlike=tuple(unlike))


def _unlike_costs(
    maps: Iterable[Sequence[int]], numbers: Sequence[int], problem: Problem, span: Span
) -> Iterator[UnlikeCosts]:
    """The first two options of unlike costs that one of these maps of choices carries into each other, if there are
    any."""
    for moved in maps if problem.costs else ():
        for choice, option in enumerate(numbers):
            image = numbers[moved[choice]]
            if option >= 0 and image >= 0 and problem.costs[option] != problem.costs[image]:
                yield UnlikeCosts(span, option, image)
                return


def _large(maps: Sequence[Permutation], problem: Problem, limits: CompileLimits, span: Span) -> ChainGroup | None:
    """The group of these symmetries of the problem; None if it is small enough to be listed."""
    from covr.engine.symmetries import GroupTooLarge, group_of

    try:
        group = group_of(problem, maps)
    except GroupTooLarge as fault:
        message = f"these symmetries generate a group of at least {fault.least:,} members, too large to work with"
        raise EvalFault(Diagnostic("E433", message, span, help=ADVICE)) from None
    if group.order <= limits.group and group.order * problem.options <= limits.group_entries:
        return None
    return group


def _by_map(symmetry: SymmetryMap, families: Mapping[str, Family], scope: Scope) -> list[int]:
    """Where `put(p, s) -> put(…)` sends every choice; choices of other families stay."""
    source, target = families[symmetry.family.id], families[symmetry.image.id]
    names = [p.id for p in symmetry.parameters]
    getters = [scope.compile(arg, names) for arg in symmetry.args]

    def image(args: Sequence[Any]) -> tuple[Any, ...]:
        env = dict(zip(names, args, strict=True))
        try:
            return tuple([get(env) for get in getters])
        except EvalFault as fault:
            raise met(fault, f"for the choice {source.name_of(tuple(args))}") from None

    moved = list(range(sum(len(f.choices) for f in families.values())))
    _send(moved, source, target, image, symmetry, scope)
    return moved


def _by_isometries(symmetry: Expr, families: Mapping[str, Family], scope: Scope) -> list[list[int]]:
    """Where motions of `symmetries(area)` or `rotations(area)` sends every choice: those that generate all of them. The
    first motion that sends a choice to none is among these, as a product of those before it sends none astray. A cube
    has 24 rotations, and three of them are enough."""
    motions = scope.compile(symmetry)({})
    if not isinstance(motions, Set) or not all(isinstance(m, Isometry | Motion) for m in motions):
        raise EvalFault(
            Diagnostic(
                "E430",
                f"{abbreviate(motions)} is no symmetry",
                symmetry.span,
                help="`symmetries(area)`, `rotations(area)` or a map such as `put(p, s) -> put(p, mirror(s))`",
            )
        )
    area = None
    if isinstance(symmetry, Call) and len(symmetry.args) == 1:
        area = frozenset(scope.compile(symmetry.args[0])({}))
    total = sum(len(f.choices) for f in families.values())
    found = []
    for motion in motions if area is None else _generators(motions, area):
        assert isinstance(motion, Isometry | Motion)
        act = _action(motion, area)
        moved = list(range(total))
        for family in families.values():
            _send(moved, family, family, _each(act), symmetry, scope)
        found.append(moved)
    return found


def _generators(motions: Iterable[Any], area: frozenset[Any]) -> Iterator[Any]:
    """Those motions of an area that are no products of the ones before them. Motions that carry a cell out of the area
    are generators, too."""
    cells = list(area)
    number = {cell: at for at, cell in enumerate(cells)}
    known, chosen = {tuple(range(len(cells)))}, list[Permutation]()
    for motion in motions:
        image = tuple([number.get(motion.apply(cell), -1) for cell in cells])
        if -1 in image:
            yield motion
        elif image not in known:
            yield motion
            chosen.append(image)
            known = {tuple(range(len(cells))), *_products(chosen, len(cells))}


def _each(act: Callable[[Any], Any]) -> Callable[[Sequence[Any]], tuple[Any, ...]]:
    return lambda args: tuple([act(a) for a in args])


def _action(motion: Isometry | Motion, area: frozenset[Any] | None) -> Callable[[Any], Any]:
    """What a motion does to an index: it moves cells of the area and sets of them, and leaves other values alone."""
    lattice = motion.lattice if isinstance(motion, Motion) else SQUARE if len(motion.axes) == 2 else CUBES
    kept: dict[Any, Any] = {}

    def is_cell(value: Any) -> bool:
        if area is not None:
            return value in area
        return lattice_of(value) is lattice

    def act(value: Any) -> Any:
        if isinstance(value, int | str):
            return value
        if value not in kept:
            if isinstance(value, Set) and len(value) and all(is_cell(c) for c in value):
                kept[value] = Set(motion.apply(c) for c in value)  # type: ignore[arg-type]
            else:
                kept[value] = motion.apply(value) if is_cell(value) else value
        return kept[value]

    return act


def _send(
    moved: list[int],
    source: Family,
    target: Family,
    image: Callable[[Any], tuple[Any, ...]],
    symmetry: Any,
    scope: Scope,
) -> None:
    """Fill in `moved` for a family's choices. Raises EvalFault if one goes to no choice, or two go to the same."""
    scope.budget.step(CHOICE * len(source.choices), symmetry.span)
    taken: dict[int, Any] = {}
    for at, args in enumerate(source.choices):
        other = image(args)
        number = target.number(other)
        if number is None:
            raise EvalFault(
                Diagnostic(
                    "E431",
                    f"this symmetry sends {source.name_of(args)} to {target.name_of(other)}, which is not a choice",
                    symmetry.span,
                    help="a symmetry must send every choice to a choice; a piece without its mirror image needs "
                    "an explicit map, or `rotations` instead of `symmetries`",
                )
            )
        if number in taken:
            both = f"{source.name_of(taken[number])} and {source.name_of(args)}"
            raise EvalFault(Diagnostic("E432", f"this symmetry sends both {both} to one choice", symmetry.span))
        taken[number] = args
        moved[source.first + at] = number


def _on_options(moved: Sequence[int], numbers: Sequence[int], options: int) -> Permutation:
    """A permutation of choices as a permutation of options; -1 where the image was forbidden."""
    image = [-1] * options
    for choice, option in enumerate(numbers):
        if option >= 0:
            image[option] = numbers[moved[choice]]
    return tuple(image)


def _products(generators: Sequence[Permutation], size: int) -> tuple[Permutation, ...]:
    """All products of the generators except the identity: as many as motions that a lattice has."""
    found = _closure(generators, size, evolve(CompileLimits(), group=1 << 20, group_entries=1 << 40))
    assert found is not None
    return found


def _closure(generators: Sequence[Permutation], size: int, limits: CompileLimits) -> tuple[Permutation, ...] | None:
    """All products of the generators except the identity, in the order in which they are found; None if there are too
    many."""
    identity = tuple(range(size))
    seen = {identity: None}
    frontier = [identity]
    generators = [g for g in dict.fromkeys(generators) if g != identity]
    while frontier:
        fresh = []
        for member in frontier:
            for g in generators:
                image = tuple([g[o] for o in member])
                if image not in seen:
                    seen[image] = None
                    fresh.append(image)
                    if len(seen) > limits.group or len(seen) * size > limits.group_entries:
                        return None
        frontier = fresh
    del seen[identity]
    return tuple(seen)


ADVICE = "break the symmetry with a `given` or a rule instead, or name fewer symmetries"
UNFAITHFUL = (
    "a group of this size must carry every answer to an answer, and a `given`, a `forbid`, a cost or a rule breaks one "
    "of these symmetries; leave out what breaks it, or name fewer symmetries"
)


def _too_many(generators: Sequence[Permutation], size: int, span: Span) -> Diagnostic:
    """What to say of a group that is too large to be listed, and does not carry all answers to answers."""
    from covr.engine.symmetries import ChainGroup, GroupTooLarge

    try:
        order = f"{ChainGroup(size, generators).order:,}"
    except GroupTooLarge as fault:
        order = f"at least {fault.least:,}"
    message = f"these symmetries generate a group of {order} members, not all of which carry answers to answers"
    return Diagnostic("E433", message, span, help=UNFAITHFUL)


def preserves(problem: Problem, image: Permutation) -> bool:
    """Whether a permutation of options carries the problem to itself: bounds, colours, costs, givens and sides. If the
    same options stand at several vertices of a connection, the answer is False, even if the permutation does carry the
    problem to itself. That is safe, because images are then checked one by one."""
    if -1 in image:
        return False
    if {image[o] for o in problem.given} != set(problem.given):
        return False
    if problem.costs and any(problem.costs[o] != problem.costs[image[o]] for o in range(problem.options)):
        return False
    before = _columns(problem, range(problem.options))
    if sorted(before) != sorted(_columns(problem, image)):
        return False
    still = Counter(_moved(side, range(problem.options)) for side in problem.sides)
    return None not in still and still == Counter(_moved(side, image) for side in problem.sides)


def _moved(side: Side, image: Sequence[int]) -> object:
    """A side after renumbering the options, in a form that does not depend on the numbers of its vertices; None where
    the options do not tell its vertices apart."""
    if isinstance(side, Total):
        return "total", side.sums, tuple(sorted((image[o], c) for o, c in side.terms))
    if isinstance(side, Areas):
        return _moved_areas(side, image)
    standing: dict[int, list[int]] = {}
    for o, *vertices in side.places if isinstance(side, Connection) else side.ends:
        for v in vertices:
            standing.setdefault(v, []).append(image[o])
    names = {v: tuple(sorted(options)) for v, options in standing.items()}
    if isinstance(side, Circuit):
        return "circuit", tuple(sorted(names.values()))
    if len(set(names.values())) < len(names):
        return None
    edges = sorted(tuple(sorted((names[u], names[v]))) for u, v in side.edges if u in names and v in names)
    return "connection", tuple(sorted(names.values())), tuple(edges)


def _moved_areas(side: Areas, image: Sequence[int]) -> object:
    """As `_moved`. A vertex is told by the options that stand there, that cut its edges, and that count there."""
    about: dict[int, list[tuple[int, int, int]]] = {v: [] for edge in side.edges for v in edge}
    marks = [(0, o, 0, v) for o, v in side.places] + [(1, o, 0, w) for o, u, v in side.cuts for w in (u, v)]
    marks += [(2 + k, o, weight, v) for k, one in enumerate(side.demands) for o, v, weight in one.terms]
    for kind, o, weight, v in marks:
        about.setdefault(v, []).append((kind, image[o], weight))
    names = {v: (v in side.always, tuple(sorted(told))) for v, told in about.items()}
    names |= {v: (True, ()) for v in side.always if v not in names}
    if len(set(names.values())) < len(names):
        return None
    edges = sorted(tuple(sorted((names[u], names[v]))) for u, v in side.edges)
    cuts = sorted((image[o], *sorted((names[u], names[v]))) for o, u, v in side.cuts)
    demands = [
        (one.sums, one.waived, None if one.anchors is None else tuple(sorted(names.get(v, ()) for v in one.anchors)))
        for one in side.demands
    ]
    return "areas", tuple(sorted(names.values())), tuple(edges), tuple(cuts), tuple(demands)


def _columns(problem: Problem, image: Sequence[int]) -> list[tuple[Any, ...]]:
    """Each item as its bounds and the options in it, grouped by colour, after renumbering the options."""
    columns: list[dict[int, list[int]]] = [{} for _ in range(problem.items)]
    for o in range(problem.options):
        for i, colour in zip(problem.option(o), problem.option_colours(o), strict=True):
            columns[i].setdefault(colour, []).append(image[o])
    return [
        (
            problem.low[i],
            problem.high[i],
            tuple(sorted(column.get(0, ()))),
            tuple(sorted(tuple(sorted(options)) for colour, options in column.items() if colour)),
        )
        for i, column in enumerate(columns)
    ]
