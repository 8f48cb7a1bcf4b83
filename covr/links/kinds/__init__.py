"""The table of kinds, in files by genre, one row for each kind; covr/links/README.md says how a row is written.

Reading order: shading.py (squares to be shaded), objects.py (things to be placed, arrows, diagonals, bricks and
letters), loops.py (loops, paths, bridges and roads), numbers.py (numbers to be written into squares and rooms, and
signs and sums beside them), regions.py (regions that the answer makes, told by their shapes and sizes).
"""
