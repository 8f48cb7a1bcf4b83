"""The Python API: a model with its data, all questions about it, and links to puzzles."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Unpack

from covr.api.problem import Unfinished, check_verified, first_of
from covr.compiler import Compiled, compile_model
from covr.dsl.diagnostics import Diagnostic, Source
from covr.engine.base.limits import LimitReached, whole
from covr.faults import usage_error
from covr.inputs import library
from covr.inputs.as_link import PZPRV3, linked_from, usual_form, written
from covr.inputs.library import find_linked, open_model, unreadable_link
from covr.questions.answer import Answer, plain
from covr.questions.options import Options, OptionWords
from covr.questions.run import Run

if TYPE_CHECKING:
    from covr.api.answer_diagram import AnswerDiagram
    from covr.engine import Counters, Problem, Status
    from covr.explain.drawn_answer import Judgement
    from covr.explain.hints import HintPath
    from covr.explain.spare import Spare
    from covr.explain.why_text import Why
    from covr.links.file import Linked
    from covr.puzzles.made_puzzle import MadePuzzle
    from covr.questions.candidates import CandidateTable
    from covr.questions.sampling import Sample
    from covr.questions.tree_size import Effort


class Solutions(Iterator[Answer]):
    """The answers of a model, found one by one as they are asked for.

    complete: whether all answers were returned; false while there may be more, also after a limit."""

    def __init__(self, compiled: Compiled, options: Options, limit: int | None) -> None:
        if limit is not None:
            limit = whole(limit, "limit", 0)
        self._compiled = compiled
        self._run = Run(compiled, options)
        self._answers = self._run.answers(limit=limit)

    def __next__(self) -> Answer:
        found = next(self._answers)
        best = self._run.best
        if best is None:
            return Answer(self._compiled, found)
        return Answer(self._compiled, found, best.bound, best.proved)

    @property
    def complete(self) -> bool:
        return self._run.complete

    @property
    def verified(self) -> bool | None:
        """With the option `verify`: whether another method confirmed that there are no more answers; None before all
        answers are returned."""
        return None if self._run.verified is None else self._run.verified.done

    @property
    def status(self) -> Status:
        """`running`, `exhausted` (that was all), `limit` or `interrupted`."""
        return self._run.status

    @property
    def counters(self) -> Counters:
        """The work so far: nodes, updates and answers."""
        return self._run.counters

    def interrupt(self) -> None:
        """Ask the search to stop; may be called from another thread."""
        self._run.interrupt()


# --- model -----------------------------------------------------------------------------------------------------------
#     model = covr.load("sudoku", box=3)
#     print(model.solve())                     # the first answer, as a picture
#     model.count()                            # how many there are
#     for answer in model.solutions():         # one at a time, as they are found
#         answer.as_dict()
#
# "There is none" and "not known" are never confused: what is returned is proved, and a question that a limit leaves
# open raises `Unfinished`, which holds what was found. Only the iterator of `solutions` ends quietly at a limit.


def load(name: str | PathLike[str], /, **params: object) -> Model:
    """Read, check and compile a model.

    name: a path, or the name of a model of the gallery, such as `sudoku`; or a file in another program's format, such
    as `queens.dlx`, which has no params.
    params: values for the model's params: numbers, text, lists, sets, dicts. If a param has a reader, the reader reads
    the text (`clue="53..7…"`). Raises ModelErrors with every fault of the model or its data."""
    from covr.inputs.matrices import open_any

    return Model(open_any(str(name), params))


def loads(text: str, /, **params: object) -> Model:
    """Like `load`, for the text of a model."""
    return Model(compile_model(library.checked(Source("<text>", text)), params))


class Model:
    """A compiled model. It never changes; other data make another model.

    Every question takes the keywords of `covr.Options`, such as limit_time, limit_nodes, seed, estimate and engine.
    The answers of a model with `minimize` or `maximize` are its best answers."""

    def __init__(self, compiled: Compiled) -> None:
        self.compiled = compiled

    # --- what it is ---

    @property
    def title(self) -> str:
        """The model's title, with the expressions in braces replaced by their values; empty if it has none."""
        return self.compiled.title

    @property
    def goal(self) -> str | None:
        """`minimize`, `maximize` or None."""
        return self.compiled.goal

    @property
    def params(self) -> dict[str, Any]:
        """Every param with its value in this model, as a Python value."""
        return {name: plain(value) for name, _, _, value in self.compiled.parameters}

    @property
    def problem(self) -> Problem:
        """The matrix: items and options, with a name for each."""
        return self.compiled.problem

    @property
    def warnings(self) -> tuple[Diagnostic, ...]:
        """The warnings that `covr check` prints."""
        return self.compiled.warnings

    @property
    def impossible(self) -> Diagnostic | None:
        """Why there is no answer, if a single rule shows that; None if no such reason was found."""
        return self.compiled.impossible

    def __repr__(self) -> str:
        size = f"{self.problem.items} items, {self.problem.options} options"
        return f"<Model {self.title or self.compiled.model.source.name}: {size}>"

    def svg(self, theme: str = "light") -> str:
        """The puzzle before it is solved, as an SVG document: its givens, and what is printed on its board."""
        from covr.compiler.matrix_model import unsolved
        from covr.draw.book import Shown, draw_svg

        return draw_svg([Shown(unsolved(self.compiled))], self.title, theme)

    def _repr_svg_(self) -> str | None:
        """The puzzle as SVG; None for a model without a board, of which notebooks show the line of `_repr_html_`."""
        from covr.draw.book import has_board

        return self.svg() if has_board(self.compiled.puzzle()) else None

    def _repr_html_(self) -> str:
        from covr.draw.book import Shown, draw_svg, has_board
        from covr.draw.canvas import clean

        pictures = self.compiled.puzzle()
        size = f"{self.problem.items} items, {self.problem.options} options"
        if self.impossible is not None:
            size += f"; no solution: {self.impossible.message}"
        board = draw_svg([Shown(pictures)]) if has_board(pictures) else ""
        title = clean(self.title or self.compiled.model.source.name)
        return f"<div><b>{escape(title)}</b> ({escape(clean(size))})<br>{board}</div>"

    # --- other data ---

    def with_params(self, **params: object) -> Model:
        """The same model with other values for some params; the other params keep theirs.

        Fast if only `given` statements depend on these params, as they do on the clues of a sudoku."""
        return Model(self.compiled.with_data(params))

    def each(
        self, param: str | None, records: Iterable[object] | PathLike[str], **options: Unpack[OptionWords]
    ) -> Iterator[Answer | None]:
        """The result of `solve` for each record in turn.

        records: values for the param; or the path of a collection, in any of the ways that `covr solve --each` reads.
        param: None for records that name their params: dicts, or a file of such."""
        if isinstance(records, PathLike):
            values: Iterable[Any] = self._records(param or "", Path(records))
        else:
            values = records if param is None else ({param: value} for value in records)
        for value in values:
            yield self.with_params(**value).solve(**options)

    def _records(self, param: str, path: Path) -> Iterator[dict[str, object]]:
        from covr.inputs.collection import open_collection

        lines = library.read_text(path, str(path)).split("\n")
        collection = open_collection(self.compiled, param, str(path), lines, None, eager=False)
        return map(collection.values, collection.records)

    # --- questions ---

    def solve(
        self, *, near: Answer | Iterable[tuple[Any, ...]] | None = None, **options: Unpack[OptionWords]
    ) -> Answer | None:
        """The first answer, or a best one if the model has a goal. None: it is proved that there is none.

        near: an earlier answer, or its choices as `Answer.as_tuples` gives them. After all goals, as few choices as
        possible differ from it; `changed` of the answer tells which.

        Of answers that count as one with `up to`, it is the smallest. If a limit stops the search for the best answer,
        the best one found is returned with `proved` false and its `bound`; if a limit stops the search before any
        answer is found, Unfinished is raised."""
        compiled = self.compiled if near is None else _near(self.compiled, near)
        run = Run(compiled, Options(**options))
        found = first_of(run)
        if found is None:
            return None
        if run.best is None:
            return Answer(compiled, found)
        answer = Answer(compiled, found, run.best.bound, run.best.proved)
        check_verified(run, (answer,))
        return answer

    def solutions(self, limit: int | None = None, **options: Unpack[OptionWords]) -> Solutions:
        """Every answer (with a goal, every best one), or `limit` of them, one at a time as they are found."""
        return Solutions(self.compiled, Options(**options), limit)

    def count(self, **options: Unpack[OptionWords]) -> int:
        """How many answers there are: with `up to`, how many classes; with a goal, how many best answers.

        Raises Unfinished if a limit is reached; its `count` is then a lower bound."""
        run = Run(self.compiled, Options(**options))
        counted = run.count()
        if not counted.complete:
            raise Unfinished(f"a limit was hit after {counted.value} answers", count=counted.value, bound=run.bound)
        check_verified(run, count=counted.value)
        return counted.value

    def unique(self, **options: Unpack[OptionWords]) -> bool:
        """Whether there is exactly one answer. Raises Unfinished if a limit is reached before that is known."""
        run = Run(self.compiled, Options(**options))
        found = list(run.answers(limit=2))
        if len(found) < 2 and not run.complete:
            raise Unfinished("a limit was hit", tuple(Answer(self.compiled, a) for a in found))
        check_verified(run, tuple(Answer(self.compiled, a) for a in found))
        return len(found) == 1

    def sample(
        self, n: int = 1, *, distinct: bool = False, exact: bool = False, **options: Unpack[OptionWords]
    ) -> Sample:
        """Answers drawn at random: `n` of them; with `distinct`, fewer if there are not so many different ones.

        Every answer has the same chance; with `up to`, every class; with a goal, every best answer. If they could not
        all be counted within half of `limit_time` (60 seconds by default), the drawn answers are the first ones of
        shuffled searches, and the sample's `uniform` is false; with `exact`, or if the model has a goal, Unfinished is
        raised instead. The same `seed` draws the same answers. If there is no answer, the sample is empty."""
        from covr.questions.sampling import Sample, Sampling

        n = whole(n, "n", 0)
        run = Sampling(self.compiled, Options(**options), exact)
        drawn = []
        for found in run.draw(n, distinct):
            best = run.best
            drawn.append(Answer(self.compiled, found, None if best is None else best.bound))
        if run.status in ("limit", "interrupted"):
            raise Unfinished("a limit was hit before all were drawn", tuple(drawn), bound=run.bound)
        return Sample(drawn, run)

    def candidates(self, count: int | None = None, **options: Unpack[OptionWords]) -> CandidateTable:
        """For every choice whether it is in all answers, in some or in none: what can still go where.

        count: also say how many answers hold each choice, up to that number; exactly, if all answers could be listed.
        A limit leaves `complete` false, and what is not known by then is `open`. Raises ModelErrors for a model with a
        goal or `up to`, and ValueError for a count that is no whole number from 1."""
        from covr.questions.candidates import CandidateRun

        return CandidateRun(self.compiled, Options(**options), count).table()

    def hints(self, first: bool = False, **options: Unpack[OptionWords]) -> HintPath:
        """The steps that a person would take from what is given to all that follows, each with its smallest reason.

        first: stop after one step. `path.grade` says how hard the steps are; `complete` is false if a limit was hit.
        Raises ModelErrors for a model with a goal, `up to` or `answers by`."""
        from covr.explain.hints import HintRun

        return HintRun(self.compiled, Options(**options)).find(not first)

    def make(
        self,
        n: int = 1,
        *,
        clues: str | None = None,
        fewest: bool = False,
        symmetry: str | None = None,
        at_most: int | None = None,
        minimal: bool = False,
        fits: Callable[[MadePuzzle], bool] | None = None,
        grade: tuple[float, float] | None = None,
        layout: Model | None = None,
        **options: Unpack[OptionWords],
    ) -> list[MadePuzzle]:
        """Make puzzles: for each, a random answer and clues that leave it the only one, none of which can be left out.

        clues: the family of the clues, if not the one that the model's data give.  fewest: the fewest clues of each
        answer; see `proved` and `bound`.  symmetry: `rotate`, `quarter`, `mirror`, `flip`, `cross`, `diagonal`,
        `antidiagonal` or `full`.  at_most: the most clues.  minimal: with a symmetry, whether no single clue may be
        left out, and not only none with its partners.  fits: a test of each puzzle; those that fail it are thrown
        away.  grade: the least and the greatest grade, as `covr grade` gives it.  layout: a model with params of the
        same names, of which a random answer says for each puzzle, with `clue`, what stands in them.
        The same `seed` makes the same puzzles, whatever `jobs` is. The list is shorter if a limit was hit, or if 2000
        puzzles in a row were not as asked for; it is empty if the model has no answer. Raises ModelErrors for a model
        with a goal, `up to` or `answers by`, and where it is not clear which choices are clues."""
        from covr.puzzles.made_puzzle import Wish
        from covr.puzzles.making import MakeRun

        wish = Wish(clues, fewest, symmetry, at_most, minimal, fits, grade)
        if layout is not None:
            from covr.puzzles.layouts import LayoutRun

            return list(LayoutRun(self.compiled, layout.compiled, Options(**options), wish, n).puzzles())
        return list(MakeRun(self.compiled, Options(**options), wish, n).puzzles())

    def compile(self, **options: Unpack[OptionWords]) -> AnswerDiagram:
        """All answers as one decision diagram, which counts them, draws and ranks them, and picks those with some
        choices, without searching again. `covr.load_answers` reads it from the file that its `save` writes.

        A goal does not narrow the answers; `AnswerDiagram.best` asks for the best ones. Raises ModelErrors: E733 if it
        does not fit in `limit_memory` (4 GB by default), E505 and E510 for a model that no diagram can hold (totals,
        `connected`, `loop`, `answers by`, `up to`); and Unfinished if `limit_time` is over."""
        from covr.api.answer_diagram import DiagramRun

        try:
            return DiagramRun(self.compiled, Options(**options)).make()
        except LimitReached:
            raise Unfinished("a limit was hit before the diagram was complete") from None

    def size(self, probes: int | None = None, **options: Unpack[OptionWords]) -> Effort:
        """Estimate by random probes how big the search for every answer is: its nodes and time, with their spread.

        Takes at most 10 seconds unless `limit_time` is given. probes: the exact number of probes to make; None for as
        many as are needed. The default `seed` is 0. For a model with a goal, the tree is the one that no bound prunes.
        The result is described at `covr.questions.tree_size.Effort`."""
        from covr.questions.tree_size import Sizing

        probes = None if probes is None else whole(probes, "probes", 1)
        return Sizing(self.compiled, Options(**options)).run(probes)

    def estimate(self, probes: int | None = None, **options: Unpack[OptionWords]) -> Effort:
        """The old name of `size`; each place that calls it gets one DeprecationWarning."""
        from warnings import warn

        warn("`Model.estimate` is called `Model.size` now", DeprecationWarning, stacklevel=2)
        return self.size(probes, **options)

    def why(self, choice: str | None = None, **options: Unpack[OptionWords]) -> Why:
        """Why there is no answer; or, with a `choice` such as `"place(3, 4, 7)"`, why that is in every answer, in none
        or in some.

        `print` shows the explanation in words; `covr.explain.why_text.Why` describes its fields. Takes at most 30
        seconds of search unless `limit_time` is given. Raises ModelErrors if the model has no such choice."""
        from covr.explain.why import explain

        return explain(self.compiled, choice, Options(**options))

    def spare(self, only: str = "all", **options: Unpack[OptionWords]) -> Spare:
        """Which givens and labelled rules could be left out without a change to the answers, each by itself, and a
        large set of them together. Goals and wishes play no part.

        only: `"givens"` or `"rules"` to look at those alone. `print` shows what was found in words;
        `covr.explain.spare.Spare` describes its fields. Takes at most 60 seconds of search unless `limit_time` is
        given; what is not known by then is in its `open`."""
        from covr.explain.spare import SpareInquiry

        return SpareInquiry(self.compiled, Options(**options), only).find()

    def minimum(self, **options: Unpack[OptionWords]) -> int | None:
        """The least value of what the model minimises; None if there is no answer at all.

        Raises Unfinished if a limit is reached: its `found` holds the best answer, its `bound` the proved bound.
        Raises ValueError for a model that does not minimise."""
        return self._optimum("minimize", Options(**options))

    def maximum(self, **options: Unpack[OptionWords]) -> int | None:
        """The greatest value of what the model maximises; otherwise like `minimum`."""
        return self._optimum("maximize", Options(**options))

    def _optimum(self, goal: str, options: Options) -> int | None:
        if self.goal != goal:
            has = f"it has `{self.goal}`" if self.goal else "it has no goal"
            raise ValueError(f"this model does not {goal}: {has}")
        run = Run(self.compiled, options)
        if run.first() is None:
            if run.complete:
                check_verified(run)
                return None
            raise Unfinished("a limit was hit before an answer was found", bound=run.bound)
        assert run.best is not None
        if not run.best.proved:
            found = Answer(self.compiled, run.best.answer, run.best.bound, False)
            raise Unfinished("a limit was hit before the best answer was proved", (found,), bound=run.bound)
        check_verified(run, (Answer(self.compiled, run.best.answer, run.best.bound, True),))
        return run.best.value


