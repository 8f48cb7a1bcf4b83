"""A problem comes in, permutations of its options that carry it to itself, and the group that they generate, go out.

Reading order: automorphisms.py (the problem as a coloured graph, and what is found of its symmetries), group.py (a
group of permutations: its order, its orbits, what it fixes).
"""
