"""The table of kinds, in files by genre, one row for each kind; docs/adding-kinds.md says how a row is written.

Reading order: loops.py, shading.py, numbers.py, objects.py, regions.py.
"""
