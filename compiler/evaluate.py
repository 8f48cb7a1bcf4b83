"""The evaluation half of the compiler in one import: scopes, how they are made, faults and limits.

Reading order: values, faults, limits, names, operators, comparisons, members, expressions, calls, scope; then blocks,
pictures, tables, readers; geometry, functions; files, convert, bind.
"""

from covr.compiler.bind import FromText, bind
from covr.compiler.faults import EvalFault
from covr.compiler.limits import Budget, Limits
from covr.compiler.names import called_names, free_names, pattern_names
from covr.compiler.operators import Env, Run, Test
from covr.compiler.scope import Poisoned, Scope
from covr.compiler.values import Value

__all__ = [
    "Budget", "Env", "EvalFault", "FromText", "Limits", "Poisoned", "Run", "Scope", "Test", "Value",
    "bind", "called_names", "free_names", "pattern_names",
]
