"""Text comes in, a checked syntax tree with spans goes out; matrices are unknown here.

In reading order: source.py (texts and spans), diagnostics.py and render.py (what is said about them), syntax.py (the
tree), cover.lark (the grammar), grammar.py and lexer.py (Lark, loaded fast), tree.py and text.py (Lark's tree → ours),
parser.py and complaints.py (parsing, and what is wrong), builtins.py, check.py (names), load.py (libraries).
"""

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.load import load_model
from covr.dsl.parser import parse
from covr.dsl.render import render
from covr.dsl.source import Source, Span
from covr.dsl.spelling import suggest
from covr.dsl.syntax import Model, Module

__all__ = [
    "Diagnostic", "Model", "ModelErrors", "Module", "Source", "Span", "load_model", "parse", "render", "suggest",
]  # fmt: skip
