"""The table of kinds, in files by genre, one row for each kind; covr/links/README.md says how a row is written.

Reading order: objects.py (things to be placed, arrows, diagonals, bricks and letters), loops.py (loops, paths, bridges
and roads), numbers.py (numbers to be written into squares, and signs and sums beside them), numbers_rooms.py,
regions.py (regions that the answer makes, told by their shapes), regions_sizes.py, shading.py (squares to be shaded).
"""
