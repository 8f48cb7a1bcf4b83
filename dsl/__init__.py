"""Text comes in, a checked syntax tree with spans goes out; nothing here knows about matrices.

Reading order:

- diagnostics.py, codes.py: texts, places in them, and messages about these places;
- syntax.py: the tree, which all other files and stages read;
- cover.lark, tables.py, grammar.py, lexer.py: the grammar, its tables by Lark, and parsing by them;
- tree.py, parser.py: from a text to its tree;
- complaints.py, advice.py: what is wrong if parsing fails, and what to write instead;
- scope.py, definitions.py, bound_names.py: checks that every name is bound, only once, and used;
- load.py: a model with its libraries, and snapshots of its files;
- format.py: one layout for every model, and what comments allow;
- service/: what an editor shows about a text while it is written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import Diagnostic, ModelErrors, Source, Span, render, suggest

if TYPE_CHECKING:
    from covr.dsl.load import load_model
    from covr.dsl.parser import parse
    from covr.dsl.syntax import CheckedModel, Module

__all__ = [
    "CheckedModel",
    "Diagnostic",
    "ModelErrors",
    "Module",
    "Source",
    "Span",
    "load_model",
    "parse",
    "render",
    "suggest",
]  # fmt: skip

# Imported on first use: a message needs none of them, and `covr --help` no tree.
_HOMES = {
    "CheckedModel": "covr.dsl.syntax",
    "Module": "covr.dsl.syntax",
    "load_model": "covr.dsl.load",
    "parse": "covr.dsl.parser",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'covr.dsl' has no attribute '{name}'")
    value = getattr(import_module(_HOMES[name]), name)
    globals()[name] = value
    return value
