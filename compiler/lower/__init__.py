"""Turns checked statements and a scope into the items, options and side conditions of a problem.

Reading order: groups.py (index names with their sets, and the scope that a statement sees), inverted.py (conditions
read backwards: to which bindings of a walk a value leads), walk.py (visiting only the bindings that a condition leaves
instead of the whole product of the sets), facts.py (what is known of the values of a name: enough to see that an
expression can't fault), written_sets.py, as_python.py (expressions as Python source), joins.py (the members of a group
that a loop goes through, found by a table where that is shorter), loops.py (a walk as Python source), query.py (what
expressions come to for the bindings of a statement's names: whether that is written or walked), families.py (families
of choices: index names, their sets, and every choice in documented order), keys.py (the keys of `per`: which items a
rule has, and to which of them each choice belongs), rules.py (`exactly`, `at least`, `at most`: a rule becomes items,
and choices become members of them), marks.py (given, forbid, goals, colours), lowered.py (what lowering makes: the
problem, and all that is needed to name its items and options), demands.py, needs.py (`if … then`), shapes.py
(`connected`, and what all shapes share), lines.py (`loop`, `path`), areas.py (rules about areas, `divide`), add.py
(what each statement adds to the matrix: a block of items, or drafts of side conditions), goals.py (goals in order,
wishes with a price, and which options tell answers apart), matrix.py (`all different`, `all alike`; from a checked
model and its data to a `Problem`: items are numbered, choices become options), symmetry.py (`up to`).
"""
