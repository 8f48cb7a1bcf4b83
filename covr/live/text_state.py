"""What is known of one version of a text that is being edited."""

from __future__ import annotations

from functools import cached_property

from covr.dsl.service.cursor import Cursor, cursor
from covr.dsl.service.document import Analysis
from covr.dsl.service.names import NameTable


class TextState:
    """What is known of one version of a text. It holds until the text changes."""

    def __init__(self, analysis: Analysis) -> None:
        self.analysis = analysis

    @property
    def text(self) -> str:
        """The text itself."""
        return self.analysis.source.text

    @cached_property
    def names(self) -> NameTable:
        """Every name that means something."""
        return NameTable(self.analysis)

    def cursor(self, offset: int) -> Cursor | None:
        """What stands before a place; None if the text can't be read at all."""
        return cursor(self.analysis.fragments, offset) if self.analysis.fragments else None
