"""A member of a reason: a rule, a given choice or a whole statement, in the words of the model."""

from __future__ import annotations

from attrs import field

from covr.dsl.source import Span
from covr.frozen import frozen


@frozen
class Member:
    """A member of a contradiction: a rule's item, a given choice or a whole statement.

    kind: `rule`, `given` or `statement`.  name: in the model's words.  span: the statement it comes from.
    label, key: of a rule whose label is the same for all of its instances, that label and which instance it is, of
    which the name is made; empty for any other."""

    kind: str
    name: str
    span: Span = field(repr=False)
    label: str = field(default="", repr=False)
    key: str = field(default="", repr=False)

    @property
    def place(self) -> str:
        """The file and the line; for a matrix only the file."""
        line = self.line
        return self.span.source.name if line is None else f"{self.span.source.name}:{line}"

    @property
    def line(self) -> int | None:
        """The line of the statement, from 1; None for a matrix."""
        return self.span.place[0] if self.span.source.text else None
