"""A problem and one of its answers come in; clues that leave it the only answer, and what can still go where, go out.

Reading order: candidates.py (which options are possible), clues.py (clues that leave one answer as the only one),
fewest_clues.py (the fewest clues that leave an answer the only one, with proof), puzzle_attempts.py (attempts at
puzzles, here or in several processes, and how hard a puzzle is).
"""
