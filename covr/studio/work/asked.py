"""What a page asks about a model: its text, its data, and how."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field

from covr.dsl.file_snapshot import recording
from covr.dsl.source import Source
from covr.frozen import frozen
from covr.inputs.library import checked
from covr.questions.options import Options
from covr.studio.utf16 import Utf16

if TYPE_CHECKING:
    from covr.compiler import Compiled
    from covr.compiler.evaluate.unlike import Notes

THEMES = ("light", "dark", "print", "mono")


@frozen(slots=False)
class StudioQuestion:
    """A question. name, text: of the model; path: where it stands. within: the folder whose files it may read.
    foreign: whether it came by a link, and may not read these either.

    data: values of params, as `-D` takes them. options: what the page wants, which is checked where it is used.
    seconds, memory: the limits of the job, which the page can only lower. nodes, items, most_options: see StudioLimits.
    """

    kind: str
    name: str
    path: str
    within: str
    text: str = field(repr=False)
    data: Mapping[str, str] = field(repr=False)
    options: Mapping[str, Any]
    seconds: float
    memory: int
    window: int
    nodes: int
    items: int
    most_options: int
    foreign: bool = False

    @cached_property
    def source(self) -> Source:
        """The model's text."""
        return Source(self.name, self.text, self.path)

    @cached_property
    def places(self) -> Utf16:
        """Its places as the page counts them."""
        return Utf16(self.text)

    @property
    def theme(self) -> str:
        """The theme of pictures."""
        theme = self.options.get("theme")
        return theme if theme in THEMES else "light"

    def number(self, name: str, default: int, most: int, least: int = 1) -> int:
        """An option that is a whole number within bounds."""
        value = self.options.get(name, default)
        if not isinstance(value, int) or isinstance(value, bool):
            return default
        return min(max(value, least), most)

    @property
    def limits(self) -> Options:
        """The options of a search: the job's limits. Half of the memory is kept for what is not searched."""
        seed = self.options.get("seed")
        seed = seed if isinstance(seed, int) and not isinstance(seed, bool) else None
        return Options(limit_time=self.seconds, limit_memory=_weighable(self.memory // 2), seed=seed)

    def overrides(self) -> dict[str, object]:
        """The data, for the compiler. What files it may name `refusal` says when they are opened (folder.py)."""
        from covr.compiler import FromText

        return {name: FromText(self._placed(text), f"-D {name}") for name, text in self.data.items()}

    def _placed(self, text: str) -> str:
        return f"@{Path(self.within) / text[1:]}" if text.startswith("@") else text


def _weighable(memory: int) -> int | None:
    """A limit of memory, where the memory in use can be read."""
    from covr.engine.base.memory import measurable

    return memory if measurable() else None


class Kept:
    """The model that this process compiled last. Its matrix is used again if only its data have changed."""

    def __init__(self) -> None:
        self._key: tuple[str, str, bool] | None = None
        self._compiled: Compiled | None = None
        self._notes: Notes | None = None
        self._set: frozenset[str] = frozenset()

    def compiled(self, asked: StudioQuestion) -> tuple[Compiled, Notes | None]:
        """The model of a question, compiled with its data. Raises ModelErrors."""
        from covr.compiler import compile_model
        from covr.compiler.evaluate.unlike import noting

        key, overrides = (asked.path, asked.text, asked.foreign), asked.overrides()
        names = frozenset(overrides)
        old, self._compiled = self._compiled, None
        if old is not None and key == self._key and self._set <= names and not _from_file(asked):
            found = old.with_data(overrides)
        else:
            with recording() as files, noting() as self._notes:
                found = compile_model(checked(asked.source, Path(asked.within)), overrides)
            if any(not name.startswith("use std/") for name in files):
                return found, self._notes  # files may change before the next question
        self._key, self._compiled, self._set = key, found, names
        return found, self._notes


def _from_file(asked: StudioQuestion) -> bool:
    return any(text.startswith("@") for text in asked.data.values())
