"""A checked model and its data come in, the sparse matrix with a name for every item and option goes out.

Reading order. Evaluation: values.py (the kinds of value), faults.py and limits.py, operators.py, expressions.py,
functions.py and the readers, scope.py and bind.py. Lowering: names.py and rewrite.py (names in expressions),
groups.py (index names with their sets), linear.py and walk.py (walking what a condition leaves), families.py
(choices), keys.py and rules.py (items), marks.py (given, forbid, goals, colours), lower.py (the matrix). What
comes back: symmetry.py (`up to`), picture.py, regions.py and show.py (`show`), remarks.py (warnings) and compiled.py.
"""

from covr.compiler.compiled import Choice, Compiled, Expectation, compile_model
from covr.compiler.display.picture import Mark, Picture
from covr.compiler.evaluate.bind import FromText
from covr.compiler.evaluate.limits import Limits

__all__ = ["Choice", "Compiled", "Expectation", "FromText", "Limits", "Mark", "Picture", "compile_model"]
