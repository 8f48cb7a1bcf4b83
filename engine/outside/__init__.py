"""A problem comes in; the answers of other people's solvers go out.

Reading order: solvers.py (a second opinion: HiGHS and CP-SAT), highs_turns.py (HiGHS in turns with our own searches),
process.py (HiGHS in a process), clingo_shares.py (what clingo is told of items and totals beside their own rules),
clingo_graphs.py (connections, loops and areas for clingo), clingo_rules.py (a problem as rules for clingo), clingo.py
(searches by clingo, alone or in turns with other methods), clingo_answers.py (questions asked again and again of one
clingo, under some of many conditions), clingo_intervals.py (what takes time and excludes each other: which comes
first).
"""
