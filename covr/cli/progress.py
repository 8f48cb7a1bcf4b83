"""Shows how far compiling and searching are: on a terminal, or as lines for programs."""

from __future__ import annotations

import os
import shlex
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from importlib.util import find_spec
from threading import Event, RLock, Thread, current_thread, main_thread
from time import monotonic, process_time
from typing import TYPE_CHECKING, Protocol

import click

from covr.cli.group import CompilingStopped, OutOfTime
from covr.compiler import Compiled, FromText
from covr.compiler.evaluate.limits import Budget, telling
from covr.compiler.lower.lowered import StageValue, current
from covr.engine.base.alone import ONE_THREAD
from covr.engine.base.limits import LimitReached, Met, limits_checked_by
from covr.inputs.library import STDIN
from covr.output.streams import FOUND, INTERRUPTED, NONE, UNKNOWN, UnwritableStream, is_quiet, is_unbroken, remark
from covr.questions.answer import digits
from covr.questions.options import NEEDS, CommandOptions, Options
from covr.text import quantity

if TYPE_CHECKING:
    from types import FrameType

    from covr.compiler.compiled import Broken
    from covr.questions.run import Best, Progress
    from covr.questions.verify import Ending

# --- Shows, on a terminal, that a model is being compiled and how far that is, if it takes longer than a second -------
# A thread reads what the compiler notes for each statement, and its counters, a few times a second; this costs the
# compiler nothing. The line is wiped before anything else is written. With `--quiet` or `--json`, or if standard error
# is no terminal, nothing is shown.


COMPILING_FIRST, COMPILING_EVERY = 1.0, 0.2  # seconds until the line is shown, and between its updates


class LineThread:
    """A line on standard error that a thread updates until it is stopped. first, every: seconds until it is shown, and
    between updates."""

    def __init__(self, first: float, every: float) -> None:
        self._first, self._every = first, every
        self._line = TerminalLine()
        self._lock = RLock()
        self._over = Event()
        Thread(target=self._work, daemon=True).start()

    def update(self) -> None:
        """Show the line as it is now."""
        raise NotImplementedError

    def stop(self) -> None:
        """End the thread, and wipe the line."""
        self._over.set()
        with self._lock:
            self._line.wipe()

    def _work(self) -> None:
        wait = self._first
        while not self._over.wait(wait):
            with self._lock:
                if self._over.is_set():
                    return
                try:
                    self.update()
                except (OSError, ValueError, UnwritableStream):  # the stream is closed
                    return
            wait = self._every


class CompileMeter(LineThread):
    """Shows how far a compilation is until it is stopped. Begins with the last budget that was passed to `follow`."""

    def __init__(self) -> None:
        self._budget: Budget | None = None
        super().__init__(COMPILING_FIRST, COMPILING_EVERY)

    def follow(self, budget: Budget) -> None:
        """Show the progress of the compilation with this budget from now on."""
        self._budget = budget

    def say(self, text: str) -> None:
        """Print a remark, with the line out of its way."""
        with self._lock:
            self._line.wipe()
            remark(text)

    def update(self) -> None:
        self._line.show(compiling_sentence(self._budget))


@contextmanager
def compiling() -> Iterator[Callable[[str], None]]:
    """Within this context, show on a terminal how far a compilation is. Yields a function that prints a remark."""

    if wants_json() or not has_terminal():
        yield remark
        return
    meter = CompileMeter()
    try:
        with telling(meter.follow):
            yield meter.say
    finally:
        meter.stop()


@contextmanager
def limited(options: Options | None) -> Iterator[None]:
    """Within this context, compiling keeps the limits of time and memory of a command, if there are any. Raises
    CompilingStopped."""
    limits = None if options is None else (options.limit_time, options.limit_memory, options.usual_memory)
    if options is None or limits == (None, None, None):
        yield
        return
    met = Met(options.limits())
    try:
        with limits_checked_by(met):
            yield
    except LimitReached:
        kind = "memory" if met.out_of_memory else "time"
        most = options.limit_memory or options.usual_memory or 0
        spent = f"at {size(most)} of memory" if kind == "memory" else f"after {options.limit_time:g} s"
        raise CompilingStopped(kind, f"stopped {spent}, while the model was compiled: nothing is known yet") from None


