"""Items that need options, all of which cost something, come in; ever cheaper covers and lower bounds go out.

Reading order: _cover.py (branch and bound) on _cover_levels.py, _cover_folds.py, _cover_reductions.py,
_cover_prices.py, _cover_climb.py and _cover_lower_bounds.py, _vertex_cover.py (every item is held by two options),
_descent.py (local search), _core_prices.py (which of very many options are worth a look), _hitting_walk.py (the same
walk for rows that are still being found).
"""
