"""A problem comes in, and the form that a kernel needs goes out: links, sets of options, lists, or other numbers.

Reading order: masks.py (a problem as sets of options: who excludes whom, and what is left once the given options are
taken), ceiling.py (costs before a search: a ceiling for all answers, and as few as possible negative), frontier.py (the
order in which items are decided, and a problem renumbered), sides.py (the sides of a problem as flat lists of numbers),
diagram.py (an order of the options, and states as bits, for decision diagrams), bitsets.py (sets of options as bits,
and the options that no answer takes).
"""
