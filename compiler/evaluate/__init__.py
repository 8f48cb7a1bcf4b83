"""The evaluation half of the compiler in one import: scopes, how they are made, faults and limits.

Reading order: values, faults, limits, names, operators, comparisons, members, expressions, calls, scope; then blocks,
pictures, tables, readers; geometry, functions; files, convert, bind.
"""

from covr.compiler.evaluate.bind import FromText, bind
from covr.compiler.evaluate.faults import EvalFault
from covr.compiler.evaluate.limits import Budget, Limits
from covr.compiler.evaluate.names import called_names, free_names, pattern_names
from covr.compiler.evaluate.operators import Env, Run, Test
from covr.compiler.evaluate.scope import Poisoned, Scope
from covr.compiler.evaluate.values import Value

__all__ = [
    "Budget", "Env", "EvalFault", "FromText", "Limits", "Poisoned", "Run", "Scope", "Test", "Value",
    "bind", "called_names", "free_names", "pattern_names",
]
