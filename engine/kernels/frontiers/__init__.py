"""A problem and an order come in; what can be said of all answers at once, in one pass, goes out.

Reading order: _sweep.py (the cheapest, or how many there are, item by item), _diagram.py (all of them as a decision
diagram), _demands.py (how many or all, option by option, with side conditions). The two sweeps
look up states in one hash table (states.py, states.pxd).
"""
