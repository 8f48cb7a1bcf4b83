"""Turns checked statements and a scope into the items, options and side conditions of a problem.

Reading order: groups.py (index names with their sets), linear.py, inverted.py and walk.py (visiting only the bindings
that a condition leaves instead of the whole product of the sets), local_scope.py (a scope seen from inside a
statement), facts.py (what is known of the values of a name), written.py, written_sets.py, written_lookups.py and
as_python.py (expressions as Python source), joins.py (members found by a table), loop_members.py and loops.py (a walk
as Python source), comprehensions.py (sets made by `for` as Python source), choices.py, meant_choices.py and families.py
(choices), keys.py, sums.py, index_values.py, memberships.py and rules.py (what `per`, `where` and quantities mean),
colours.py and marks.py (given, forbid, goals, colours), default_names.py (what items without a label are called),
drafts.py (side conditions before options are numbered), needed.py, demands.py and needs.py (`if … then`), shapes.py
(`connected`, `loop`), alike.py (`all different`, `all alike`), fault_collector.py (the faults of all statements in one
run), stages.py (goals in order), lowered.py (what comes out), blocks.py (the matrix in the making), add.py (what each
statement adds to it), at_most_one.py and wishes.py (`prefer`), entries.py (its rows), answers_by.py (which options tell
answers apart), matrix.py (the matrix itself), symmetry.py (`up to`).
"""
