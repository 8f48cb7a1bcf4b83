"""A problem with totals, connections, loops and areas comes in, and answers go out.

Reading order: _sides_trail.py, _sides_totals.py, _sides_connections.py, _sides_circuits.py, _sides_areas.py,
_sides_prices.py, _sides.py. Each has one class, and inherits from the one before. _grouping.py divides the options of
totals into groups before the search.
"""