# --- alarm -----------------------------------------------------------------------------------------------------------
# Ends a command that is still at work some time after its limit, in whatever loop it is.
#
# What takes long checks the limits of time by itself, and then says what is known. No list of such places is ever
# complete, so that this is what makes the limit hold everywhere: it ends the command in the middle of its work, as
# Ctrl-C does where no search runs, and nothing is said of what was found out since the last answer that was shown.


LATER = 0.4  # seconds of CPU that a command has after its limit to say what it knows; most need a tenth of that
TICK = 0.05  # seconds between two looks at the time used
AGAIN = 1.0  # seconds after which the alarm rings again: Python drops what is raised while an object is deleted


def ring_after(options: CommandOptions) -> None:
    """Let OutOfTime be raised in the main thread if the command is still at work `LATER` after its limit of time. Does
    nothing in other threads, and on Windows, which has no such timer."""
    context = click.get_current_context(silent=True)
    here = hasattr(signal, "setitimer") and current_thread() is main_thread()
    if options.limit_time is None or context is None or not here:
        return
    reached: float | None = None  # seconds of CPU at the limit

    def ring(_: int, frame: FrameType | None) -> None:
        nonlocal reached
        if reached is None:
            reached = process_time()
        elif process_time() - reached > LATER and not is_unbroken(frame):
            signal.setitimer(signal.ITIMER_REAL, AGAIN, AGAIN)
            raise OutOfTime(f"stopped after {options.limit_time:g} s, in the middle of its work: no more is known")

    def stop() -> None:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)

    before = signal.signal(signal.SIGALRM, ring)
    context.call_on_close(stop)
    signal.setitimer(signal.ITIMER_REAL, max(options.limit_time - options.elapsed(0.0), TICK), TICK)


