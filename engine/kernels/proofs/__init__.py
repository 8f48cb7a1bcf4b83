"""The rows of a problem come in; the nodes that a search closes go out, for a proof that another program checks.

Reading order: _logged.py, _node_prices.py.
"""
