"""The gallery sorted by kind, as `models/index.toml` says: a table for each kind, with a line about each of its models.

The index concerns only the models that ship with covr; a model that somebody writes needs no kind.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping

from covr.inputs.library import gallery, gallery_names

INDEX = "index.toml"
OTHER = "Others"  # the kind of the models that the index does not name


def kinds() -> Mapping[str, Mapping[str, str]]:
    """Kind → name of a model → what it asks, all in the order of the index. A model that the index leaves out comes
    last, under `Others`, and nothing is said about it; a name without a model is left out."""
    names = set(gallery_names())
    index = tomllib.loads((gallery() / INDEX).read_text(encoding="utf-8"))
    found = {kind: {n: line for n, line in lines.items() if n in names} for kind, lines in index.items()}
    rest = sorted(names - {name for lines in found.values() for name in lines})
    return {**found, **({OTHER: dict.fromkeys(rest, "")} if rest else {})}
