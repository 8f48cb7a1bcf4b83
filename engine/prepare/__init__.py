"""A problem comes in, and the form that a kernel needs goes out: links, sets of options, lists, or other numbers.

Reading order: residual.py (what is left once the given options are taken), shift.py (shifts costs so that few are
negative), ceiling.py (a ceiling for costs as a total), shuffle.py (renumbers by a seed), masks.py (exact cover as sets
of options), multiplicity.py (the same for bounds other than 1), exact.py (chooses the kernel for an exact cover
problem), totals.py and sides.py (sides as flat lists of numbers), diagram.py (an order of the options, and states as
bits, for decision diagrams), frontier.py (an order of the items, and the same for counts item by item). For searches in
Python: bitsets.py (sets as whole numbers), option_sets.py (a node of the search) and excluded.py (options that no
answer takes).
"""