def wants_json() -> bool:
    """Whether the command was given `--json`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.params.get("as_json"))


def compiling_sentence(budget: Budget | None) -> str:
    """The line: `compiling line 12: statement 5 of 9, 1.2 M steps`. budget: None before the model is read."""

    if budget is None or budget.span is None:
        return "compiling"
    line, _ = budget.span.place
    done = min(budget.begun, budget.total)
    return f"compiling line {line}: statement {done} of {budget.total}, {short(budget.steps + budget.values)} steps"


# --- progress --------------------------------------------------------------------------------------------------------
# Shows the progress of a search: as a line on standard error if that is a terminal, or as objects with `--progress`.
#
# A thread reads the progress a few times a second, as it was when the search was last between two slices; this does not
# slow the search down. The line is cleared before anything else is written. Nothing is shown in the first half second.
# If a search for a minimum has found nothing better for ten seconds, or one for a first answer takes as long, a
# separate line names external solvers to try.
#
# The percentage is the share of the search tree that is done, where all branches of a node count as equally large. It
# never decreases, but grows slowly at first if the first branches are the larger ones. The time left assumes that the
# share goes on growing at the same pace.


FIRST, EVERY, EVERY_OBJECT = 0.5, 0.2, 1.0  # seconds until the line is shown, between its updates, between objects
PATIENCE = 10.0  # seconds without a better answer after which external solvers are named, once
KEEP = 0.7  # weight of the old value in the moving average of the pace
SOME = 0.001  # share of the tree that must be done before a time left is shown


class Followed(Protocol):
    """What a meter follows: a run, or another question that can say how far it is."""

    def progress(self) -> Progress:
        """How far it is; asked from another thread."""

    @property
    def others(self) -> Sequence[str]:
        """External solvers that could be asked instead at this moment."""


class TerminalLine:
    """A line on standard error, which must be a terminal, that is written again and again and at last wiped."""

    def __init__(self) -> None:
        self._wide = 0  # width of the line that is shown, in characters

    def show(self, text: str) -> None:
        """Write the text in place of the line, cut to the width of the terminal."""
        import shutil  # most questions are answered before anything is shown

        width = max(shutil.get_terminal_size((80, 24)).columns - 1, 10)
        line = text[:width]
        sys.stderr.write("\r" + line + " " * max(self._wide - len(line), 0))
        sys.stderr.flush()
        self._wide = len(line)

    def wipe(self) -> None:
        """Leave the line empty, with the cursor at its beginning."""
        if self._wide:
            sys.stderr.write("\r" + " " * self._wide + "\r")
            sys.stderr.flush()
            self._wide = 0


class Meter(LineThread):
    """Shows a run's progress until it is stopped."""

    def __init__(self, run: Followed, as_json: bool) -> None:
        self._run, self._json = run, as_json
        self._before: tuple[float, int, int] | None = None
        self._rate = self._found = 0.0  # nodes and answers per second, recently
        self._began = monotonic()
        self._best: int | None = None
        self._since = self._began  # when the best answer came
        self._named = False  # whether external solvers were named already
        super().__init__(EVERY_OBJECT if as_json else FIRST, EVERY_OBJECT if as_json else EVERY)

    def aside(self) -> AbstractContextManager[object]:
        """A context in which the line is cleared and not shown, so that other text may be written."""
        return self._aside()

    @contextmanager
    def _aside(self) -> Iterator[None]:
        with self._lock:
            self._line.wipe()
            yield

    def update(self) -> None:
        self._show(self._run.progress())

    def _show(self, progress: Progress) -> None:
        now = monotonic()
        then, nodes, answers = self._before or (self._began, 0, 0)
        keep = 0.0 if self._before is None else KEEP
        if now > then:
            self._rate = keep * self._rate + (1 - keep) * max(progress.nodes - nodes, 0) / (now - then)
            self._found = keep * self._found + (1 - keep) * max(progress.answers - answers, 0) / (now - then)
        self._before = now, progress.nodes, progress.answers
        left = time_left(progress, now - self._began)
        if self._json:
            from covr.output import writers

            writers.emit(
                "progress",
                fraction=None if progress.fraction is None else round(progress.fraction, 9),
                nodes=progress.nodes,
                answers=progress.answers,
                best=progress.best,
                bound=progress.bound,
                **writers.goal_fields(progress.stages),
                **({} if progress.tried is None else {"tried": progress.tried}),
                **({"doing": progress.doing} if progress.doing else {}),
                **({} if progress.steps is None else {"steps": progress.steps}),
                seconds=round(now - self._began, 3),
                rate=round(self._rate),
                answer_rate=round(self._found, 1),
                left=None if left is None else round(left, 1),
            )
            return
        self._name_others(progress, now)
        self._line.show(sentence(progress, self._rate, self._found, left))

    def _name_others(self, progress: Progress, now: float) -> None:
        """If no better answer came for `PATIENCE` seconds, name external solvers to try, once."""
        if self._named or progress.best != self._best:
            self._best, self._since = progress.best, now
        elif now - self._since >= PATIENCE and (others := self._run.others):
            self._named = True
            self._line.wipe()
            text = learning(progress.answers) if "clingo" in others else advice(progress.best is None, others)
            sys.stderr.write(text + "\n")


class Silence:
    """A meter that shows nothing."""

    def aside(self) -> AbstractContextManager[object]:
        """A context in which other text may be written to the same terminal; here it does nothing."""
        return nullcontext()


@contextmanager
def following(run: Followed, as_json: bool = False) -> Iterator[Meter | Silence]:
    """Within this context, show the progress of a run, if there is a terminal or if `as_json` asks for objects."""
    if not as_json and not has_terminal():
        yield Silence()
        return
    meter = Meter(run, as_json)
    try:
        yield meter
    finally:
        meter.stop()


def has_terminal() -> bool:
    """Whether standard error is a terminal on which a thread can overwrite a line, and `--quiet` was not given."""
    if sys.platform in ONE_THREAD:
        return False
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb" and not is_quiet()


def time_left(progress: Progress, seconds: float) -> float | None:
    """The seconds that the rest of the tree would take at the same pace; None if too little is known."""
    if progress.fraction is None or progress.fraction < SOME or seconds < FIRST:
        return None
    return seconds * (1 - progress.fraction) / progress.fraction


