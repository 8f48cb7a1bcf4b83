"""Boards that are not squares, and those that are: what a lattice is, and the six that the language knows.

Coordinates come in, coordinates go out; a lattice knows neither the language nor how it is drawn, only the polygon of
each of its cells.

Reading order: lattice.py (what a lattice and a cell of one are), then one value in each of square.py, hexagons.py,
triangles.py, sticks.py, balls.py and cubes.py, and table.py (the lattices by name).
"""
