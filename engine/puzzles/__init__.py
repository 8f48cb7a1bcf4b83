"""A problem and one of its answers come in; clues that leave it the only answer, and what can still go where, go out.

Reading order: candidates.py (which options are possible), clues.py (is it the only answer, and which clues can be left
out), fewer_clues.py, clue_bound.py and fewest_clues.py (the fewest clues, with proof), learned_clues.py (by clingo),
random_answers.py, puzzle_attempts.py with puzzle_processes.py (puzzles as ordered, made in several processes),
hint_grade.py (how hard they are).
"""
