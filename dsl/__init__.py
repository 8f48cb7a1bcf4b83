"""Text comes in, a checked syntax tree with spans goes out; nothing here knows about matrices.

Reading order:

- source.py, diagnostics.py, codes.py, render.py, spelling.py: texts and places in them, and what is said about them;
- syntax.py: the tree, which everybody else reads;
- cover.lark, lexer.py, grammar.py: the grammar, and Lark loaded fast;
- text.py, tree.py, parser.py, gc_paused.py: from a text to its tree;
- complaints.py, advice.py: what is wrong where that fails;
- builtins.py, names.py, walk.py, scope.py, definitions.py, check.py: every name bound, every one once;
- load.py, merge_repeated.py, file_snapshot.py: a model with its libraries, its faults told once each, its files kept;
- comments.py, unused.py, format.py: what comments allow, what is never used, one layout for every model.
"""

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.load import load_model
from covr.dsl.parser import parse
from covr.dsl.render import render
from covr.dsl.source import Source, Span
from covr.dsl.spelling import suggest
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
