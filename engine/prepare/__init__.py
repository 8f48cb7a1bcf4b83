"""A problem comes in, and what a kernel wants goes out: the same problem as links, as sets, or with other numbers.

Reading order: residual.py (what is left once the given options are taken), shift.py (costs without negative ones),
shuffle.py (other numbers, by a seed), masks.py (exact cover as sets of options), multiplicity.py (the same for other
bounds than 1), exact.py (which kernel an exact cover problem gets), totals.py and sides.py (sides as lists of numbers).
"""
