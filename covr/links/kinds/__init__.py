"""The kinds of puzzles that links hold, each a row of the table, by genre. Every `Kind` that a file here defines is one.

Reading order: loops.py, numbers.py, numbers_rooms.py, objects.py, regions.py, regions_shapes.py, regions_sizes.py,
shading.py, shading_connected.py.
"""
