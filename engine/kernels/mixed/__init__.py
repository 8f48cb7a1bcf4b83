"""Any problem with costs comes in; what follows from decisions, and the bound of its linear program, go out.

Reading order: _mixed_state.py, _mixed_basis.py, _mixed_simplex.py, _mixed.py. Each has one class, and inherits from the
one before. _row_prices.py is a bound for programs that are too large for these; _flow.py finds
least cuts, for rows that hold because something is connected.
"""
