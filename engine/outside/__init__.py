"""A problem comes in; the answers of other people's solvers go out.

Reading order: solver_rows.py (what solvers are given), highs.py and cpsat.py (HiGHS and CP-SAT, for a minimum),
solvers.py (how they run), highs_turns.py (HiGHS, standing still between its turns), process.py (HiGHS in a process),
sat_sides.py (totals, connections and loops as clauses), sat.py (CaDiCaL, for the first answers), clingo_calls.py,
clingo_writer.py, clingo_graphs.py, clingo_shares.py, clingo_sets.py, clingo_windows.py and clingo_rules.py (a problem
as rules for clingo), clingo_ceiling.py, clingo.py, clingo_answers.py, clingo_switched.py, clingo_taken.py and
clingo_turns.py (clingo, which learns under connections; beside others for a minimum).
"""
