"""Finds the permutations of a problem's options that carry the problem to itself, and works with their group.

Reading order: automorphisms.py (the problem as a coloured graph, and the symmetries found in it), group.py (a group of
permutations: its order, its orbits, its stabilisers), chain.py (the same for groups of any size, and the smallest image
of a set).
"""
