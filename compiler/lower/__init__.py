"""Checked statements and a scope come in, the items and options of the matrix go out.

Reading order: groups.py (index names with their sets), linear.py and walk.py (visiting only the bindings that a
condition leaves instead of the whole product of the sets), local_scope.py (a scope seen from inside a statement),
families.py (choices), keys.py and rules.py (what `per` and `where` mean), marks.py (given, forbid, goals, colours),
matrix.py (the matrix itself), symmetry.py (`up to`).
"""
