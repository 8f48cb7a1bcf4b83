"""Which pictures were drawn for a page: only these are turned into files of other formats.

An SVG may name other files and addresses, so one that a page brings is not to be trusted; one that covr has drawn is.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

MOST = 20_000  # pictures that are remembered


class DrawnPictures:
    """The last pictures that were sent to pages, as hashes."""

    def __init__(self) -> None:
        self._known: OrderedDict[bytes, None] = OrderedDict()

    def note(self, data: Mapping[str, Any]) -> None:
        """Remember the pictures of an event."""
        answers = data.get("answers")  # a number in some events
        for fields in (data, data.get("answer"), *(answers if isinstance(answers, list) else ())):
            svg = fields.get("svg") if isinstance(fields, Mapping) else None
            if svg:
                self._known[_digest(svg)] = None
        while len(self._known) > MOST:
            self._known.popitem(last=False)

    def knows(self, svg: str) -> bool:
        """Whether covr has drawn this."""
        return _digest(svg) in self._known


def _digest(svg: str) -> bytes:
    return hashlib.sha256(svg.encode("utf-8", "surrogatepass")).digest()