def sentence(progress: Progress, rate: float, found: float, left: float | None) -> str:
    """`12.3 %, 45 answers (9/s), 1.2 M nodes/s, about 2 min left`.  rate, found: nodes and answers per second.  left:
    seconds, or None."""
    parts = []
    if progress.fraction is not None:
        parts.append(f"{100 * progress.fraction:.1f} %")
    best, bound = progress.best, progress.bound
    if progress.stages:
        parts.append(at_goal(progress.stages))
        now = progress.stages[current(progress.stages) - 1]
        best, bound = now.value, now.bound
    if best is not None:
        parts.append(f"best {best}")
        if bound is not None:
            side = "at least" if bound <= best else "at most"
            gap = abs(best - bound) / max(abs(best), 1)
            parts.append(f"{side} {bound} (gap {100 * gap:.1f} %)")
    elif progress.bound is not None:
        parts.append(f"bound {progress.bound}")
    elif progress.tried is not None:
        parts.append(f"{quantity(progress.answers, 'puzzle')}, {progress.tried} tried")
    elif progress.steps is not None:
        parts.append(quantity(progress.steps, "step"))
    else:
        parts.append(f"{quantity(progress.answers, 'answer')} ({short(found)}/s)")
    if progress.doing:
        parts.append(progress.doing)
    parts.append(f"{short(rate)} nodes/s")
    if left is not None:
        parts.append(f"about {duration(left)} left")
    return ", ".join(parts)


def advice(none_yet: bool, engines: Sequence[str]) -> str:
    """`no better answer for 10 s; another solver may be faster: --engine highs (needs pip install 'covr[lp]')`.
    engines: names in `NEEDS`."""
    names = []
    for engine in engines:
        module, extra, _ = NEEDS[engine]
        names.append(f"--engine {engine}" + ("" if find_spec(module) else f" (needs pip install 'covr[{extra}]')"))
    found = "no answer yet" if none_yet else "no better answer"
    return f"{found} for {PATIENCE:.0f} s; another solver may be faster: {' or '.join(names)}"


def learning(answers: int) -> str:
    """`no answer yet for 10 s; with pip install 'covr[clingo]' …`: what the missing package would bring."""
    found = "no second answer" if answers else "no answer yet"
    return f"{found} for {PATIENCE:.0f} s; {WOULD_LEARN}"


def short(number: float) -> str:
    """A number in short form: `950`, `1.2 k`, `3.4 M`."""
    for size, sign in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if number >= size:
            return f"{number / size:.1f}{sign}"
    return f"{number:.0f}"


def duration(seconds: float) -> str:
    """Seconds in one unit, as precise as a guess needs to be: `8 s`, `2 min`, `3 h`, `5 days`, `7 years`."""
    for size, word in ((365.25 * 86400, "years"), (86400, "days"), (3600, "h"), (60, "min")):
        if seconds >= 1.5 * size:
            return f"{seconds / size:.0f} {word}" if seconds < 1e12 else "ages"
    return f"{max(seconds, 1):.0f} s"


# --- Verdicts as sentences, and the exit codes that go with them ------------------------------------------------------


# What is said where a search for a first answer takes long and clingo is not installed.
WOULD_LEARN = "with pip install 'covr[clingo]' a solver that learns from dead ends searches, too, often much sooner"


MOST_BROKEN = 30  # broken wishes, and changes, that are listed below a picture


def solutions(count: int) -> str:
    """A number of solutions in words: `1 solution`, `2 solutions`."""
    return quantity(count, "solution", digits(count))


def optimum(best: Best, goal: str) -> str:
    """The best value in words: `minimum 5, proved`, or `best 7, at least 5`; of several goals `minimum 5, proved; then
    best 7, at least 5`."""
    if best.stages:
        return in_order(best.stages)
    if best.proved:
        return f"{'minimum' if goal == 'minimize' else 'maximum'} {best.value}, proved"
    if best.bound is None:
        return f"best {best.value}, not proved"
    return f"best {best.value}, at {'least' if goal == 'minimize' else 'most'} {best.bound}"


def in_order(stages: Sequence[StageValue]) -> str:
    """The values of goals in order, in words."""
    return "; then ".join(map(_stage, stages))


