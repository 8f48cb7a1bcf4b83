"""The kinds of all genres by the names that links use, and what to say of a name that is none of them."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from covr.links import kinds as package
from covr.links.board import LinkFault
from covr.links.codes import shortened
from covr.links.kind import Kind


@cache
def kinds() -> Mapping[str, Kind]:
    """Every kind by its name, sorted: all that the files of the folder kinds define."""
    names = [module.name for module in iter_modules(package.__path__)]
    genres = [import_module(f"{package.__name__}.{name}") for name in sorted(names)]
    found = {kind.name: kind for genre in genres for kind in vars(genre).values() if isinstance(kind, Kind)}
    return dict(sorted(found.items()))


@cache
def _known() -> Mapping[str, Kind]:
    """Every kind by its names and by the name of its model."""
    known = {kind.model: kind for kind in reversed(list(kinds().values()))}
    known.update({alias: kind for kind in kinds().values() for alias in kind.aliases})
    return {**known, **kinds()}


def find_kind(name: str) -> Kind:
    """The kind that links call so. Raises UnknownKind."""
    if name not in _known():
        raise UnknownKind(name)
    return _known()[name]


class UnknownKind(LinkFault):
    """A kind of which there is no model. help: a line of advice."""

    def __init__(self, name: str) -> None:
        from covr.dsl import suggest

        super().__init__(f"there is no model of the kind `{shortened(name)}`")
        close = suggest(name[:60], list(_known()))
        self.help = f"did you mean `{close}`?" if close else f"the kinds are {', '.join(kinds())}"
