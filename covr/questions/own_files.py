"""The files that a model was made from, over which nothing is written: no answer is worth the data it comes from."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from covr.faults import usage_error

if TYPE_CHECKING:
    from covr.compiler import Compiled


def spare_own_files(compiled: Compiled, path: str | os.PathLike[str]) -> None:
    """Raises ModelErrors E508 for a path at which something is that the model was read from: its text, a library, a
    table, a file that `-D name=@file` or `--near` names. Links are followed."""
    for file in _files(compiled):
        with suppress(OSError, ValueError):
            if os.path.samefile(file, path):
                what = "the model is read from it" if file in _texts(compiled) else "it is read for the model's data"
                help = "write to another file"
                raise usage_error("E508", f"`{os.fspath(path)}` can't be written: {what}", help=help)


def _texts(compiled: Compiled) -> set[str]:
    """Where the model and its libraries lie; of a matrix, the name of its file."""
    model = compiled.model
    sources = {model.source, *(part.span.source for part in (*model.definitions, *model.statements))}
    return {source.path or source.name for source in sources}


def _files(compiled: Compiled) -> set[str]:
    return _texts(compiled) | compiled.scope.budget.files
