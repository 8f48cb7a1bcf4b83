"""Connections and loops as functions on a graph, which clingo calls while it searches.

Reading order: _graphs.h (the search, the reasons, what clingo calls), _graphs.py (how it is made from Python). Without
a compiler there is none of this, and outside/clingo_graphs.py writes rules instead.
"""
