"""Says what `covr solve` and its kin ask of a model, and asks it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from covr.cli.common.frame import exclude
from covr.frozen import frozen

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.questions.answer import Answer
    from covr.questions.options import Options
    from covr.questions.run import Run
    from covr.runs.question import RecordedQuestion


@frozen
class Question:
    """What is asked. limit: how many answers are wanted, None for all.  unique: the question is whether there is
    exactly one.  listed: the answers are numbered, because there may be several.  best: the best answer is wanted."""

    limit: int | None
    unique: bool = False
    listed: bool = False

    @property
    def whole(self) -> bool:
        """Whether the question is about all answers."""
        return self.unique or self.limit is None


def question_from(number: int | None, every: bool, unique: bool) -> Question:
    """The question that these options ask. Raises UsageError if more than one of them is given."""
    exclude({"-n": number is not None, "--all": every, "--unique": unique})
    if unique:
        return Question(2, unique=True)
    if every:
        return Question(None, listed=True)
    return Question(1) if number is None else Question(number, listed=True)


def asked(question: Question, options: Options) -> RecordedQuestion:
    """The question for a run file."""
    from covr.runs.question import RecordedQuestion

    return RecordedQuestion("solve", question.limit, question.unique, question.listed, options.seed)


def answers(run: Run, question: Question, improved: Any = None) -> Any:
    """The answers that a question asks for, as they are found."""
    if question.limit == 1 and not question.listed:
        first = run.first(improved)
        return iter(() if first is None else (first,))
    return run.answers(improved, question.limit)


def answer_of(compiled: Compiled, run: Run, found: tuple[int, ...]) -> Answer:
    """The engine's answer as an `Answer` of the model."""
    from covr.questions.answer import Answer

    if run.best is None:
        return Answer(compiled, found)
    return Answer(compiled, found, run.best.bound, run.best.proved)
