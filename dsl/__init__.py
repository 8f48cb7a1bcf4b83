"""Text comes in, a checked syntax tree with spans goes out; matrices are unknown here."""

from covr.dsl.diagnostics import Diagnostic, ModelErrors
from covr.dsl.parser import parse
from covr.dsl.source import Source, Span
from covr.dsl.syntax import Model, Module

__all__ = ["Diagnostic", "Model", "ModelErrors", "Module", "Source", "Span", "parse"]
