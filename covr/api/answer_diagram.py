"""All answers of a model as a decision diagram, with names: what `Model.compile` and `covr.load_answers` return.

Its file holds the model, too.
"""

from __future__ import annotations

import json
import sys
import zlib
from array import array
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterator, Mapping
from hashlib import blake2b
from itertools import islice
from os import PathLike
from pathlib import Path
from random import Random, SystemRandom
from typing import TYPE_CHECKING, Any

from attrs import evolve

from covr.compiler import Compiled, FromText, compile_model
from covr.compiler.display.prints import Mark, Picture
from covr.compiler.display.show import alike, exclude_each_other
from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source
from covr.dsl.load import recording, replaying
from covr.dsl.syntax import UpTo
from covr.engine.base.alone import Unsuited
from covr.engine.base.limits import Limits, Met, Status, limits_checked_by, measurable, resident, whole
from covr.engine.diagrams.diagram import (
    Diagram,
    DiagramBuilder,
    TooLarge,
    cheapest,
    graphillion,
    graphviz,
    in_order,
    restrict,
)
from covr.engine.pieces.piece_work import inflated
from covr.engine.problem import Problem
from covr.faults import usage_error, write_whole
from covr.questions.answer import Answer, Boards
from covr.questions.options import Options
from covr.questions.run import Progress, refuse_projection
from covr.runs.question import fingerprint, settle
from covr.text import reason_of

if TYPE_CHECKING:
    from covr.compiler import Choice

# --- the file of a diagram: all answers, and the model that they belong to -------------------------------------------
# The bytes: `MAGIC`; the version in 4 bytes; the length of the header in 8 bytes; the header (JSON, compressed); the
# nodes (three lists of 32-bit numbers, compressed); the checksum of all before. Numbers are little-endian. The checksum
# finds any damage, and the nodes are checked again by themselves, so that no file that was made up leads a question
# astray.
#
# What is compressed is at most `TIMES` times as long as it stands in the file, or `LEAST_UNPACKED` bytes: the writer
# adds zeros where zlib is better than that, and the reader unpacks no more. So a small file does not become gigabytes.
#
# The header has the names of the choices, so that a file can always be read; and where the model's text, its files and
# its params can be stored, these too, so that answers have pictures.

MAGIC = b"covr answers \x1a\n"
VERSION = 1
SEAL = 32  # bytes of the checksum
TIMES = 16  # names of choices become 3 to 6 times as long, lists of nodes 2 to 4 times
LEAST_UNPACKED = 1 << 20  # bytes


def is_diagram(file: Path) -> bool:
    """Whether a file begins as a diagram does, or is called `.zdd` and is no run file; false if it can't be read."""
    try:
        with file.open("rb") as stream:
            begun = stream.read(len(MAGIC))
    except OSError:
        return False
    return begun == MAGIC or (file.suffix == ".zdd" and not begun.startswith(b"SQLite"))


def write_diagram(file: Path, compiled: Compiled, diagram: Diagram) -> None:
    """Write a diagram with its model, completely or not at all. Raises ModelErrors E732."""
    header = json.dumps(
        {
            "options": diagram.options,
            "order": list(diagram.order),
            "root": diagram.root,
            "nodes": len(diagram.level),
            "names": [str(compiled.choice(o)) for o in range(diagram.options)],
            "costs": list(compiled.problem.costs) if compiled.is_matrix else [],
            "name": compiled.model.source.name,
            "model": _snapshot(compiled),
        }
    )
    packed = _packed(header.encode("utf-8", "surrogatepass"), 6)
    lists = b"".join(_bytes(numbers) for numbers in (diagram.level, diagram.low, diagram.high))
    head = MAGIC + VERSION.to_bytes(4, "little") + len(packed).to_bytes(8, "little")
    content = b"".join((head, packed, _packed(lists, 3)))
    try:
        write_whole(file, content + blake2b(content, digest_size=SEAL).digest())
    except OSError as error:
        raise usage_error("E732", f"`{file}` can't be written: {reason_of(error)}") from None


