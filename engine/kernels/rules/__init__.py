"""What is told to clingo, and read from it, a rule and an atom at a time, without a call of Python for each.

Reading order: _shares.py (totals that share out the options of items), _rules.py (rules on their way, and true atoms),
_rules.h (the calls of clingo), plain_rules.py (the same without a compiler).
"""
