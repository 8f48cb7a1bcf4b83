"""A problem comes in; the answers of other people's solvers go out.

Reading order: solvers.py (HiGHS and CP-SAT, for a minimum), process.py (HiGHS in a process), sat_sides.py
(totals, connections and loops as clauses), sat.py (CaDiCaL, for the first answers).
"""