def read_diagram(file: Path) -> tuple[Compiled, Diagram]:
    """The diagram in a file, and its model. Raises ModelErrors: E730 for a file that can't be read, E731 for that of a
    newer covr."""
    try:
        content = file.read_bytes()
    except OSError as error:
        raise usage_error("E730", f"`{file}` can't be read: {reason_of(error)}") from None
    if not content.startswith(MAGIC):
        help = "`covr compile MODEL -o FILE` makes one"
        raise usage_error("E730", f"`{file}` is no diagram of answers", help=help)
    begin = len(MAGIC) + 12
    version = int.from_bytes(content[len(MAGIC) : len(MAGIC) + 4], "little")
    if len(content) >= begin + SEAL and blake2b(content[:-SEAL], digest_size=SEAL).digest() == content[-SEAL:]:
        if version > VERSION:
            message = f"`{file}` was made by a newer covr: its version is {version}, and this covr knows {VERSION}"
            raise usage_error("E731", message)
        size = int.from_bytes(content[begin - 8 : begin], "little")
        try:
            header = json.loads(_unpacked(content[begin : begin + size]).decode("utf-8", "surrogatepass"))
            diagram = _diagram(header, content[begin + size : -SEAL])
            names = header["names"]
            if diagram.fault() is None and len(names) == diagram.options and all(type(n) is str for n in names):
                return _compiled(header), diagram
        except (ValueError, KeyError, TypeError, OverflowError, AttributeError, RecursionError):
            pass
    help = "make it again: `covr compile MODEL -o FILE`"
    raise usage_error("E730", f"`{file}` is damaged: its checksum does not fit its contents", help=help)


def _diagram(header: dict[str, Any], packed: bytes) -> Diagram:
    nodes = int(header["nodes"])
    data = _unpacked(packed)
    if len(data) != 12 * nodes:
        raise ValueError("the lists have another length")
    lists: list[array[int]] = []
    for k in range(3):
        numbers = array("i", data[4 * nodes * k : 4 * nodes * (k + 1)])
        if sys.byteorder == "big":
            numbers.byteswap()
        lists.append(numbers)
    level, low, high = lists
    order = tuple(map(int, header["order"]))
    return Diagram(int(header["options"]), order, level, low, high, int(header["root"]))


