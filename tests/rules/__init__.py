"""The rule of a kind comes in twice, as a model and told anew, and out goes where the two differ on tiny boards.

Reading order: drawn.py (boards by chance, and all that may be drawn on them), sheet.py (a board as checks look at it),
shading.py, loops.py, numbers.py, regions.py (the rules by genre), test_rules.py.
"""
