"""Text comes in, a checked syntax tree with spans goes out; nothing here knows about matrices.

Reading order:

- source.py, diagnostics.py, codes.py, render.py, spelling.py: texts, places in them, and messages about these places;
- syntax/: the tree, which all other files and stages read;
- cover.lark, tables.py, tokens.py, lexer.py, grammar.py: the grammar, its tables by Lark, and parsing by them;
- text.py, tree/, _reading.py (uncompiled.py stands in for Cython where it is missing), faultless.py, parser.py,
gc_paused.py: from a text to its tree;
- echoes.py (one mistake, one fault), complaints.py, advice.py: what is wrong if parsing fails, and what covr writes
where others write otherwise;
- builtins.py, names.py, walk.py, scope.py, definitions.py, bound_names.py: checks that every name is bound, and only
once;
- load.py, merge_repeated.py, file_snapshot.py: a model with its libraries, each fault once, snapshots of its files;
- comments.py, unused.py, pieces.py, format.py: what comments allow, what is never used, one layout for every model;
- service/: what an editor shows about a text while it is written.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.render import render
from covr.dsl.source import Source, Span
from covr.dsl.spelling import suggest

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
