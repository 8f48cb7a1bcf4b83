"""Expressions and data come in; values go out, and every fault with its place.

Reading order: values/ (the kinds of value), faults.py and fault_context.py (what goes wrong, and for which values),
limits.py (how much a model may ask for), names.py and rewrite.py (names in expressions), operators.py, unlike.py,
comparisons.py and members.py (what operators do), code_parts.py, conditions.py, walks.py and expressions.py (an
expression becomes a closure), calls.py, functions.py, geometry.py, areas.py, regions.py and days.py (the functions of
the language), blocks.py, cells.py, picture_readers.py, lattice_pictures.py, sheets.py, table_readers.py and readers.py
(data as text), files.py and unpack.py (compressed files), convert.py (Python's values), scope.py and bind.py (what the
names of a model mean).
"""

from covr.compiler.evaluate.bind import FromText, bind
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.limits import Budget, CompileLimits
from covr.compiler.evaluate.names import called_names, free_names, pattern_names
from covr.compiler.evaluate.operators import Env, Run, Test
from covr.compiler.evaluate.scope import Poisoned, Scope
from covr.compiler.evaluate.values import Value

__all__ = [
    "Budget",
    "CompileLimits",
    "Env",
    "EvalFault",
    "FromText",
    "Poisoned",
    "Run",
    "Scope",
    "Test",
    "Value",
    "bind",
    "called_names",
    "free_names",
    "pattern_names",
]
