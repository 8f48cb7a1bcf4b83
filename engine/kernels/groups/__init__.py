"""Graphs and permutations come in; automorphisms, the groups that they generate, and classes of answers go out.

Reading order: _partition.py, _orbits.py and _automorphisms.py (the automorphisms of a graph), _base.py, _chain.py and
_smallest.py (groups of any size: a base, a base and strong generating set, the smallest image of a set), _classes.py
(answers that count as one), _class_cut.py (the parts of a search for them).
"""