def _packed(data: bytes, level: int) -> bytes:
    packed = zlib.compress(data, level)
    shortest = 0 if len(data) <= LEAST_UNPACKED else -(-len(data) // TIMES)
    return packed.ljust(shortest, b"\0")


def _unpacked(packed: bytes) -> bytes:
    """Raises ValueError for what `_packed` has not made."""
    data, rest = inflated(packed, max(TIMES * len(packed), LEAST_UNPACKED))
    if rest.strip(b"\0"):
        raise ValueError("something else follows")
    return data


def _bytes(numbers: Any) -> bytes:
    found = array("i", numbers)
    if sys.byteorder == "big":
        found.byteswap()
    return found.tobytes()


def _snapshot(compiled: Compiled) -> dict[str, Any] | None:
    """The model with its params and all files that it reads; None if JSON does not hold one of its params."""
    if compiled.is_matrix:
        return None
    source = compiled.model.source
    params: dict[str, Any] = {}
    for name, value in compiled.scope.overrides.items():
        if isinstance(value, FromText):
            params[name] = {"text": value.text, "name": value.name, "plain": value.plain}
        elif _is_plain(value):
            params[name] = value
        else:
            return None
    kept = {"name": source.name, "text": source.text, "path": source.path, "params": params}
    try:
        with recording() as files:
            again = _made(kept)
    except ModelErrors:
        return None
    sum = fingerprint(compiled.problem, compiled.goal)
    if fingerprint(again.problem, again.goal) != sum:
        return None  # a file that the model reads has changed since
    return {**kept, "files": {name: b64encode(data).decode() for name, data in files.items()}, "fingerprint": sum}


def _is_plain(value: object) -> bool:
    return type(value) in (str, int, bool) or (type(value) is list and all(map(_is_plain, value)))


def _made(kept: dict[str, Any]) -> Compiled:
    from covr.inputs.library import checked

    params = {
        name: FromText(value["text"], value["name"], value["plain"]) if isinstance(value, dict) else value
        for name, value in kept["params"].items()
    }
    compiled = compile_model(checked(Source(kept["name"], kept["text"], kept["path"])), params)
    settle(compiled)
    return compiled


def _compiled(header: dict[str, Any]) -> Compiled:
    """The model of a file; one that only knows names of choices if this covr can't make the same problem of it."""
    from covr.compiler.matrix_model import compile_problem

    kept = header["model"]
    if kept is not None:
        files = {name: b64decode(data) for name, data in kept["files"].items()}
        try:
            with replaying(files):
                compiled = _made(kept)
            if fingerprint(compiled.problem, compiled.goal) == kept["fingerprint"]:
                return compiled
        except ModelErrors:
            pass
    n = int(header["options"])
    names, costs = tuple(header["names"]), tuple(map(int, header["costs"]))
    problem = Problem((), (), 0, [0] * (n + 1), [], costs=costs, option_names=names)
    return compile_problem(problem, str(header["name"]))


MOST = 4 << 30  # bytes that building may take if no limit is given
LEAST = 1 << 20  # bytes that it may always take
EXPORTS = ("graphillion", "graphviz")


class AnswerDiagram:
    """All answers of a model. Every question about them takes time linear in `nodes`, not in the number of answers.

    The answers are those of the rules: a goal does not make any of them worse here; `best` asks for the best ones.
    Iterating yields the answers sorted by the numbers of their choices."""

    def __init__(self, compiled: Compiled, diagram: Diagram) -> None:
        self.compiled = compiled
        self.diagram = diagram

    def __repr__(self) -> str:
        name = self.compiled.title or self.compiled.model.source.name
        return f"<AnswerDiagram {name}: {self.count()} answers, {self.nodes} nodes>"

    @property
    def nodes(self) -> int:
        """How many nodes the diagram has."""
        return len(self.diagram)

    def count(self) -> int:
        """How many answers there are."""
        return self.diagram.count

    def counts(self) -> dict[str, int]:
        """For every choice, in documented order, how many answers hold it."""
        found = self.diagram.per_option()
        return {
            str(self.compiled.choice(o)): found[o] for o in range(self.diagram.options) if not self.compiled.is_own(o)
        }

    def __iter__(self) -> Iterator[Answer]:
        return (Answer(self.compiled, options) for options in in_order(self.diagram))

    def sample(self, n: int = 1, seed: int | None = None) -> list[Answer]:
        """`n` answers drawn at random, with replacement, each with exactly the same chance; none if there are none.

        The same seed draws the same answers from the same diagram."""
        rng = Random(SystemRandom().randrange(1 << 32) if seed is None else whole(seed, "seed"))
        number = whole(n, "n", 0)
        if not self.count():
            return []
        return [Answer(self.compiled, self.diagram.draw(rng)) for _ in range(number)]

    def best(
        self,
        k: int = 1,
        costs: Mapping[str, int] | Callable[[Choice], int] | None = None,
        *,
        maximize: bool = False,
    ) -> list[tuple[int, Answer]]:
        """The `k` best answers, best first, each with its value; fewer if there are not so many.

        costs: what each choice costs, by its name as covr prints it (0 for choices that are not named), or a function
        of the choice; the value of an answer is the sum, and the least is best, with `maximize` the greatest. Without
        costs, the goal of the model says what is best; ValueError for a model without a goal."""
        number = whole(k, "k", 0)
        if costs is None:
            return list(islice(self._by_goal(maximize), number))
        sign = -1 if maximize else 1
        listed = [sign * cost for cost in self._costs(costs)]
        found = islice(cheapest(self.diagram, listed), number)
        return [(sign * paid, Answer(self.compiled, options)) for paid, options in found]

    def _by_goal(self, maximize: bool) -> Iterator[tuple[int, Answer]]:
        if self.compiled.goal is None:
            raise ValueError("the model has no goal, so `best` needs costs")
        if maximize:
            raise ValueError("`maximize` goes with costs; without them, the model's goal says what is best")
        costs = self.compiled.problem.costs or [0] * self.diagram.options
        for _, options in cheapest(self.diagram, costs):
            answer = Answer(self.compiled, options)
            assert answer.cost is not None
            yield answer.cost, answer

    def _costs(self, costs: Mapping[str, int] | Callable[[Choice], int]) -> list[int]:
        every = range(self.diagram.options)
        if callable(costs):
            return [
                0 if self.compiled.is_own(o) else whole(costs(self.compiled.choice(o)), "the cost of a choice")
                for o in every
            ]
        found = [0] * self.diagram.options
        for name, cost in costs.items():
            o = self._option(name)
            if o >= 0:
                found[o] = whole(cost, "the cost of a choice")
        return found

    def having(self, *choices: str) -> AnswerDiagram:
        """The answers that hold all of these choices, such as `"place(1, 1, 5)"`. Raises ModelErrors for a choice that
        the model does not have."""
        return self.restricted(choices, ())

    def lacking(self, *choices: str) -> AnswerDiagram:
        """The answers that hold none of these choices."""
        return self.restricted((), choices)

    def restricted(self, wanted: tuple[str, ...], unwanted: tuple[str, ...]) -> AnswerDiagram:
        """The answers with all the wanted choices and without the unwanted ones."""
        with_, without = list(map(self._option, wanted)), [self._option(name) for name in unwanted]
        return AnswerDiagram(self.compiled, restrict(self.diagram, with_, [o for o in without if o >= 0]))

    def _option(self, choice: str) -> int:
        """The option number of a choice; -1 for one that the model removes, which no answer holds."""
        names = self.compiled.problem.option_names
        if self.compiled.is_matrix and choice in names:
            return list(names).index(choice)
        from covr.explain.choice_words import find_choice

        option = find_choice(self.compiled, choice).option
        return -1 if option is None else option

    def heat(self) -> Heat:
        """How often each choice is in an answer, as pictures."""
        return Heat(self.compiled, self.diagram)

    def export(self, form: str) -> Iterator[str]:
        """The lines of the diagram in another program's format: `graphillion`, or `graphviz`, which draws it."""
        if form not in EXPORTS:
            raise ValueError(f"there is no format `{form}`; there are {', '.join(EXPORTS)}")
        if form == "graphillion":
            return graphillion(self.diagram)
        return graphviz(self.diagram, [str(self.compiled.choice(o)) for o in range(self.diagram.options)])

    def save(self, path: str | PathLike[str]) -> None:
        """Write it to a file that `covr.load_answers` and `covr answers` read: completely or not at all. Raises
        ModelErrors E732 if that fails.

        If a param of the model is a Python value other than text, numbers and lists of these, the file has only the
        names of the choices, and its answers no pictures."""
        write_diagram(Path(path), self.compiled, self.diagram)


def load_answers(file: str | PathLike[str]) -> AnswerDiagram:
    """The answers that `AnswerDiagram.save` or `covr compile` has written to a file. Raises ModelErrors: E730 if the
    file can't be read, is something else or is damaged, E731 if a newer covr made it."""
    return AnswerDiagram(*read_diagram(Path(file)))


class Heat(Boards):
    """How often each choice of a model is in an answer.

    shares: per option, the number of the answers that hold it.  total: how many answers there are."""

    def __init__(self, compiled: Compiled, diagram: Diagram) -> None:
        self.compiled, self._diagram = compiled, diagram
        self.shares, self.total = diagram.per_option(), diagram.count

    def pictures(self) -> tuple[Picture, ...]:
        """The boards with a percentage at every choice that some answer holds, the darker the more do; empty if there
        is no board.

        Choices that show the same text at the same place are one mark: the share of the answers that show it."""
        possible = tuple(o for o, times in enumerate(self.shares) if times)
        pictures = self.compiled.pictures(possible) if possible else ()
        return tuple(self._marked(p) for p in pictures if p.axes and p.low)

    def _marked(self, picture: Picture) -> Picture:
        taken = {mark.at for mark in picture.marks if mark.option >= 0}
        marks = [m for m in picture.marks if m.option < 0 and (m.given or m.at not in taken)]
        marks += [self._mark(here[0], self._showing([m.option for m in here])) for here in alike(picture.marks)]
        return evolve(picture, marks=tuple(sorted(marks, key=lambda m: m.at)), outline=False, tiles=False, pencil=True)

    def _showing(self, options: list[int]) -> int:
        """How many answers take one of these options or more."""
        if exclude_each_other(self.compiled.problem, options):
            return sum(self.shares[o] for o in options)
        return self.total - restrict(self._diagram, unwanted=options).count

    def _mark(self, mark: Mark, times: int) -> Mark:
        if times == self.total:
            return mark
        return evolve(mark, faint=True, note=percent(times, self.total), heat=times / self.total)

    def as_text(self) -> str:
        """The pictures as text; a line for each choice if the model has no board."""
        from covr.draw.text import as_text

        return as_text(self.pictures()) or "\n".join(self.lines())

    __str__ = as_text

    def lines(self) -> list[str]:
        """One line for each choice that some answer holds: the percentage and the choice."""
        return [
            f"{percent(times, self.total):>5}  {self.compiled.choice(o)}"
            for o, times in enumerate(self.shares)
            if times and not self.compiled.is_own(o)
        ]


def percent(part: int, whole: int) -> str:
    """`part` of `whole` in per cent, rounded; `<1%` and `>99%` rather than 0 and 100 where these would not be exact."""
    rounded = (200 * part + whole) // (2 * whole)
    if rounded == 0 and part:
        return "<1%"
    if rounded == 100 and part < whole:
        return ">99%"
    return f"{rounded}%"


class DiagramRun:
    """The work of making a diagram, which can be stopped and followed. Call `make` once."""

    others: tuple[str, ...] = ()

    def __init__(self, compiled: Compiled, options: Options = Options()) -> None:  # noqa: B008
        """options: only the limits of time and memory count. Raises ModelErrors E505 for `answers by`, E510 for `up
        to`."""
        refuse_projection(compiled, "a diagram")
        groups = compiled.model.all(UpTo)
        if groups:
            message = "a diagram holds all answers, not one of each class"
            raise ModelErrors([Diagnostic("E510", message, groups[0].span, "leave out `up to`")])
        options.settings()
        self.compiled, self.options = compiled, options
        self.status = Status.RUNNING
        self._met = Met(Limits(seconds=options.limits().seconds))
        self._builder: DiagramBuilder | None = None
        self._stop = False

    def interrupt(self) -> None:
        """Ask to stop; may be called from any thread."""
        self._stop = True

    def progress(self) -> Any:
        """The nodes so far; may be called from any thread."""
        return Progress(None, 0 if self._builder is None else self._builder.nodes, 0, None, None)

    def make(self) -> AnswerDiagram:
        """Build it. Raises ModelErrors E733 if it does not fit in memory, E505 for areas, and LimitReached at a limit
        of time and after `interrupt`."""
        most = MOST
        if self.options.limit_memory is not None and measurable():
            most = max(self.options.limit_memory - resident(), LEAST)
        try:
            with limits_checked_by(lambda: Status.INTERRUPTED if self._stop else None), limits_checked_by(self._met):
                self._builder = DiagramBuilder(self.compiled.problem, most)
                return AnswerDiagram(self.compiled, self._builder.run())
        except TooLarge as error:
            message = (
                f"the diagram does not fit in memory: with {error.nodes} nodes it wants {_megabytes(error.wanted)}, "
                f"and {_megabytes(error.most)} are allowed"
            )
            raise usage_error("E733", message, help="allow more with --limit-memory") from None
        except Unsuited as error:
            raise usage_error(
                "E505", f"no diagram can be built: {error}", help="`covr solve --all` lists the answers"
            ) from None


def _megabytes(size: int) -> str:
    return f"{size / 1e6:.0f} MB"