def broken_wishes(broken: Sequence[Broken]) -> Iterator[str]:
    """The wishes that an answer breaks, a line each; of many, the dearest."""
    yield f"broken, cost {sum(wish.cost for wish in broken)}:"
    dearest = sorted(broken, key=lambda wish: -wish.cost)[:MOST_BROKEN]
    for wish in [wish for wish in broken if wish in dearest][:MOST_BROKEN]:
        yield f"  {wish}"
    if len(broken) > MOST_BROKEN:
        yield f"  … and {len(broken) - MOST_BROKEN} more; --json lists all"


def changes(number: int) -> str:
    """A number of changes in words."""
    return "nothing changed" if number == 0 else quantity(number, "change")


def changed_choices(changed: tuple[Sequence[str], Sequence[str]]) -> Iterator[str]:
    """What is not as in the earlier answer, a line each; of many, the first."""
    added, removed = changed
    yield f"{changes(len(added) + len(removed))} from the earlier answer:"
    lines = [*(f"  + {name}" for name in added), *(f"  - {name}" for name in removed)]
    yield from lines[:MOST_BROKEN]
    if len(lines) > MOST_BROKEN:
        yield f"  … and {len(lines) - MOST_BROKEN} more; --json lists all"


def _stage(stage: StageValue) -> str:
    if stage.kind == "near":
        if stage.bound == stage.value:
            return f"{changes(stage.value)}, the fewest"
        return changes(stage.value) + ("" if stage.bound is None else f", at least {stage.bound}")
    least = stage.kind == "minimize"
    if stage.bound == stage.value:
        return f"{'minimum' if least else 'maximum'} {stage.value}, proved"
    if stage.bound is None:
        return f"{stage.value}, not proved"
    return f"best {stage.value}, at {'least' if least else 'most'} {stage.bound}"


def stopped(run: Ending) -> str:
    """Why a search ended before it was finished, in words."""
    if run.status == "interrupted":
        return "interrupted"
    options = run.options
    return {
        "nodes": f"stopped after {run.session_nodes} nodes",
        "memory": f"stopped at {size(options.limit_memory or options.usual_memory or 0)} of memory",
        "answers": f"stopped after {options.limit_answers} solutions",
    }.get(run.reached or "", f"stopped after {options.limit_time or 0:g} s")


def size(bytes: int) -> str:
    """A number of bytes in words: `512 MB`, `2 GB`."""
    return f"{bytes / 1e9:g} GB" if bytes >= 1e9 else f"{bytes / 1e6:g} MB"


def at_goal(stages: Sequence[StageValue]) -> str:
    """Which of several goals in order a search is at, in words: `goal 1 of 2`."""
    return f"goal {current(stages)} of {len(stages)}"


def share(run: Ending) -> str:
    """How much of the tree is done, in words: `; 61.3 % of the tree`. Empty if that is unknown, or next to nothing."""
    return "" if run.fraction is None or run.fraction < 0.0005 else f"; {100 * run.fraction:.1f} % of the tree"


def exit_code(run: Ending, shown: int, whole: bool) -> int:
    """The exit code of a search. shown: answers found.  whole: whether the question stays open until all are found."""
    if run.status == "interrupted":
        return INTERRUPTED
    if run.complete:
        return FOUND if shown else NONE
    if (run.status == "limit" and (whole or not shown)) or (whole and run.reached == "answers"):
        return UNKNOWN
    return FOUND


LONGEST = 100  # characters: a longer value of a param is not repeated in a hint


def why_command(compiled: Compiled, choice: str = "") -> str:
    """The command `covr why MODEL` for this model, with the values that were set for its params."""
    name = compiled.model.source.name
    words = ["covr", "why", STDIN if name == "<stdin>" else shlex.quote(name)]
    for param, value in compiled.scope.overrides.items():
        if isinstance(value, FromText):
            short = len(value.text) <= LONGEST and value.text.isprintable()
            words += ["-D", shlex.quote(f"{param}={value.text}") if short else f"{param}=…"]
    return " ".join([*words, f'"{choice}"'] if choice else words)
