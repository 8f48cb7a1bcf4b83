"""A problem with costs comes in; lower bounds and ever cheaper answers go out.

Reading order: estimates/ (the lower bounds that prune, and the hook for users' own), core.py (what is left of a
covering problem after the obvious reductions), cover.py (the search for a minimum cover), core_descent.py (its local
search where there are many more options than items), cover_view.py (what an estimate sees of it), vertex_cover.py
(covers where every item is held by two options), rounds.py (a bound that rises), triangles.py (items that others
imply), asked.py (what the search on links asks), symmetry.py (options that are equivalent), orbital_parts.py and
orbital.py (a search for covers that decides about whole orbits of them), relaxation.py (covering bounds for other
problems); mixed.py with mixed_core.py, mixed_cliques.py, mixed_tree.py and priced.py (the minimum of any problem, by
linear programs: the engine `mixed`); rounded_duals.py, row_prices.py, integer_program.py and narrowed.py (a bound, and
the same with HiGHS, where it is large or little of it is left); annealed.py (good answers to large packings);
sweep_plan.py and sweep.py (the minimum item by item, where the frontier is narrow); alike.py (columns that are alike,
put in order), sided_rows.py, sided_cuts.py and sided_tree.py (with totals, connections and loops); one_total.py (where
one total is all that joins the options).
"""
