"""A problem with costs comes in; lower bounds and ever cheaper answers go out.

Reading order: estimates/ (the lower bounds that prune, and the hook for users' own), core.py (what is left of a
covering problem after the obvious reductions), cover.py (the search for a minimum cover), core_rounds.py (its local
search where there are many more options than items), cover_view.py (what an estimate sees of it), triangles.py (items
that others imply), symmetry.py (options that are equivalent), relaxation.py (covering bounds for other problems);
mixed.py with mixed_core.py, mixed_cliques.py, mixed_tree.py and priced.py (the minimum of any problem, by linear
programs: the engine `mixed`); flow.py, sided_rows.py, sided_cuts.py and sided_tree.py (the same with totals,
connections and loops).
"""
