"""A problem with costs comes in; lower bounds and ever cheaper answers go out.

Reading order: estimates.py (the hook for admissible estimates, and those that come with covr), core.py (the core of a
covering problem: reductions, equivalent options, and what searches begin from), cover.py (the search for a minimum
cover), core_descent.py (its local search where there are many more options than items), asked.py (what a search with
bounds asks at its nodes), orbital.py (orbital branching: a search for minimum covers that decides about whole orbits of
options), mixed.py, mixed_core.py (the core of any problem with costs: what is left of it, and its cliques),
mixed_tree.py, priced.py (the minimum of any problem, by linear programs: the engine `mixed`), integer_program.py (the
minimum as an integer program: HiGHS in turns, row prices, and duals rounded safely), narrowed.py (what a linear program
proves of all answers up to a ceiling), hard_rules.py (an answer first, without a look at costs), annealed.py (good
answers to large packings), sweep.py (the minimum item by item: sweeps over the frontier, each up to a higher cost),
alike.py (columns that are alike, put in order), sided_tree.py (linear programs for problems with sides: totals as rows,
cuts for connections, and the tree), one_total.py (where one total is all that joins the options), bins.py (the fewest
of bins that are alike).
"""
