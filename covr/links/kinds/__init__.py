"""The table of kinds, in files by genre, one row for each kind; docs/adding-kinds.md says how a row is written.

Reading order: arrows.py, lines.py, loops.py, loops_clues.py, loops_lengths.py, loops_rooms.py, numbers.py,
numbers_rooms.py, numbers_signs.py, objects.py, regions.py, regions_shapes.py, regions_sizes.py, roads.py, shading.py,
shading_clues.py, shading_connected.py, shading_counts.py, shading_islands.py.
"""