def _near(compiled: Compiled, earlier: Answer | Iterable[tuple[Any, ...]]) -> Compiled:
    from covr.questions.tree_size import near_choices

    choices = earlier.as_tuples() if isinstance(earlier, Answer) else earlier
    return near_choices(compiled, [(family, [_as_json(v) for v in args]) for family, *args in choices])


def _as_json(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [_as_json(v) for v in value]
    if isinstance(value, frozenset | set):
        return [_as_json(v) for v in sorted(value)]
    return {k: _as_json(v) for k, v in value.items()} if isinstance(value, dict) else value


def gallery() -> Mapping[str, Path]:
    """The models that ship with covr: name → file."""
    return library.gallery_files()


def sheet(answers: Iterable[Answer], theme: str = "light") -> str:
    """Several answers next to each other, numbered, as one SVG document."""
    from covr.draw.book import Shown, draw_svg

    found = list(answers)
    shown = [Shown(answer.pictures, str(n)) for n, answer in enumerate(found, 1)]
    return draw_svg(shown, found[0].title if found else "", theme)


# --- link ------------------------------------------------------------------------------------------------------------


class Link:
    """A puzzle that a link or file holds, perhaps with an answer that is drawn in it. It never changes."""

    def __init__(self, linked: Linked) -> None:
        self._linked = linked

    @property
    def kind(self) -> str:
        """What links call such a puzzle: `slither`."""
        return self._linked.kind.name

    @property
    def size(self) -> tuple[int, int]:
        """Its rows and columns."""
        return self._linked.board.height, self._linked.board.width

    @property
    def passed_over(self) -> dict[str, int]:
        """What was drawn in it and passed over, with the number of each: lines, texts and colours of a sudoku."""
        return {str(place[0]): int(str(many)) for place, many in self._linked.board.layer("passed").items()}

    @property
    def params(self) -> dict[str, Any]:
        """The params of its model: grids as rows, with None for a blank. Raises ModelErrors for a puzzle that the model
        can't hold."""
        from covr.links.places import LinkFault

        try:
            return dict(self._linked.kind.params(self._linked.board))
        except LinkFault as fault:
            raise unreadable_link(self.kind, fault) from None

    def load(self) -> Model:
        """The gallery's model with this board."""
        return Model(compile_model(open_model(self._linked.kind.model), self.params))

    @property
    def address(self) -> str:
        """The puzzle as an address of puzz.link, or of f-puzzles for a sudoku that has none. Raises ModelErrors if it
        can't be one."""
        return written(self._linked, usual_form(self._linked)).strip()

    @property
    def file(self) -> str:
        """The puzzle, and what is drawn in it, as a file of pzpr. Raises ModelErrors if it can't be one."""
        return written(self._linked, PZPRV3)

    @property
    def remark(self) -> str:
        """What is odd about the link: that it ended too early, or has more than its board; mostly ""."""
        return self._linked.board.remark

    @property
    def is_drawn(self) -> bool:
        """Whether there is an answer in it, finished or not."""
        from covr.explain.drawn_answer import drawn_on

        return bool(drawn_on(self._linked.board, self._linked.kind))

    def check(self, **words: Unpack[OptionWords]) -> Judgement:
        """The answer that is drawn, held against the rules: `.verdict` is `right`, `wrong`, `unfinished`, or `unknown`
        if a limit was hit; `.places` and `.rules` say what is wrong. Takes at most 30 seconds unless limit_time says
        otherwise."""
        from covr.explain.drawn_answer import judge

        return judge(self.load().compiled, self._linked.board, self._linked.kind, Options(**words))

    def __str__(self) -> str:
        return self.address

    def __repr__(self) -> str:
        high, wide = self.size
        return f"<Link {self.kind}: {high} rows, {wide} columns>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Link) and self._linked.board == other._linked.board

    __hash__ = None  # type: ignore[assignment]  # a board holds dicts


def link(
    source: str | PathLike[str] | Model, /, kind: str | None = None, ignore: Literal["drawings"] | None = None
) -> Link:
    """The puzzle in a link, in a file of pzpr, given by its path or as text, or in a model.

    kind: for links that do not say it, those of penpa-edit without a tag.  ignore: "drawings" passes over what the
    setter of a sudoku drew freely (`Link.passed_over`). Nothing is fetched. Raises ModelErrors for a link that can't be
    read, and for a model of which there are no links; ValueError for anything else that is to be ignored."""
    if ignore not in (None, "drawings"):
        raise ValueError(f"drawings can be ignored, and not {ignore!r}")
    if isinstance(source, Model):
        return Link(linked_from(source.compiled))
    found = find_linked(str(source), kind, ignore is not None)
    if found is None:
        raise usage_error("E606", f"`{str(source)[:60]}` can't be read: it is no link to a puzzle, and no file of one")
    return Link(found)
