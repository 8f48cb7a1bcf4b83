"""Expressions and data come in; values go out, and every fault with its place.

Reading order: values/ (the kinds of value), limits.py (faults of evaluation, their context, and the limits on what a
model may ask for), expressions.py (expressions become closures: compiled once, called for every binding of the local
names), operators.py (what operators and comparisons do to values), members.py (what operators do), calls.py (calls of
functions and readers, and how the code of an expression is put together), functions.py (the built-in functions and
readers, by name), geometry.py (cells, shapes and areas: boxes, neighbours, motions, placements, regions), blocks.py,
table_readers.py (readers of lists and tables), picture_readers.py (readers of pictures: `grid`, `area`, `pieces` and
`solids`, on squares and other lattices), sheets.py, scope.py (a scope: what the global names of a model mean, and the
readers by name), files.py (reading the files that a model or the command line names, compressed or not), bind.py (a
model and its data become a scope: params, definitions, asserts).
"""

from covr.compiler.evaluate.bind import FromText, bind
from covr.compiler.evaluate.expressions import called_names, free_names, pattern_names
from covr.compiler.evaluate.limits import Budget, CompileLimits, EvalFault
from covr.compiler.evaluate.operators import Env, Run, Test
from covr.compiler.evaluate.scope import AlreadyReported, Scope
from covr.compiler.evaluate.values import Value

__all__ = [
    "AlreadyReported",
    "Budget",
    "CompileLimits",
    "Env",
    "EvalFault",
    "FromText",
    "Run",
    "Scope",
    "Test",
    "Value",
    "bind",
    "called_names",
    "free_names",
    "pattern_names",
]
