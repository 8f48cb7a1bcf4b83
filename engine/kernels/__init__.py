"""The compiled searches: sets or links come in, option numbers come out. Nothing here knows what they stand for.

A file whose name begins with one underscore is compiled, or belongs to one that is. `load` finds a kernel by the name
of its file alone, whatever folder it is in, and C finds a header so, too.

Reading order: loading.py (which kernel runs, compiled or interpreted, and how a search talks to one), header.py (the
numbers that Python and C both know), shared/ (what all kernels share); then one folder for each family: links/ (Dancing
Links), sets/ (sets of options as bits), sides/ (totals, connections and loops), cover/ (minimum covers), mixed/ (the
minimum of any problem), frontiers/ (all answers in one pass), groups/ (symmetries, and answers that count as one),
batches/ (thousands of instances in one call), proofs/ (a search that writes down its reasons), rules/ (what is told to
clingo), graphs/ (connections and loops that clingo calls while it searches).
"""
